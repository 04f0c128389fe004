/** Compares the overview page with the pages of the strategies; `npm run soak:out-of-sample` generates them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('the overview lists every shipped strategy with the figures of its page', () => {
  const table = readFileSync(join(ROOT, 'docs/strategies/out-of-sample.md'), 'utf8');
  const rows = [...table.matchAll(/^\| \[(.+?)\]\(out-of-sample\/.+?\.md\) \| (.+?) \| (.+?) \|/gm)];
  expect(rows).toHaveLength(8);
  for (const [, name = '', before = '', test = ''] of rows) {
    const page = readFileSync(join(ROOT, `docs/strategies/out-of-sample/${name}.md`), 'utf8');
    expect(page).toContain(`| best trial | ${before} | ${test} |`);
    expect(readFileSync(join(ROOT, `strategies/${name}/README.md`), 'utf8')).toContain(`out-of-sample/${name}.md`);
  }
});
