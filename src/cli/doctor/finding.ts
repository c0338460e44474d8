// What the doctor says about one thing it looked at.

export type CheckName =
  | 'program'
  | 'home'
  | 'settings'
  | 'record'
  | 'permissions'
  | 'disk'
  | 'store'
  | 'writers'
  | 'due'
  | 'index'
  | 'sessions'
  | 'purges';

export interface Finding {
  check: CheckName;
  status: 'ok' | 'note' | 'problem' | 'fixed';
  /** Stable name of what is wrong; absent where all is well. */
  code?: string;
  message: string;
  /** What to do about it. */
  next?: string;
}
