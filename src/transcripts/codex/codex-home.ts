// Names of what lies in Codex's home.

export const sessionsFolder = 'sessions';
/** The last line of a session counts: `{id, thread_name, updated_at}`. */
export const titleIndex = 'session_index.jsonl';
