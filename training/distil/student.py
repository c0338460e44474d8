"""The student: one vector a piece, and a text's vector is the sum of its pieces', brought to unit length.

How much a piece counts is the length of its vector, learned like its direction. It learns to point where the teacher points, to
find the same texts near as the teacher does, and to bring together what belongs together: translations, questions and answers.
Batches hold texts beside those the teacher finds near although they share few words: there synonyms are learned.
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Recipe:
    steps: int = 7000
    batch: int = 4096
    rate: float = 2e-3
    neighbours: float = 1.0
    together: float = 1.0
    temperature: float = 0.05
    mined: float = 0.5
    dropped: float = 0.2


class Student(nn.Module):
    """Row 0 is padding; row r + 1 belongs to word r of the vocabulary."""

    def __init__(self, start: torch.Tensor):
        super().__init__()
        self.table = nn.Parameter(torch.cat([torch.zeros_like(start[:1]), start]))

    def forward(self, pieces: torch.Tensor) -> torch.Tensor:
        return F.normalize(F.embedding_bag(pieces, self.table, mode='sum', padding_idx=0), dim=-1, eps=1e-6)


def train(student: Student, texts: torch.Tensor, targets: torch.Tensor, groups, pairs: torch.Tensor, mined: torch.Tensor, recipe: Recipe) -> None:
    """`texts` are padded piece rows with a target each; `groups` are (weight, first, end) ranges of them to draw from; `pairs`
    are index pairs into `texts` that belong together, `mined` those that the teacher finds near."""
    device = student.table.device
    optimiser = torch.optim.Adam(student.parameters(), recipe.rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.rate, recipe.steps, pct_start=0.05)
    alone = recipe.batch * (1 - recipe.mined)
    shares = [(int(alone * weight), first, end) for weight, first, end in groups if end > first]
    draw = lambda among, count: among[torch.randint(0, len(among), (count,), device=device)]

    def thinned(rows: torch.Tensor) -> torch.Tensor:
        """Without some of its pieces a text still means much the same."""
        return rows.int() * (torch.rand(rows.shape, device=device) >= recipe.dropped)

    for step in range(recipe.steps):
        chosen = [torch.randint(first, end, (count,), device=device) for count, first, end in shares]
        chosen = torch.cat([*chosen, draw(mined, int(recipe.batch * recipe.mined / 2)).flatten()])
        made, wanted = student(thinned(texts[chosen])), targets[chosen].float()
        loss = (1 - (made * wanted).sum(-1)).mean() + recipe.neighbours * neighbour_loss(made, wanted, recipe.temperature)
        drawn = draw(pairs, recipe.batch // 2)
        loss = loss + recipe.together * together_loss(student(thinned(texts[drawn[:, 0]])), student(thinned(texts[drawn[:, 1]])))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        student.table.grad[0] = 0
        optimiser.step()
        schedule.step()
        if step % 2000 == 0 or step == recipe.steps - 1:
            print(f'  step {step} loss {loss.item():.4f}', flush=True)


def neighbour_loss(made: torch.Tensor, wanted: torch.Tensor, temperature: float) -> torch.Tensor:
    """The student's neighbours in this batch against the teacher's."""
    hide = torch.eye(len(made), device=made.device, dtype=torch.bool)
    teacher = ((wanted @ wanted.T) / temperature).masked_fill(hide, -1e4).softmax(-1)
    student = ((made @ made.T) / temperature).masked_fill(hide, -1e4).log_softmax(-1)
    return F.kl_div(student, teacher, reduction='batchmean')


def together_loss(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    likeness = left @ right.T / 0.05
    own = torch.arange(len(left), device=left.device)
    return (F.cross_entropy(likeness, own) + F.cross_entropy(likeness.T, own)) / 2
