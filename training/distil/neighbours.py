"""Pairs of texts that the teacher finds near although they share few words."""

import torch

NEAREST = 24
LEAST_LIKE, MOST_LIKE = 0.55, 0.93
MOST_SHARED = 0.34
KEPT = 3


def mine(texts: torch.Tensor, targets: torch.Tensor, first: int, end: int, anchors: int) -> torch.Tensor:
    """Index pairs within `texts[first:end]`, for so many anchors of it."""
    device = targets.device
    among = targets[first:end]
    chosen = torch.randperm(len(among), device=device)[:anchors]
    found = []
    for part in chosen.split(1024):
        likeness, nearest = (among[part] @ among.T).topk(min(NEAREST + 1, len(among)), dim=-1)
        shared = overlap(texts[first + part], texts[first + nearest])
        fits = (likeness > LEAST_LIKE) & (likeness < MOST_LIKE) & (shared < MOST_SHARED)
        fits &= fits.cumsum(-1) <= KEPT
        row, column = fits.nonzero(as_tuple=True)
        found.append(torch.stack([part[row], nearest[row, column]], -1))
    return torch.cat(found) + first


def overlap(rows: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """The share of a text's pieces that the other one has, too: of the shorter."""
    rows, others = rows.int(), others.int()
    result = torch.empty(others.shape[:2], device=rows.device)
    for place in range(others.shape[1]):
        other = others[:, place]
        both = (rows[:, :, None] == other[:, None, :]) & (rows[:, :, None] > 0)
        shorter = torch.minimum((rows > 0).sum(-1), (other > 0).sum(-1)).clamp_min(1)
        result[:, place] = both.any(-1).sum(-1) / shorter
    return result
