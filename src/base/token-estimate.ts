// A quick guess at how many tokens a text costs, good enough for limits: one pass, no tokenizer, a little on the high side.

/** Latin letters and code come at about four characters a token; Chinese, Japanese and Korean at about one and a half. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x2e7f) wide += 1;
  return Math.ceil((text.length - wide) / 4 + wide / 1.5);
}
