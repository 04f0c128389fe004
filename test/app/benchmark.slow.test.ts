import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { benchmark } from '../../src/app/benchmark.ts';
import { afterThisTest } from '../cleanup.ts';
import { newFolder } from '../cli/halfspread.ts';

it('an interrupted benchmark generates no further tape, and removes its tapes', async () => {
  const folder = newFolder();
  vi.stubEnv('TMPDIR', folder);
  const interruption = new AbortController();
  const interruptAfterFirstTape = setInterval(() => {
    if (readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.tape'))) interruption.abort();
  }, 1);
  afterThisTest.add(() => clearInterval(interruptAfterFirstTape));
  const options = { strategies: ['ladder'], regimes: undefined, rows: 1_000, workers: 1 };
  const running = benchmark({ ...options, signal: interruption.signal, onRun: () => expect.unreachable() });
  await expect(running).rejects.toMatchObject({ code: 'ABORTED', message: expect.stringContaining('generated') });
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);
