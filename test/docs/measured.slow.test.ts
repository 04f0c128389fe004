/** Generates the pages again, including the tables of the strategies, which are backtests of the shipped recording. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../../docs/generator/pages.ts';

const ROOT = join(import.meta.dirname, '../..');

it('every generated page equals the output of `npm run docs`', { timeout: 600_000 }, async () => {
  for (const { path, text } of await pages(ROOT)) {
    expect(readFileSync(join(ROOT, path), 'utf8'), `${path} is out of date: npm run docs`).toBe(text);
  }
});
