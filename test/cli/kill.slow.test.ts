import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { botKillRun } from './kill-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'bot-killed-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a bot and its venue, killed at random moments', () => {
  it('agree after each recovery to the micro-unit, and leave nothing open at the end', async () => {
    const { bots, venues, both, fills, orders } = await botKillRun({ kills: 5, seed: 3, folder });
    expect(bots + venues + both).toBe(5);
    expect(orders).toBeGreaterThan(0);
    expect(fills).toBeGreaterThan(0);
    // Some ten starts of a program on a busy machine.
  }, 300_000);
});
