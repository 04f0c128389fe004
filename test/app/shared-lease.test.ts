import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, it, vi } from 'vitest';
import { whileImporting } from '../../src/app/shared-lease.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('refuses a second import of one name into one folder, and says who has it and what to do', async () => {
  vi.stubEnv('XDG_STATE_HOME', folder);
  await whileImporting('/tapes', 'match', async () => {
    await expect(whileImporting('/tapes', 'match', async () => 1)).rejects.toThrow(
      new RegExp(
        `process ${process.pid} on .* since .* \\(/tapes/match.tape\\) uses the import match into /tapes. Wait until it ends, or import into another folder`,
      ),
    );
    expect(await whileImporting('/tapes', 'other', async () => 2)).toBe(2);
    expect(await whileImporting('/elsewhere', 'match', async () => 3)).toBe(3);
  });
  expect(await whileImporting('/tapes', 'match', async () => 4)).toBe(4);
});

it('frees the name when the import fails', async () => {
  vi.stubEnv('XDG_STATE_HOME', folder);
  const failing = whileImporting('/tapes', 'match', () => Promise.reject(new Error('damaged')));
  await expect(failing).rejects.toThrow('damaged');
  expect(await whileImporting('/tapes', 'match', async () => 1)).toBe(1);
});
