import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterThisTest } from '../cleanup.ts';
import { start } from './halfspread.ts';

/** Timeout in ms for three starts on a machine that is busy with other tests. */
export const START_TIMEOUT_MS = 120_000;

/** Starts the demo in `folder`. Its temporary files go to `folder/tmp`. */
export function startDemo(folder: string, args: readonly string[]): ChildProcess {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const child = start(['demo', ...args], folder, [], { ...process.env, TMPDIR: temporary });
  afterThisTest.add(() => child.kill('SIGKILL'));
  return child;
}

/** The demo's entries in the folder of temporary files. */
export function leftoverFiles(folder: string): readonly string[] {
  return readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('halfspread-demo'));
}
