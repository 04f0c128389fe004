/**
 * A core for the thread that is measured, as it has in life, where the venue is another machine: otherwise the system hands the
 * core over to whoever a write wakes, for milliseconds at times, and the time of the write is that of the venue.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import process from 'node:process';

/**
 * The main thread of this process on core 0; the other processes and its own helpers, which compile and collect garbage, on the rest.
 * @param others numbers of processes, as `ChildProcess.pid`
 * @returns whether it is so: it takes Linux with `taskset` and two cores
 */
export function ownCore(others: readonly (number | undefined)[]): boolean {
  const cores = availableParallelism();
  if (cores < 2) return false;
  const rest = cores === 2 ? '1' : `1-${cores - 1}`;
  const pinned = [...others, process.pid].map((pid) => spawnSync('taskset', ['-acp', rest, String(pid)]).status);
  pinned.push(spawnSync('taskset', ['-cp', '0', String(process.pid)]).status);
  return pinned.every((status) => status === 0);
}
