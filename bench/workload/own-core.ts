/**
 * Binds measured processes to their own core. In production, the venue is another machine. Without the binding, the
 * system sometimes gives the bot's core to the process that a write wakes. The time of the write then includes the
 * venue's time.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import process from 'node:process';

/**
 * Binds the main thread of this process to core 0, and other processes and this process's other threads to the rest.
 * @param others process ids
 * @returns false without Linux, `taskset` or two cores
 */
export function bindOwnCore(others: readonly (number | undefined)[]): boolean {
  const cores = availableParallelism();
  if (cores < 2) return false;
  const rest = cores === 2 ? '1' : `1-${cores - 1}`;
  const pinned = [...others, process.pid].map((pid) => spawnSync('taskset', ['-acp', rest, String(pid)]).status);
  pinned.push(spawnSync('taskset', ['-cp', '0', String(process.pid)]).status);
  return pinned.every((status) => status === 0);
}

/**
 * Binds all threads of another process to the last core, and this process to the rest, to measure the other process.
 * @returns a function that gives this process all cores again; undefined without Linux, `taskset` or two cores
 */
export function bindToOneCore(pid: number | undefined): (() => void) | undefined {
  const last = availableParallelism() - 1;
  if (last < 1) return undefined;
  const thisPid = String(process.pid);
  const statuses = [
    spawnSync('taskset', ['-acp', `0-${last - 1}`, thisPid]).status,
    spawnSync('taskset', ['-acp', String(last), String(pid)]).status,
  ];
  const free = (): void => void spawnSync('taskset', ['-acp', `0-${last}`, thisPid]);
  if (statuses.every((status) => status === 0)) return free;
  free();
  return undefined;
}
