"""The texts a model is made from, as lists. Written dialogues are parted once into those to learn from and those to choose by."""

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from .pieces import latin_folds

# Of the English lines, which are in the order of their hashes: more of them taught nothing more.
ENGLISH_LINES = 640_000


@dataclass
class Corpus:
    english: list[str]
    chinese: list[str]
    pairs: list[tuple[str, str]]  # English, Chinese
    others: list[tuple[str, str]]  # English, Japanese or Korean
    dialogues: list[dict]
    held_out: list[dict]
    held_out_pairs: list[tuple[str, str]]
    chinese_words: dict[str, int]
    folds: dict[int, int] = field(default_factory=dict)


def load_corpus(folder: Path, texts: Path, most: int = 10**9) -> Corpus:
    lines = lambda name: (folder / name).read_text('utf-8').splitlines()[:most] if (folder / name).exists() else []
    read = lambda name, other: [(p['en'], p[other]) for p in map(json.loads, lines(name))]
    groups = [json.loads(line) for file in sorted(texts.glob('*.jsonl')) for line in file.read_text('utf-8').splitlines()][:most]
    held = [zlib.crc32(group['en'][0].encode()) % 8 == 0 for group in groups]
    pairs = read('pairs.jsonl', 'zh')
    outside = [zlib.crc32(en.encode()) % 40 == 0 and len(zh) >= 8 for en, zh in pairs]
    words = (line.split('\t') for line in lines('words-zh.tsv'))
    folds = latin_folds()
    folds.update((ord(a), ord(b)) for a, b in (line.split('\t')[:2] for line in lines('trad-simp.tsv')) if len(a) == len(b) == 1)
    return Corpus(
        english=lines('en.txt')[:ENGLISH_LINES] + lines('glosses-en.txt'),
        chinese=lines('zh.txt'),
        pairs=[pair for pair, out in zip(pairs, outside) if not out],
        others=read('pairs-ja.jsonl', 'ja') + read('pairs-ko.jsonl', 'ko'),
        dialogues=[group for group, out in zip(groups, held) if not out],
        held_out=[group for group, out in zip(groups, held) if out],
        held_out_pairs=[pair for pair, out in zip(pairs, outside) if out][:2000],
        chinese_words={word[0]: int(float(word[1])) for word in words if len(word) > 1},
        folds={a: b for a, b in folds.items() if a != b and a < 0x10000 and b < 0x10000},
    )
