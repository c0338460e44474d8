// The scale of long campaigns (crashes, faults, fuzzing): CONTINUO_CAMPAIGN multiplies how often they repeat. 1 is the everyday run.

export const campaignScale = parseScale(process.env.CONTINUO_CAMPAIGN);

/** The number of repetitions for this run, at least one. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * campaignScale));
}

function parseScale(text: string | undefined): number {
  const scale = Number(text ?? 1);
  if (!(scale > 0)) throw new Error(`CONTINUO_CAMPAIGN must be a number above 0, not "${text}".`);
  return scale;
}
