// Answers in the making, at most one per conversation. A row keeps its size while its text grows into it, so that putting a draft
// again and again changes the few pages that differ, where they stand. Layout of `bytes`: see draft-table.ts.

export const name = 'drafts';

export const sql = `
CREATE TABLE drafts (
  conversation INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
);
`;
