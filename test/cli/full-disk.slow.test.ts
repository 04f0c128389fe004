import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { killRun } from '../server/kill-run.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';
import { botKillRun } from './kill-run.ts';

const mounted: SmallDisk[] = [];
afterEach(() => {
  for (const disk of mounted.splice(0)) disk.unmount();
});

function smallDisk(skip: (reason: string) => never, megabytes: number): SmallDisk {
  const disk = SmallDisk.mount(megabytes) ?? skip(NO_SMALL_DISK);
  mounted.push(disk);
  return disk;
}

describe('a full disk', () => {
  it('ends a bot with exit code 3 and a remedy, and after space is freed the bot, its files and the venue agree', async ({
    skip,
  }) => {
    const disk = smallDisk(skip, 16);
    const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
    const { bots, orders, fills } = await botKillRun({ kills: 2, seed: 5, folder, disk });
    rmSync(folder, { recursive: true });
    expect(bots).toBe(2);
    expect(orders).toBeGreaterThan(0);
    expect(fills).toBeGreaterThan(0);
    // Three starts of two programs on a busy machine.
  }, 300_000);

  it('ends a venue with exit code 3 and a remedy, and after space is freed it has every acknowledged order', async ({
    skip,
  }) => {
    const disk = smallDisk(skip, 64);
    const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
    const { acknowledged, unknown } = await killRun({ kills: 2, seed: 9, folder: disk.folder, disk, sha256 });
    expect(acknowledged).toBeGreaterThan(0);
    expect(unknown).toBeGreaterThan(0);
    // Three starts of a program on a busy machine.
  }, 300_000);
});
