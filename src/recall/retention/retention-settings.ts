// What a person can say about tidying up, and whether it may happen without being asked for.
// Invariant: nothing goes on its own before the person either asked for it or saw a preview.
import { ContinuoError } from '../../model/error.ts';

export interface RetentionSettings {
  /**
   * Whether conversations are put into the trash without being asked for each time. Where the person said neither, it happens only
   * after a preview was seen.
   */
  enable?: boolean;
  /**
   * `old`: what was not used for `retentionDays`.
   * `similarity`: what stands nearly word for word in a newer conversation of the same project, and what was not used for
   * `retentionDays` and is like no other conversation, see `minSimilarity`.
   */
  strategy: 'old' | 'similarity';
  retentionDays: number;
  /** From 0 to 1. A conversation whose most similar other one is below this relates to nothing. */
  minSimilarity: number;
  /** So many of the newest stay, older ones go whatever the strategy says; 0 for no limit. */
  maxConversations: number;
  /** What was stored or used within so many days always stays. */
  minimumAgeDays: number;
}

export const defaultRetention: Readonly<RetentionSettings> = {
  strategy: 'old',
  retentionDays: 30,
  minSimilarity: 0.3,
  maxConversations: 0,
  minimumAgeDays: 7,
};

/** On whose word a plan is carried out. */
export interface RetentionConsent {
  /** The person saw this plan and said yes to it. */
  confirmed?: boolean;
  /** When the person was first shown what tidying up would do. */
  announcedAt?: number;
}

export const oneDay = 24 * 60 * 60 * 1000;

/** Why a plan may not be carried out; undefined where it may. */
export function reasonToWait(
  { enable }: Pick<RetentionSettings, 'enable'>,
  { confirmed, announcedAt }: RetentionConsent,
): 'disabled' | 'not-announced' | undefined {
  if (confirmed || enable === true) return undefined;
  if (enable === false) return 'disabled';
  return announcedAt === undefined ? 'not-announced' : undefined;
}

export function checkSettings(settings: RetentionSettings): void {
  const refuse = (reason: string) => new ContinuoError('invalid-input', { what: 'retention settings', reason });
  const { strategy, minSimilarity } = settings;
  if (strategy !== 'old' && strategy !== 'similarity') throw refuse('its strategy must be old or similarity');
  if (!(minSimilarity >= 0 && minSimilarity <= 1)) throw refuse('minSimilarity must be between 0 and 1');
  // A day at least, so that a slip of the hand does not empty the store.
  const least = { retentionDays: 1, maxConversations: 0, minimumAgeDays: 0 } as const;
  for (const name of ['retentionDays', 'maxConversations', 'minimumAgeDays'] as const) {
    const value = settings[name];
    if (!(Number.isFinite(value) && value >= least[name])) throw refuse(`${name} must be a number of at least ${least[name]}`);
  }
}
