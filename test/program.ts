/** Paths of the program that tests and soaks start. Does not depend on the test framework. */
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
/** The program from source, which compiles 1,900 files at each start. */
const SOURCE_PROGRAM = join(ROOT, 'bin/halfspread.js');
/** The same program, bundled as in the published package. It starts in half the processor time. */
export const BUILT_FOLDER = join(ROOT, '.program');
export const BUILT_PROGRAM = join(BUILT_FOLDER, 'bin/halfspread.js');

/** Environment of a process that runs from source within fast tests, as in a checkout. */
export const FROM_SOURCE: NodeJS.ProcessEnv = { ...process.env, TEST_PROGRAM: SOURCE_PROGRAM };

/** Returns the program's path: the build of test/build-program.ts in fast tests, otherwise the source. */
export function programPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['TEST_PROGRAM'] ?? SOURCE_PROGRAM;
}
