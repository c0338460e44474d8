"""Which words get a vector: those the corpus uses, in English and Chinese, and every character of the scripts around them."""

import re
from collections import Counter
from collections.abc import Iterable

from .pieces import CJK, segments, runs

HAN = re.compile('^[\u3400-\u4dbf\u4e00-\u9fff]+$')
KANA = re.compile('^[\u3040-\u30ff\u31f0-\u31ff]+$')
HANGUL = re.compile('^[\uac00-\ud7a3]+$')
IS_CJK = re.compile(f'^[{CJK}]')

ENGLISH_WORDS = 25_000
CHINESE_WORDS = 18_500
NUMBERS = 500
SYMBOLS = 90
BEGINNINGS = 2_000
KANA_WORDS = 700
KOREAN_WORDS = 900


def count_runs(lines: Iterable[str], folds: dict[int, int]) -> Counter:
    """Words as they are looked up. Mixed capitals (parseConfig, GitHub) count as their parts; what is written small elsewhere
    ("github") earns its own place there."""
    counts: Counter = Counter()
    for line in lines:
        for run in runs(line, folds):
            if not run.isascii() or run.islower() or run.isdigit() or run.isupper() or run.istitle() or not run.isalnum():
                counts[run.lower()] += 1
            else:
                counts.update(segments(run))
    return counts


def characters() -> list[str]:
    """ASCII, kana, the Hangul syllables of KS X 1001, the Han characters of GB 2312."""
    ascii_ones = [chr(code) for code in range(0x21, 0x7F) if not chr(code).isupper()]
    kana = [chr(code) for code in [*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC, 0x3005]]
    double_byte = lambda codec, rows: [
        character
        for high in rows
        for low in range(0xA1, 0xFF)
        if (character := bytes([high, low]).decode(codec, 'ignore')) and len(character) == 1
    ]
    return ascii_ones + kana + double_byte('euc_kr', range(0xB0, 0xC9)) + double_byte('gb2312', range(0xB0, 0xF8))


def build_vocabulary(counts: Counter, chinese: dict[str, int], written: Counter, most: int) -> list[str]:
    """`counts` are runs of the whole corpus, `written` those of the dialogues (what people say, so it counts more),
    `chinese` a dictionary's words with their frequency."""
    said = Counter(counts)
    for word, count in written.items():
        said[word] += 30 * count
    latin = [w for w, c in said.most_common() if w.isascii() and w[0].isalnum() and not w.isdigit() and 1 < len(w) <= 24 and c >= 5]
    numbers = [w for w, _ in said.most_common() if w.isdigit() and len(w) <= 6][:NUMBERS]
    symbols = [w for w, _ in said.most_common() if w.isascii() and not w[0].isalnum() and 1 < len(w) <= 3][:SYMBOLS]
    kana = [w for w, c in said.most_common() if KANA.match(w) and 2 <= len(w) <= 8 and c >= 3][:KANA_WORDS]
    korean = [w for w, c in said.most_common() if HANGUL.match(w) and 2 <= len(w) <= 5 and c >= 3][:KOREAN_WORDS]
    words = latin[:ENGLISH_WORDS]
    chosen = dict.fromkeys(
        characters() + numbers + symbols + kana + korean + words + beginnings(latin[ENGLISH_WORDS:], said, set(words))
    )
    frequent_han = [w for w, c in said.most_common() if HAN.match(w) and len(w) == 1 and c >= 3]
    chosen.update(dict.fromkeys(frequent_han))
    chosen.update(dict.fromkeys(chinese_words(said, chinese)))
    return list(chosen)[:most]


def chinese_words(said: Counter, dictionary: dict[str, int]) -> list[str]:
    """Dictionary words by how often the corpus says them (cut greedily, as the model will) and how often the language does."""
    known = {word: count for word, count in dictionary.items() if HAN.match(word) and 2 <= len(word) <= 5 and count >= 20}
    found: Counter = Counter()
    for run, count in said.items():
        if not IS_CJK.match(run):
            continue
        start = 0
        while start < len(run):
            for length in (5, 4, 3, 2):
                if run[start : start + length] in known and start + length <= len(run):
                    found[run[start : start + length]] += count
                    start += length
                    break
            else:
                start += 1
    here, everywhere = sum(found.values()) or 1, sum(known.values())
    score = {word: found[word] / here + 0.7 * known[word] / everywhere for word in known}
    return sorted(score, key=lambda word: -score[word])[:CHINESE_WORDS]


def beginnings(rare: list[str], said: Counter, words: set[str]) -> list[str]:
    """Frequent beginnings and endings of the words that did not make it: what they are cut into."""
    parts: Counter = Counter()
    for word in rare[:60_000]:
        for length in range(2, min(len(word), 7)):
            parts[word[:length]] += said[word] * length
            parts[word[-length:]] += said[word] * length
    return [part for part, _ in parts.most_common() if part not in words and part.isalpha()][:BEGINNINGS]
