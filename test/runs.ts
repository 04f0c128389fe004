import process from 'node:process';

/** In the fast project, whose tests are short. vitest.config.ts adds every file that imports this one to the slow project. */
export const IS_SHORT = process.env['TEST_PROJECT'] === 'fast';

/** How many random cases a test tries: a fifth of them in the fast project, all of them elsewhere. */
export function runs(all: number): number {
  return IS_SHORT ? Math.ceil(all / 5) : all;
}
