/** Without this test, a slice that matches no file would count as tested. */
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SLICES } from './slices.ts';

describe('the slices of mutation testing', () => {
  const patterns = Object.entries(SLICES).flatMap(([name, { mutate, tests }]) => {
    const sources = mutate.map((pattern) => pattern.replace(/^!/, ''));
    // Node's glob has no extended patterns: `@(a|b)` and `!(a|b)` are checked as `*`.
    return [...sources, ...tests.map((pattern) => pattern.replaceAll(/[@!]\([^)]*\)/g, '*'))].map((pattern) => [
      name,
      pattern,
    ]);
  });

  it.each(patterns)('%s: %s matches a file', (_, pattern = '') => {
    expect(globSync(pattern)).not.toEqual([]);
  });
});
