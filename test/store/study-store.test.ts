import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { StudyStore } from '../../src/store/index.ts';

it('says what to do about a damaged study, and names no command that knows no studies', () => {
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
