// The first schema. `entries` is the log: rows are only ever added at its end, in one place, so that an append touches few pages.
// `positions` (where a conversation's entries are) and the counters in `conversations` follow it in batches; the `settled` row
// of `state` says how far, and its `epoch` counts the changes that are not appends. Never edit a migration that has been released: add the next one.

export const name = 'log';

export const sql = `
CREATE TABLE conversations (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key TEXT UNIQUE,
  title TEXT,
  project TEXT,
  team TEXT,
  agent TEXT,
  tags TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  policy TEXT NOT NULL,
  meta TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  active_at INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  origin TEXT,
  origin_seq INTEGER,
  trashed_at INTEGER,
  removed INTEGER NOT NULL DEFAULT 0,
  checksum INTEGER NOT NULL
);
CREATE INDEX conversations_by_activity ON conversations (active_at, id) WHERE trashed_at IS NULL;
CREATE INDEX conversations_by_project ON conversations (project, active_at, id) WHERE trashed_at IS NULL AND project IS NOT NULL;
CREATE INDEX conversations_by_agent ON conversations (agent, active_at, id) WHERE trashed_at IS NULL AND agent IS NOT NULL;
CREATE INDEX conversations_by_team ON conversations (team, active_at, id) WHERE trashed_at IS NULL AND team IS NOT NULL;
CREATE INDEX conversations_pinned ON conversations (active_at, id) WHERE pinned = 1;
CREATE INDEX conversations_in_trash ON conversations (active_at, id) WHERE trashed_at IS NOT NULL;
CREATE INDEX conversations_by_origin ON conversations (origin) WHERE origin IS NOT NULL;

CREATE TABLE tags (
  tag TEXT NOT NULL,
  conversation INTEGER NOT NULL,
  PRIMARY KEY (tag, conversation)
) WITHOUT ROWID;

CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  header TEXT NOT NULL,
  text TEXT,
  data TEXT,
  expires_at INTEGER,
  block INTEGER,
  checksum INTEGER NOT NULL
);
CREATE INDEX entries_expiring ON entries (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE positions (
  conversation INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  PRIMARY KEY (conversation, seq)
) WITHOUT ROWID;

CREATE TABLE blocks (
  number INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  bytes BLOB NOT NULL
);
CREATE INDEX blocks_by_conversation ON blocks (conversation);

CREATE TABLE leases (
  conversation TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  owner TEXT NOT NULL,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  acquired_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE state (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO state VALUES ('settled', 0), ('epoch', 0);
`;
