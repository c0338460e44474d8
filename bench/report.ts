// What a benchmark says: figures for people, and for each promise a ratio with the bound it must keep.

export interface Figure {
  name: string;
  /** The measured ratio or value. */
  value: number;
  /** `>= 0.7`, `<= 2`: the promise. Without one the figure is only told. */
  bound?: { kind: 'at least' | 'at most'; value: number };
  /** The absolute values behind the ratio. */
  detail: string;
}

export function keepsBound({ value, bound }: Figure): boolean {
  if (!bound) return true;
  return bound.kind === 'at least' ? value >= bound.value : value <= bound.value;
}

export function formatFigure(figure: Figure): string {
  const { name, value, bound, detail } = figure;
  const mark = bound ? (keepsBound(figure) ? '✓' : '✗') : '·';
  const promise = bound ? `${bound.kind === 'at least' ? '≥' : '≤'} ${bound.value}` : '';
  return `${mark} ${name.padEnd(58)} ${value.toFixed(2).padStart(7)}  ${promise.padEnd(7)} ${detail}`;
}

export function rate(microseconds: number): string {
  return `${Math.round(1_000_000 / microseconds).toLocaleString('en')}/s`;
}

export function time(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds.toFixed(1)} µs` : `${(microseconds / 1000).toFixed(2)} ms`;
}
