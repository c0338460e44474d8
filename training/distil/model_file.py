"""The artefact: 8-bit vectors with a whole-number weight a row, found by the 32-bit hash of a word. No strings are in it.

Layout (little endian), read by src/recall/embedders/static/model-file.ts:
  'continuo-static\\0' | u32 format, dimension, rows, slots, folds, name bytes, seed | sha-256 of all that follows | name, padded to 4
  u32 hash[slots] (0: empty) | u16 row[slots] | u16 fold[folds][2] | u8 weight[rows], padded to 4 | i8 vector[rows][dimension]
"""

import hashlib
import struct
from pathlib import Path

import numpy as np

FORMAT = 1


def quantise(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row is about weight * vector: the weight so that the largest value just fits into 8 bits."""
    peak = np.abs(table).max(1)
    step = np.quantile(peak, 0.9995) / 255
    weights = np.clip(np.ceil(peak / step), 1, 255)
    vectors = np.clip(np.rint(table / (weights * step / 127)[:, None]), -127, 127)
    return weights.astype(np.uint8), vectors.astype(np.int8)


def hash_word(word: str, seed: int) -> int:
    """FNV-1a over UTF-16 code units, mixed at the end; never 0, which marks an empty slot."""
    value = 0x811C9DC5 ^ seed
    for unit in struct.unpack(f'<{len(word.encode("utf-16-le")) // 2}H', word.encode('utf-16-le')):
        value = ((value ^ unit) * 0x01000193) & 0xFFFFFFFF
    value ^= value >> 15
    return value or 1


def write_model(path: Path, name: str, words: list[str], folds: dict[int, int], weights: np.ndarray, vectors: np.ndarray) -> None:
    rows, dimension = vectors.shape
    assert rows == len(words) < 65536
    slots = 1 << (2 * rows - 1).bit_length() if rows * 2 > 1 << 16 else 1 << 16
    seed = next(seed for seed in range(1000) if len({hash_word(word, seed) for word in words}) == rows)
    hashes, places = np.zeros(slots, np.uint32), np.zeros(slots, np.uint16)
    for row, word in enumerate(words):
        value = hash_word(word, seed)
        slot = value & (slots - 1)
        while hashes[slot]:
            slot = (slot + 1) & (slots - 1)
        hashes[slot], places[slot] = value, row
    fold_table = np.array(sorted(folds.items()), np.uint16).reshape(-1, 2)
    pad = lambda raw: raw + b'\0' * (-len(raw) % 4)
    title = name.encode()
    body = b''.join(
        [pad(title), hashes.tobytes(), places.tobytes(), fold_table.tobytes(), pad(weights.tobytes()), vectors.tobytes()]
    )
    head = b'continuo-static\0' + struct.pack('<7I', FORMAT, dimension, rows, slots, len(fold_table), len(title), seed)
    path.write_bytes(head + hashlib.sha256(body).digest() + body)
