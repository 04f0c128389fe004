import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'bench/notes/*.md', 'strategies/*/README.md'], { cwd: ROOT });

/** A file or folder of the project between backticks; `<name>` and `*` stand for names. */
const NAMED = /`((?:bench|config|docs|src|strategies|test)\/[\w./<>*-]*)`/g;
/** Programs write these, so a fresh clone has none. */
const WRITTEN = /^bench\/out\//;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Paths in a text that lead to nothing. A path with `<name>` or `*` counts up to the folder before it. */
function missing(text: string): readonly string[] {
  return [...text.matchAll(NAMED)]
    .map(([, path = '']) => path)
    .filter((path) => !WRITTEN.test(path) && !existsSync(join(ROOT, path.replace(/[^/]*[<*].*$/, ''))));
}

describe('files and folders that the documentation names', () => {
  it.each([
    ['a file that does not exist', 'src/risk/nothing' + '.ts', 1],
    ['a folder that does not exist', 'src/nothing' + '/', 1],
    ['a placeholder in a folder that does not exist', 'src/nothing' + '/<name>/a.ts', 1],
    ['a file that exists', 'src/risk/limits.ts', 0],
    ['a folder that exists', 'src/risk/', 0],
    ['a placeholder in a folder that exists', 'strategies/<name>/strategy.ts', 0],
    ['a pattern in a folder that exists', 'test/**/*.test.ts', 0],
  ])('are checked: %s', (_what, path, count) => {
    expect(missing(`See \`${path}\`.`)).toHaveLength(count);
  });

  it('are found in CONTRIBUTING.md', () => {
    expect([...read('CONTRIBUTING.md').matchAll(NAMED)].length).toBeGreaterThan(40);
  });

  it.each(PAGES)('%s names only files and folders that exist', (page) => {
    expect(missing(read(page))).toEqual([]);
  });
});

describe('the index of the documentation', () => {
  const index = read('docs/README.md');

  it.each(globSync('docs/*.md', { cwd: ROOT }).filter((page) => page !== 'docs/README.md'))('links %s', (page) => {
    expect(index).toMatch(new RegExp(`\\]\\(${page.replace('docs/', '')}[#)]`));
  });

  it('keeps tutorial, how-to guides, reference, explanation and pages for maintainers apart', () => {
    const sections = [...index.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(['Tutorial', 'How-to guides', 'Reference', 'Explanation', 'For maintainers']);
  });
});
