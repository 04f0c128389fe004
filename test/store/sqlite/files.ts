/** Files of databases that go when the tests are over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** @returns makes names of files in a folder of their own */
export function databaseFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;
  return () => {
    count += 1;
    return join(folder, `${count}.db`);
  };
}
