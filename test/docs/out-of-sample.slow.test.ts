import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outOfSamplePages } from '../../docs/generator/out-of-sample.ts';

const ROOT = join(import.meta.dirname, '../..');
const MINUTES_20 = 1_200_000;

it(
  'makes an out-of-sample page again, byte for byte',
  async () => {
    const [[path, text] = ['', '']] = await outOfSamplePages(['lmsr']);
    expect(path).toBe('docs/strategies/out-of-sample/lmsr.md');
    expect(readFileSync(join(ROOT, path), 'utf8'), 'run `npm run docs:out-of-sample`').toBe(text);
  },
  MINUTES_20,
);

it('lists every shipped strategy with the figures of its page', () => {
  const table = readFileSync(join(ROOT, 'docs/strategies/out-of-sample.md'), 'utf8');
  const rows = [...table.matchAll(/^\| \[(.+?)\]\(out-of-sample\/.+?\.md\) \| (.+?) \| (.+?) \|/gm)];
  expect(rows).toHaveLength(8);
  for (const [, name = '', before = '', test = ''] of rows) {
    const page = readFileSync(join(ROOT, `docs/strategies/out-of-sample/${name}.md`), 'utf8');
    expect(page).toContain(`| best trial | ${before} | ${test} |`);
    expect(readFileSync(join(ROOT, `strategies/${name}/README.md`), 'utf8')).toContain(`out-of-sample/${name}.md`);
  }
});
