import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SqliteStore } from '../../../src/store/index.ts';
import { killAfterLines } from '../killed-child.ts';
import { assertAgreement } from './agreement.ts';
import { databaseFiles } from './files.ts';
import { openHarness } from './harness.ts';

const CHILD = new URL('./trading-child.ts', import.meta.url);
const file = databaseFiles();
const HASH_DIGITS = 16;

describe('a venue process that is killed while it trades', () => {
  it('has every acknowledged command, consistent rows and its last state after each of ten kills', async () => {
    const name = file();
    const hashes = new Map<number, string>();
    const received = { record: 0, order: 0, change: 0 };
    let [lastPrinted, compared] = [0, 0];
    for (let run = 0; run < 10; run += 1) {
      const lines = await killAfterLines(CHILD, [name, String(run)], [1, 3, 50, 200, 400][run % 5] ?? 1);
      for (const line of lines) {
        const [kind, number, other] = line.split(' ');
        // The last line may be incomplete, so its number is ignored.
        if (line === lines.at(-1) && other?.length !== HASH_DIGITS) continue;
        if (kind === 'a' && other !== undefined) {
          hashes.set(Number(number), other);
          lastPrinted = Number(number);
        }
        if (line === lines.at(-1)) continue;
        if (kind === 'd') [received.record, received.order] = [Number(number), Number(other)];
        if (kind === 'r') received.change = Number(number);
      }
      const harness = openHarness({ file: name, thread: false });
      const { store, recovery, machine } = harness;
      const { view } = recovery.machine;
      expect(store.journal.last).toBeGreaterThanOrEqual(received.record);
      expect(view.orderCount).toBeGreaterThanOrEqual(received.order);
      if (received.order > 0) expect(store.archive.order(received.order)?.order).toBe(received.order);
      expect(Number(store.registry.find('setting', 'changes') ?? 0)).toBeGreaterThanOrEqual(received.change);
      const hash = hashes.get(store.journal.last);
      if (hash !== undefined) {
        expect(machine.stateHash()).toBe(hash);
        compared += 1;
        // The file may have a record that the killed process had not printed.
      } else if (store.journal.last > 0) expect(store.journal.last).toBe(lastPrinted + 1);
      expect(recovery.notes).toEqual([]);
      assertAgreement(store.archive, view);
      // The next process reuses the numbers of lost commands.
      for (const record of hashes.keys()) if (record > store.journal.last) hashes.delete(record);
      lastPrinted = store.journal.last;
      await store.close();
    }
    expect(compared).toBeGreaterThan(5);
    expect(received.record).toBeGreaterThan(250);
    expect(received.change).toBeGreaterThan(25);
    // Ten processes on a busy machine.
  }, 300_000);

  it('locks out other writers only while it runs', async () => {
    const name = file();
    const child = spawn(process.execPath, [fileURLToPath(CHILD), name, '77'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    expect(() => SqliteStore.open({ file: name })).toThrow(`process ${child.pid} uses it. Stop that process first`);
    child.stdout.resume();
    child.kill('SIGKILL');
    await closed;
    await SqliteStore.open({ file: name }).close();
  });
});
