import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, it, vi } from 'vitest';
import { sharedLeasePath, withFileLease } from '../../src/app/shared-lease.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('refuses a second user of a file, and names the first user and a remedy', async () => {
  vi.stubEnv('XDG_STATE_HOME', folder);
  await withFileLease('/tapes/match.tape', 'Wait', async () => {
    await expect(withFileLease('/tapes/match.tape', 'Wait', async () => 1)).rejects.toThrow(
      new RegExp(`process ${process.pid} on .* since .* \\(/tapes/match.tape\\) uses the file /tapes/match.tape. Wait`),
    );
    expect(await withFileLease('/tapes/other.tape', 'Wait', async () => 2)).toBe(2);
    expect(await withFileLease('/elsewhere/match.tape', 'Wait', async () => 3)).toBe(3);
  });
  expect(await withFileLease('/tapes/match.tape', 'Wait', async () => 4)).toBe(4);
});

it('frees the file when the work fails', async () => {
  vi.stubEnv('XDG_STATE_HOME', folder);
  const failing = withFileLease('/tapes/match.tape', 'Wait', () => Promise.reject(new Error('damaged')));
  await expect(failing).rejects.toThrow('damaged');
  expect(await withFileLease('/tapes/match.tape', 'Wait', async () => 1)).toBe(1);
});

it.each(['', 'state'])('keeps leases in the home folder when XDG_STATE_HOME is "%s"', (state) => {
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_STATE_HOME', state);
  expect(dirname(sharedLeasePath('account'))).toBe(join(folder, '.local/state/halfspread'));
});
