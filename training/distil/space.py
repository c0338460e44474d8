"""One bilingual space for both teachers: Chinese vectors are mapped onto the English ones, then both are centred and shortened.

The map is a ridge regression over translated pairs; the shortening a principal component analysis over both languages.
"""

from dataclasses import dataclass

import torch
from torch.nn import functional as F


@dataclass
class Space:
    mean_english: torch.Tensor
    mean_chinese: torch.Tensor
    bridge: torch.Tensor  # Chinese width x English width
    centre: torch.Tensor
    axes: torch.Tensor  # English width x dimension

    def english(self, vectors: torch.Tensor) -> torch.Tensor:
        """Vectors of the English teacher, in the student's space."""
        return F.normalize((vectors.float() - self.centre) @ self.axes, dim=-1)

    def chinese(self, vectors: torch.Tensor) -> torch.Tensor:
        return self.english(self.bridged(vectors))

    def bridged(self, vectors: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.mean_english + (vectors.float() - self.mean_chinese) @ self.bridge, dim=-1)


def fit_space(english: torch.Tensor, chinese: torch.Tensor, pairs: tuple[torch.Tensor, torch.Tensor], dimension: int) -> Space:
    """`english` and `chinese` are samples of each language, `pairs` the vectors of translations."""
    left, right = pairs[1].float(), pairs[0].float()
    mean_english, mean_chinese = right.mean(0), left.mean(0)
    source = left - mean_chinese
    gram = source.T @ source + 10 * torch.eye(source.shape[1], device=source.device)
    bridge = torch.linalg.solve(gram, source.T @ (right - mean_english))
    space = Space(mean_english, mean_chinese, bridge, torch.zeros_like(mean_english), torch.eye(len(mean_english), device=source.device))
    both = torch.cat([english.float(), space.bridged(chinese)])
    space.centre = (english.float().mean(0) + space.bridged(chinese).mean(0)) / 2
    values, axes = torch.linalg.eigh(torch.cov((both - space.centre).T))
    space.axes = axes[:, values.argsort(descending=True)[:dimension]].contiguous()
    return space
