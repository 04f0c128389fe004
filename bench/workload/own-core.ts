/**
 * A core for what is measured. The thread of a bot has one as in life, where the venue is another machine: otherwise the system
 * hands the core over to the process that a write wakes, for milliseconds at times, and the time of the write is that of the venue.
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

/**
 * All threads of another process on the last core, this process on the rest: how much that process does with one core for everything.
 * @returns gives this process all cores again; undefined where it is not so, which takes Linux with `taskset` and two cores
 */
export function oneCoreFor(pid: number | undefined): (() => void) | undefined {
  const last = availableParallelism() - 1;
  if (last < 1) return undefined;
  const own = String(process.pid);
  const statuses = [
    spawnSync('taskset', ['-acp', `0-${last - 1}`, own]).status,
    spawnSync('taskset', ['-acp', String(last), String(pid)]).status,
  ];
  const free = (): void => void spawnSync('taskset', ['-acp', `0-${last}`, own]);
  if (statuses.every((status) => status === 0)) return free;
  free();
  return undefined;
}
