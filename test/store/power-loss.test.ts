import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { column } from '../../src/domain/index.ts';
import type { ExchangeCommand } from '../../src/exchange/command.ts';
import { FileJournal } from '../../src/store/file-journal.ts';
import { append, batch, save, snapshot } from '../contract/journal-contract.ts';
import { open, tick, transfer } from '../exchange/journal/words.ts';
import { CrashDisk } from './crash-disk.ts';
import { Run } from './run.ts';

/** What happens next: commands, the disk gets on, somebody wants a snapshot, an orderly restart, power is lost, the process alone dies. */
const anyAct = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -60, max: 60 }).map((amount) => ({ act: 'transfer', amount }) as const) },
  { weight: 1, arbitrary: fc.constant({ act: 'open' } as const) },
  { weight: 30, arbitrary: fc.constant({ act: 'step' } as const) },
  { weight: 1, arbitrary: fc.constant({ act: 'snapshot' } as const) },
  { weight: 1, arbitrary: fc.constant({ act: 'restart' } as const) },
  { weight: 2, arbitrary: fc.constant({ act: 'crash' } as const) },
  { weight: 1, arbitrary: fc.constant({ act: 'kill' } as const) },
);
const anyOptions = fc.record({
  segmentBytes: fc.integer({ min: 1, max: 400 }),
  snapshotEvery: fc.integer({ min: 0, max: 6 }),
  hashEvery: fc.integer({ min: 0, max: 3 }),
});

/** Does what waits until nothing does. */
async function settle(disk: CrashDisk): Promise<void> {
  do await disk.step();
  while (disk.waiting > 0);
}

describe('a loss of power', () => {
  it('at any moment, again and again, loses nothing that was acknowledged and makes nothing up', async () => {
    const seen = { crashes: 0, kills: 0, lost: 0, cuts: 0, snapshots: 0, dropped: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAct, { maxLength: 100, size: 'max' }),
        anyOptions,
        // Doubles of fast-check are mostly at the edges of their range.
        fc.nat().map((seed) => seededRandom(seed).uniform),
        async (acts, options, draw) => {
          let disk = new CrashDisk();
          let run = await Run.start(disk, options);
          let time = 0;
          const begin = async (): Promise<void> => {
            const { acknowledged, hashes, exchange } = run;
            seen.lost += exchange.sequence > acknowledged ? 1 : 0;
            run = await Run.start(disk, options, hashes);
            const { journal, recovery } = run;
            expect(journal.last).toBeGreaterThanOrEqual(acknowledged);
            expect(recovery.machine.stateHash()).toBe(hashes[journal.last]);
            expect(recovery.notes).toEqual([]);
            seen.cuts += journal.cut === undefined ? 0 : 1;
            seen.snapshots += recovery.snapshot > 0 ? 1 : 0;
            seen.dropped += journal.first > 1 ? 1 : 0;
            disk.isWaiting = true;
          };
          disk.isWaiting = true;
          for (const each of acts) {
            time += 1;
            if (each.act === 'transfer') run.apply(transfer(each.amount, time));
            else if (each.act === 'open') run.apply(open(time));
            else if (each.act === 'step') await disk.step();
            else if (each.act === 'snapshot') run.exchange.snapshot();
            else if (each.act === 'restart') {
              await settle(disk);
              expect(run.acknowledged).toBe(run.exchange.sequence);
              disk.isWaiting = false;
              await run.journal.close();
              await begin();
              expect(run.journal.cut).toBeUndefined();
            } else if (each.act === 'kill') {
              seen.kills += 1;
              await disk.kill();
              await begin();
            } else {
              seen.crashes += 1;
              disk = disk.crash(draw);
              await begin();
            }
            expect(run.faults).toEqual([]);
          }
        },
      ),
      { numRuns: 600 },
    );
    // What this is about has happened, each of it often.
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(20);
  });

  it('leaves what was acknowledged on a disk that keeps nothing it need not', async () => {
    const disk = new CrashDisk();
    const run = await Run.start(disk, {});
    disk.isWaiting = true;
    run.apply(open());
    await settle(disk);
    expect(run.acknowledged).toBe(1);
    const again = await Run.start(
      disk.crash(() => 0),
      {},
      run.hashes,
    );
    expect(again.journal.last).toBe(1);
  });
});

describe('a killed process', () => {
  it('leaves a batch that it did not make durable: the next one does before it adds to it, and power may go', async () => {
    const disk = new CrashDisk();
    const killed = await Run.start(disk, {});
    killed.apply(open());
    await killed.settled();
    disk.isWaiting = true;
    killed.apply(transfer(5));
    for (let steps = 0; steps < 2; steps++) await disk.step();
    await disk.kill();
    const next = await Run.start(disk, {}, killed.hashes);
    expect(next.journal.last).toBe(2);
    next.apply(transfer(7));
    await next.settled();
    const last = await Run.start(
      disk.crash(() => 0),
      {},
      next.hashes,
    );
    expect(last.recovery.machine.stateHash()).toBe(next.hashes[3]);
  });
});

describe('a snapshot', () => {
  it('that is told durable is there on a disk that keeps nothing it need not', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk);
    await append(journal, batch(1, 2));
    await save(journal, snapshot(2));
    const again = await FileJournal.open(disk.crash(() => 0));
    expect(again.snapshots).toEqual([2]);
    expect(again.readSnapshot(2).hash).toBe(snapshot(2).hash);
  });
});

describe('a journalled exchange on files', () => {
  it('applies nothing more once the disk has failed', async () => {
    const disk = new CrashDisk();
    const run = await Run.start(disk, {});
    run.apply(open());
    await run.settled();
    disk.failure = { at: 'sync', code: 'EIO' };
    run.apply(transfer(5));
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.faults).toEqual([expect.stringContaining('failed (EIO)')]);
    expect(run.acknowledged).toBe(1);
    const later: ExchangeCommand = { ...tick(3), time: column.time(1) };
    expect(() => run.apply(later)).toThrow('failed (EIO)');
  });
});
