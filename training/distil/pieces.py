"""How a text becomes pieces: the Python twin of src/recall/embedders/static/pieces.ts.

Both must cut every text alike; training/check_pieces.py compares them on the corpus. In words:
NFKC; characters are folded (Latin letters lose their marks, traditional characters become simplified ones); runs of letters and digits, runs of CJK, runs of ASCII symbols. A run of letters and digits
is looked up as a whole in lower case; unknown ones are parted at digits and camelCase humps, and what is still unknown is cut
greedily into the longest known beginnings. CJK and symbols are cut greedily, too. What is in no vocabulary is left out.
"""

import re
import unicodedata

LONGEST_CJK = 8
LONGEST_SYMBOL = 3
LONGEST_SEGMENT = 24
SHORTEST_CODE = 6

CJK = '\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3'
RUN = re.compile(f'[A-Za-z0-9]+|[{CJK}]+|[!-/:-@\\[-`{{-~]+')
HUMP = re.compile('[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+')


def latin_folds() -> dict[int, int]:
    """Latin letters with marks to those without; the others of these blocks separate words."""
    folds = {}
    for code in [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]:
        base = unicodedata.normalize('NFD', chr(code))[0]
        if base.isascii() and base.isalpha():
            folds[code] = ord(base)
    return folds


def normal_text(text: str, folds: dict[int, int]) -> str:
    return text if text.isascii() else unicodedata.normalize('NFKC', text).translate(folds)


def runs(text: str, folds: dict[int, int]) -> list[str]:
    return RUN.findall(normal_text(text, folds))


def segments(run: str) -> list[str]:
    """The parts of an identifier, in lower case: parseHTTPResponse2 is parse, http, response, 2."""
    return [part.lower() for part in HUMP.findall(run)]


def cut(text: str, vocabulary: dict[str, int], folds: dict[int, int]) -> list[int]:
    pieces: list[int] = []
    for run in runs(text, folds):
        first = run[0]
        if first.isascii() and first.isalnum():
            whole = vocabulary.get(run.lower())
            if whole is not None:
                pieces.append(whole)
                continue
            before = len(pieces)
            for segment in segments(run):
                known = vocabulary.get(segment)
                if known is not None:
                    pieces.append(known)
                elif len(segment) <= LONGEST_SEGMENT:
                    greedy(segment, vocabulary, LONGEST_SEGMENT, pieces)
            # A hash or a key: its letters mean nothing, and those of any other one look alike.
            if len(run) >= SHORTEST_CODE and (len(pieces) - before) * 2 > len(run):
                del pieces[before:]
        else:
            greedy(run, vocabulary, LONGEST_SYMBOL if first.isascii() else LONGEST_CJK, pieces)
    return pieces


def greedy(run: str, vocabulary: dict[str, int], longest: int, pieces: list[int]) -> None:
    start = 0
    while start < len(run):
        for end in range(min(len(run), start + longest), start, -1):
            row = vocabulary.get(run[start:end])
            if row is not None:
                pieces.append(row)
                start = end
                break
        else:
            start += 1
