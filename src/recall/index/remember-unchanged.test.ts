import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { rememberUnchanged } from './remember-unchanged.ts';

it('asks again after a change, whoever made it, and not before', () => {
  const path = join(createTemporaryFolder('remember'), 'index.db');
  const [own, other] = [new Sqlite(path), new Sqlite(path)];
  own.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (name TEXT)');
  let asked = 0;
  const count = () =>
    rememberUnchanged(own, 'count', () => {
      asked += 1;
      return own.prepare('SELECT count(*) FROM things').pluck().get();
    });
  expect([count(), count(), asked]).toEqual([0, 0, 1]);
  own.exec("INSERT INTO things VALUES ('one')");
  expect([count(), count(), asked]).toEqual([1, 1, 2]);
  other.exec("INSERT INTO things VALUES ('two')");
  expect([count(), count(), asked]).toEqual([2, 2, 3]);
  expect(rememberUnchanged(own, 'another', () => 'answer')).toBe('answer');
  own.close();
  other.close();
});
