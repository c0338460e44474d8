"""How often the nearest text is the right one, on dialogues and pairs that were held out of the training."""

import torch


def recall_at_one(queries: torch.Tensor, passages: torch.Tensor) -> float:
    if len(queries) == 0:
        return 0.0
    nearest = (queries @ passages.T).argmax(1)
    return (nearest == torch.arange(len(queries), device=queries.device)).float().mean().item()


def describe(embed, held_out: list[dict], pairs: list[tuple[str, str]]) -> dict[str, float]:
    """`embed(texts, language)` gives unit vectors. Each task: the right one among all of its kind."""
    side = lambda language, place: embed([group[language][place] for group in held_out], language)
    en, zh = ([side(language, place) for place in (0, 1, 2)] for language in ('en', 'zh'))
    left, right = embed([pair[0] for pair in pairs], 'en'), embed([pair[1] for pair in pairs], 'zh')
    return {
        'en': recall_at_one(en[0], en[1]),
        'en short': recall_at_one(en[2], en[1]),
        'zh': recall_at_one(zh[0], zh[1]),
        'zh short': recall_at_one(zh[2], zh[1]),
        'en>zh': recall_at_one(en[0], zh[1]),
        'zh>en': recall_at_one(zh[0], en[1]),
        'pairs en>zh': recall_at_one(left, right),
        'pairs zh>en': recall_at_one(right, left),
    }
