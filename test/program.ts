/** Where tests start the program from, without anything of a test framework: soaks start it too. */
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
/** Resolves and compiles 1,900 files at each start. */
const SOURCE_PROGRAM = join(ROOT, 'bin/halfspread.js');
/** The same program, bundled as in the published package: it starts in half the processor time. */
export const BUILT_FOLDER = join(ROOT, '.program');
export const BUILT_PROGRAM = join(BUILT_FOLDER, 'bin/halfspread.js');

/** Environment of a process that runs from source within fast tests, as in a checkout. */
export const FROM_SOURCE: NodeJS.ProcessEnv = { ...process.env, TEST_PROGRAM: SOURCE_PROGRAM };

/** Path of the program: in fast tests the one that test/build-program.ts builds, else the source. */
export function programPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['TEST_PROGRAM'] ?? SOURCE_PROGRAM;
}
