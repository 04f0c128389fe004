import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killRun } from './kill-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'killed-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a venue killed while it receives signed orders', () => {
  it('recovers every acknowledged order and the state of a replay, and accepts repeated orders once', async () => {
    const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
    const { acknowledged, cancelled, unknown, fromSnapshot } = await killRun({ kills: 3, seed: 7, folder, sha256 });
    expect(acknowledged).toBeGreaterThanOrEqual(3);
    expect(cancelled).toBeGreaterThan(0);
    expect(unknown).toBeGreaterThan(0);
    expect(fromSnapshot).toBeGreaterThan(0);
    // The time limit allows for four program starts on a busy machine.
  }, 180_000);
});
