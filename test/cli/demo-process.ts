/** The demo as a process of its own, in a folder of its own. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterThisTest } from '../cleanup.ts';
import { start } from './halfspread.ts';

/** Starts of three processes on a machine that is busy with other tests. */
export const SLOW = 120_000;

/** In a folder of its own, with one for what is temporary in it. */
export function demoIn(folder: string, args: readonly string[]): ChildProcess {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const child = start(['demo', ...args], folder, [], { ...process.env, TMPDIR: temporary });
  afterThisTest.add(() => child.kill('SIGKILL'));
  return child;
}

/** What stands in the folder for what is temporary, apart from what Node keeps there. */
export function left(folder: string): readonly string[] {
  return readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('halfspread-demo'));
}
