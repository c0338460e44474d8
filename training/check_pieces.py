"""Compares how Python and TypeScript cut texts: python check_pieces.py MODEL WORDS prints the rows of each line read from stdin."""

import struct
import sys
from pathlib import Path

import numpy as np

from distil.pieces import cut

model, words = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]).read_text('utf-8').split('\n')
_format, dimension, rows, slots, folds, name_bytes, _seed = struct.unpack('<7I', model[16:44])
start = 16 + 28 + 32 + name_bytes + -name_bytes % 4 + slots * 6
table = dict(np.frombuffer(model, np.uint16, folds * 2, start).reshape(-1, 2).tolist())
vocabulary = {word: row for row, word in enumerate(words)}
for line in sys.stdin:
    print(*cut(line.rstrip('\n'), vocabulary, table))
