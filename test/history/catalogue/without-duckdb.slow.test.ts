import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openTapeFolder, queryTapes } from '../../../src/history/index.ts';
import { KIND } from '../../../src/tape/index.ts';
import { scratchFolder, writeTape } from '../scratch.ts';

vi.mock('@duckdb/node-api', () => {
  throw new Error('Cannot find package');
});

it('a query without DuckDB fails with the command that installs it', async () => {
  const folder = scratchFolder();
  writeTape(join(folder, 'a.tape'), [
    { tx: 1, rx: 1, rows: [{ market: 0, kind: KIND.level, side: 0, price: 100, shares: 10_000 }] },
  ]);
  await expect(queryTapes(openTapeFolder(folder), 'SELECT 1', { maxRows: 1 })).rejects.toMatchObject({
    code: 'DUCKDB',
    message: expect.stringContaining('npm install @duckdb/node-api'),
  });
});
