import process from 'node:process';

/** True in the fast project. vitest.config.ts also adds every file that imports this module to the slow project. */
export const IS_SHORT = process.env['TEST_PROJECT'] === 'fast';

/** Returns the number of random cases: a fifth in the fast project, all elsewhere. */
export function runs(all: number): number {
  return IS_SHORT ? Math.ceil(all / 5) : all;
}
