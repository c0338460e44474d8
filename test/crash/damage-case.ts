// One way to damage one file of a store, and what the trial found out about it.
import type { Conversation } from '../../src/model/conversation.ts';
import type { SubjectName } from '../support/store-subjects.ts';

export type DamageCase = { file: string; length: number } | { file: string; offset: number; mask: number };

export interface DamageInput {
  subject: SubjectName;
  /** The undamaged store; never opened itself. */
  pristine: string;
  /** Where each damaged copy is made and opened. */
  work: string;
  /** A file with the cases and one with the {@link Original}. */
  cases: string;
  original: string;
}

/** Everything the undamaged store returns. */
export interface Original {
  /** For each conversation every state its own data ever had, its entries, and every version of its draft, as JSON text. */
  conversations: { id: string; states: Conversation[]; entries: string[]; drafts: string[] }[];
}

export type DamageLine =
  | { begins: number }
  | {
      ends: number;
      /** What must never happen, one sentence each. */
      faults: string[];
      /** Codes of errors and of problems, from whatever was tried. */
      reports: string[];
      /** What of the original was not returned. */
      missing: string[];
      /** Whether what is returned is, in every conversation, the beginning of what was there. */
      isPrefix: boolean;
    };
