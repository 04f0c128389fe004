import process from 'node:process';

/**
 * How many random cases a test tries: a fifth of them in the fast project, all of them elsewhere. vitest.config.ts adds
 * every file that imports this one to the slow project.
 */
export function runs(all: number): number {
  return process.env['TEST_PROJECT'] === 'fast' ? Math.ceil(all / 5) : all;
}
