import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { StudyStore } from '../../src/store/index.ts';

it('refuses a study with more trials than it can read, and states the maximum', () => {
  const folder = mkdtempSync(join(tmpdir(), 'study-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'large.study');
  StudyStore.open(file).close();
  const database = new Database(file);
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)';
  database.exec(`INSERT INTO trials ${numbers} SELECT i, '{}' FROM n`);
  database.close();
  const store = StudyStore.openReadOnly(file);
  onTestFinished(() => store.close());
  expect(() => store.trials()).toThrow('it has more than 300000 trials');
});

it('names a remedy for a damaged study, and no command that does not support studies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'study-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'damaged.study');
  StudyStore.open(file).close();
  writeFileSync(file, readFileSync(file).fill(7, 4_096));
  const read = (): unknown => {
    const store = StudyStore.openReadOnly(file);
    try {
      return store.identity();
    } finally {
      store.close();
    }
  };
  expect(read).toThrow(/malformed.*Put back a good copy of the file, or run the study again into a new one$/);
});
