import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { recover } from '../../src/exchange/index.ts';
import { FileJournal, NodeDisk } from '../../src/store/index.ts';
import { TinyMachine } from '../exchange/journal/tiny-machine.ts';

const CHILD = join(import.meta.dirname, 'appending-child.ts');
const folder = mkdtempSync(join(tmpdir(), 'killed-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a child on the folder and kills it when it has said so many lines; answers all that it said. */
async function killedAfter(lines: number, seed: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [CHILD, folder, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (said.length === lines) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
  return said;
}

describe('a process killed while it appends', () => {
  it('has after each of many deaths what it acknowledged, in the state that it was in', async () => {
    const hashes = new Map<number, string>();
    let acknowledged = 0;
    for (const [seed, lines] of [1, 2, 40, 300, 900, 5, 600].entries()) {
      const said = await killedAfter(lines, seed);
      expect(said.length).toBeGreaterThanOrEqual(lines);
      for (const line of said) {
        const [what, record, hash] = line.split(' ');
        if (what === 'a' && hash !== undefined) hashes.set(Number(record), hash);
        // The last line may have been cut by death: then it is no number that counts.
        if (what === 'd' && line !== said.at(-1)) acknowledged = Math.max(acknowledged, Number(record));
      }
      const journal = await FileJournal.open(new NodeDisk(folder));
      const { machine, notes } = recover({ journal, fresh: () => new TinyMachine(), restore: TinyMachine.restore });
      expect(journal.last).toBeGreaterThanOrEqual(acknowledged);
      expect(machine.stateHash()).toBe(journal.last === 0 ? new TinyMachine().stateHash() : hashes.get(journal.last));
      expect(notes).toEqual([]);
      await journal.close();
    }
    // Of a life's lines all but the last few commands come in pairs.
    expect(acknowledged).toBeGreaterThan(500);
    // Seven processes on a busy machine.
  }, 180_000);

  it('keeps others out while it lives, and nobody when it is dead', async () => {
    const child = spawn(process.execPath, [CHILD, folder, '77'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    expect(() => new NodeDisk(folder)).toThrow(/another process has the folder/);
    child.stdout.resume();
    child.kill('SIGKILL');
    await closed;
    new NodeDisk(folder).close();
  });
});
