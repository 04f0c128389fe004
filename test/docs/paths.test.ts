import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'bench/notes/*.md', 'strategies/*/README.md'], { cwd: ROOT });

/** A path of the project in backticks; `<name>` and `*` are placeholders. */
const PATH = /`((?:bench|config|docs|src|strategies|test)\/[\w./<>*-]*)`/g;
/** Files that programs write; a fresh clone does not contain them. */
const GENERATED = /^bench\/out\//;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the paths in a text that do not exist. Of a path with a placeholder, it checks the folder before. */
function missingPaths(text: string): readonly string[] {
  return [...text.matchAll(PATH)]
    .map(([, path = '']) => path)
    .filter((path) => !GENERATED.test(path) && !existsSync(join(ROOT, path.replace(/[^/]*[<*].*$/, ''))));
}

describe('missingPaths', () => {
  it.each([
    ['a file that does not exist', 'src/risk/nothing' + '.ts', 1],
    ['a folder that does not exist', 'src/nothing' + '/', 1],
    ['a placeholder in a folder that does not exist', 'src/nothing' + '/<name>/a.ts', 1],
    ['a file that exists', 'src/risk/limits.ts', 0],
    ['a folder that exists', 'src/risk/', 0],
    ['a placeholder in a folder that exists', 'strategies/<name>/strategy.ts', 0],
    ['a pattern in a folder that exists', 'test/**/*.test.ts', 0],
  ])('checks %s', (_case, path, count) => {
    expect(missingPaths(`See \`${path}\`.`)).toHaveLength(count);
  });

  it('recognises the paths in CONTRIBUTING.md', () => {
    expect([...read('CONTRIBUTING.md').matchAll(PATH)].length).toBeGreaterThan(40);
  });

  it.each(PAGES)('finds none in %s', (page) => {
    expect(missingPaths(read(page))).toEqual([]);
  });
});

describe('the index of the documentation', () => {
  const index = read('docs/README.md');

  it.each(globSync('docs/*.md', { cwd: ROOT }).filter((page) => page !== 'docs/README.md'))('links %s', (page) => {
    expect(index).toMatch(new RegExp(`\\]\\(${page.replace('docs/', '')}[#)]`));
  });

  it('has a section for tutorial, how-to guides, reference, explanation and maintainers', () => {
    const sections = [...index.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(['Tutorial', 'How-to guides', 'Reference', 'Explanation', 'For maintainers']);
  });
});
