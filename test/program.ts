/** Paths of the program that tests and soaks start. Does not import vitest: most soaks run without it. */
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
/** The program from source, which compiles 1,900 files at each start. */
const SOURCE_PROGRAM = join(ROOT, 'bin/halfspread.js');
/** The same program, bundled as in the published package. It starts in half the processor time. */
export const BUILT_FOLDER = join(ROOT, '.program');
export const BUILT_PROGRAM = join(BUILT_FOLDER, 'bin/halfspread.js');

/** Environment in which `programPath` returns the source, also in tests. */
export const FROM_SOURCE: NodeJS.ProcessEnv = { ...process.env, TEST_PROGRAM: SOURCE_PROGRAM };

/** Returns the program's path: in vitest the build of test/build-program.ts, otherwise the source. */
export function programPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['TEST_PROGRAM'] ?? SOURCE_PROGRAM;
}
