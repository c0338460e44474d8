"""Makes the model: `python -m distil.make --out FILE`. Needs the corpus (node collect.mjs) and the teachers (node teachers.mjs)."""

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from .corpus import Corpus, load_corpus
from .evaluate import describe
from .model_file import quantise, write_model
from .neighbours import mine
from .pieces import cut
from .space import Space, fit_space
from .student import Recipe, Student, train
from .teachers import Teacher, load_teachers
from .vocabulary import build_vocabulary, count_runs

LONGEST = 96
began = time.time()


def main() -> None:
    here = Path(__file__).parent.parent
    options = argparse.ArgumentParser()
    options.add_argument('--corpus', type=Path, default=here / 'work/corpus')
    options.add_argument('--teachers', type=Path, default=here / 'work/teachers')
    options.add_argument('--cache', type=Path, default=here / 'work/cache')
    options.add_argument('--out', type=Path, default=here / 'work/model.bin')
    options.add_argument('--name', default='continuo-static-1')
    options.add_argument('--dimension', type=int, default=256)
    options.add_argument('--rows', type=int, default=57_000)
    options.add_argument('--most', type=int, default=10**9, help='lines a file: for a quick trial')
    options.add_argument('--steps', type=int, default=Recipe.steps)
    options.add_argument('--try', dest='trials', nargs='*', default=[], help='recipes to compare, as key=value,key=value')
    given = options.parse_args()
    torch.manual_seed(1)
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    corpus = load_corpus(given.corpus, here / 'texts', given.most)
    say(f'{len(corpus.english)} English, {len(corpus.chinese)} Chinese, {len(corpus.pairs)} pairs, {len(corpus.others)} Japanese '
        f'and Korean, {len(corpus.dialogues)} dialogues ({len(corpus.held_out)} held out)')
    words = make_vocabulary(corpus, given.rows)
    say(f'{len(words)} words')
    teachers = load_teachers(given.teachers, device)
    material = Material(corpus, words, teachers, given.cache, device)
    space = material.fit(given.dimension)
    say('teachers on what was held out ' + show(describe(material.by_teacher(space), corpus.held_out, corpus.held_out_pairs)))
    texts, targets, groups, pairs, start = material.lessons(space)
    say(f'{len(texts)} lessons')
    mined = torch.cat([mine(texts, targets, first, end, 120_000) for _, first, end in groups[:2]])
    say(f'{len(mined)} pairs mined')
    for number, trial in enumerate(given.trials or ['']):
        changes = {key: float(value) if '.' in value or 'e' in value else int(value) for key, value in
                   (part.split('=') for part in trial.split(',') if part)}
        student = Student(start.clone()).to(device)
        train(student, texts, targets, groups, pairs, mined, Recipe(**{'steps': given.steps, **changes}))
        table = student.table.detach()[1:].float().cpu().numpy()
        weights, vectors = quantise(table)
        rebuilt = torch.from_numpy(weights[:, None].astype(np.float32) * vectors).to(device)
        whole = describe(material.by_student(student), corpus.held_out, corpus.held_out_pairs)
        student.table.data[1:] = rebuilt
        say(f'[{trial}] float {show(whole)}')
        say(f'[{trial}] 8 bit {show(describe(material.by_student(student), corpus.held_out, corpus.held_out_pairs))}')
        out = given.out.with_stem(f'{given.out.stem}-{number}') if len(given.trials) > 1 else given.out
        out.parent.mkdir(parents=True, exist_ok=True)
        write_model(out, given.name, words, corpus.folds, weights, vectors)
        say(f'{out} {out.stat().st_size} bytes')
    given.out.with_suffix('.words.txt').write_text('\n'.join(words), 'utf-8')


def make_vocabulary(corpus: Corpus, most: int) -> list[str]:
    every = [corpus.english, corpus.chinese, [t for p in corpus.pairs + corpus.others for t in p]]
    counts: Counter = Counter()
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(count_runs, list(part), corpus.folds) for texts in every for part in batched(texts, 50_000)]
        for job in jobs:
            counts.update(job.result())
    written = count_runs([t for group in corpus.dialogues for t in [*group['en'], *group['zh']]], corpus.folds)
    return build_vocabulary(counts, corpus.chinese_words, written, most)


class Material:
    """Texts with their teachers' vectors and their pieces."""

    def __init__(self, corpus: Corpus, words: list[str], teachers: dict[str, Teacher], cache: Path, device: str):
        self.corpus, self.words, self.teachers, self.device = corpus, words, teachers, device
        self.vocabulary = {word: row + 1 for row, word in enumerate(words)}
        dialogue = lambda language: [text for group in corpus.dialogues for text in group[language]]
        latin = [word for word in words if word.isascii()]
        han = [word for word in words if not word.isascii()]
        self.english = {
            'lines': corpus.english, 'pairs': [p[0] for p in corpus.pairs], 'others': [p[0] for p in corpus.others],
            'dialogues': dialogue('en'), 'words': latin,
        }
        self.chinese = {'lines': corpus.chinese, 'pairs': [p[1] for p in corpus.pairs], 'dialogues': dialogue('zh'), 'words': han}
        self.vectors = {}
        for language, teacher, kinds in (('en', 'minilm', self.english), ('zh', 'bge-zh', self.chinese)):
            for kind, texts in kinds.items():
                self.vectors[language, kind] = self.embedded(teachers[teacher], texts, cache / f'{language}-{kind}.npy')
                say(f'{teacher}: {kind}, {len(texts)}')

    def embedded(self, teacher: Teacher, texts: list[str], cache: Path) -> torch.Tensor:
        if cache.exists() and len(kept := np.load(cache, mmap_mode='r')) == len(texts):
            return torch.from_numpy(np.array(kept))
        vectors = teacher.embed(texts)
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.save(cache, vectors)
        return torch.from_numpy(vectors)

    def fit(self, dimension: int) -> Space:
        take = lambda *kinds: torch.cat([self.vectors[kind] for kind in kinds]).to(self.device)
        sample = lambda vectors: vectors[torch.randperm(len(vectors))[:200_000]].to(self.device)
        # Words are no sentences, but a map that never saw them sends them anywhere.
        pairs = (take(('en', 'pairs'), ('en', 'dialogues')), take(('zh', 'pairs'), ('zh', 'dialogues')))
        return fit_space(sample(self.vectors['en', 'lines']), sample(self.vectors['zh', 'lines']), pairs, dimension)

    def lessons(self, space: Space):
        """Piece rows and targets of every text, the ranges to draw from, the pairs that belong together, the start of the table."""
        english = lambda kind: project(space.english, self.vectors['en', kind], self.device)
        chinese = lambda kind: project(space.chinese, self.vectors['zh', kind], self.device)
        both = lambda kind: torch.nn.functional.normalize(english(kind).float() + chinese(kind).float(), dim=-1).half()
        parts = [
            (0.36, self.english['lines'], english('lines')),
            (0.28, self.chinese['lines'], chinese('lines')),
            (0.06, self.english['pairs'], both('pairs')),
            (0.08, self.chinese['pairs'], both('pairs')),
            (0.05, [p[1] for p in self.corpus.others], english('others')),
            (0.04, self.english['dialogues'], both('dialogues')),
            (0.04, self.chinese['dialogues'], both('dialogues')),
            (0.04, self.english['words'], english('words')),
            (0.05, self.chinese['words'], chinese('words')),
        ]
        rows, targets, groups, firsts = [], [], [], []
        first = 0
        for weight, texts, target in parts:
            rows.append(self.pieces(texts))
            targets.append(target)
            groups.append((weight, first, first + len(texts)))
            firsts.append(first)
            first += len(texts)
        _, _, en_pairs, zh_pairs, others, en_said, zh_said, _, _ = firsts
        pairs = [(en_pairs + i, zh_pairs + i) for i in range(len(self.corpus.pairs))]
        said = [
            (a, b)
            for group in range(len(self.corpus.dialogues))
            for three in [[en_said + 3 * group + i for i in range(3)] + [zh_said + 3 * group + i for i in range(3)]]
            for a in three for b in three if a < b
        ]
        # As many drawn from the dialogues as from the translations.
        pairs = pairs + said * max(1, len(pairs) // max(1, len(said)))
        frequency = torch.zeros(len(self.words) + 1)
        for part in rows:
            frequency += torch.bincount(part.flatten().int(), minlength=len(self.words) + 1)[: len(self.words) + 1]
        share = frequency[1:] / frequency[1:].sum()
        usual = (1e-3 / (1e-3 + share)).clamp_min(0.02)
        words = {word: v for word, v in zip(self.english['words'], english('words'))}
        words |= {word: v for word, v in zip(self.chinese['words'], chinese('words'))}
        start = torch.stack([words[word].float() for word in self.words]) * usual[:, None]
        move = lambda parts: torch.cat(parts).to(self.device)
        return move(rows), move(targets), groups, torch.tensor(pairs, device=self.device), start

    def pieces(self, texts: list[str]) -> torch.Tensor:
        with ProcessPoolExecutor(initializer=share_vocabulary, initargs=(self.vocabulary, self.corpus.folds)) as pool:
            return torch.cat([torch.from_numpy(rows.astype(np.int32)) for rows in pool.map(cut_many, batched(texts, 20_000))])

    def by_student(self, student: Student):
        def embed(texts: list[str], _language: str) -> torch.Tensor:
            share_vocabulary(self.vocabulary, self.corpus.folds)
            with torch.inference_mode():
                return student(torch.from_numpy(cut_many(texts).astype(np.int32)).to(self.device))
        return embed

    def by_teacher(self, space: Space):
        def embed(texts: list[str], language: str) -> torch.Tensor:
            raw = torch.from_numpy(self.teachers['minilm' if language == 'en' else 'bge-zh'].embed(texts)).to(self.device)
            return space.english(raw) if language == 'en' else space.chinese(raw)
        return embed


def project(onto, vectors: torch.Tensor, device: str) -> torch.Tensor:
    return torch.cat([onto(part.to(device)).half().cpu() for part in vectors.split(100_000)])


shared: tuple[dict[str, int], dict[int, int]] = ({}, {})


def share_vocabulary(vocabulary: dict[str, int], folds: dict[int, int]) -> None:
    global shared
    shared = (vocabulary, folds)


def cut_many(texts) -> np.ndarray:
    """Padded with 0; beyond LONGEST pieces a text is cut off, here only."""
    rows = np.zeros((len(texts), LONGEST), np.uint16)
    for row, text in enumerate(texts):
        ids = cut(text, *shared)[:LONGEST]
        rows[row, : len(ids)] = ids
    return rows


def batched(texts, size: int):
    rest = iter(texts)
    while part := list(islice(rest, size)):
        yield part


def show(figures: dict[str, float]) -> str:
    return '  '.join(f'{name} {value:.3f}' for name, value in figures.items())


def say(text: str) -> None:
    print(f'{time.time() - began:6.1f} s  {text}', flush=True)


if __name__ == '__main__':
    main()
