import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { botKillRun } from './kill-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'bot-killed-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a bot and its venue, killed at random moments', () => {
  it('agree to the micro-unit after each recovery and leave no open order at the end', async () => {
    const { bots, venues, both, fills, orders } = await botKillRun({ kills: 3, seed: 54, folder });
    // This seed kills the bot once, the venue once, and both together once.
    expect({ bots, venues, both }).toEqual({ bots: 1, venues: 1, both: 1 });
    expect(orders).toBeGreaterThan(0);
    expect(fills).toBeGreaterThan(0);
    // Enough for about ten program starts on a busy machine.
  }, 300_000);
});
