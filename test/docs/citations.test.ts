import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors } from './anchors.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = globSync(['{src,test,bench,strategies,docs}/**/*.{ts,js,json,md,yaml}', '*.md'], {
  cwd: ROOT,
  exclude: ['bench/out/**'],
});

/** A page by its path from the root of the project, with or without a heading. */
const CITATION = /(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g;
/** A page of the specification without its path, without a heading, or with the number of a section. */
const UNLINKED =
  /(?<!spec\/|\]\()\b(?:venue|models)\.md\b|(?<!\/)\bmodels \d+(?:\.\d+)?(?![\d,])|\bspec\/(?:venue|models)\.md(?!#[a-z]|[`)])/g;

/** What is wrong with the citations of a text. */
function faults(text: string): readonly string[] {
  const dead = [...text.matchAll(CITATION)]
    .map(([citation]) => citation)
    .filter((citation) => {
      const [path = '', anchor] = citation.split('#');
      const page = join(ROOT, path);
      return !existsSync(page) || (anchor !== undefined && !anchors(readFileSync(page, 'utf8')).includes(anchor));
    });
  return [...dead, ...[...text.matchAll(UNLINKED)].map(([citation]) => citation)];
}

describe('citations of the documentation', () => {
  it.each([
    ['a page that does not exist', 'docs/spec/nothing' + '.md#limits', 1],
    ['a heading that does not exist', 'docs/spec/venue' + '.md#nothing', 1],
    ['a page of the specification without its folder', 'see venue' + '.md 4', 1],
    ['a page of the specification without a heading', 'docs/spec/models' + '.md 4', 1],
    ['a section by its number', '(models' + ' 5.6)', 1],
    ['a heading that exists', 'docs/spec/venue.md#limits, docs/spec/models.md#worst-case', 0],
    ['a link to the page', "[the venue's rules](spec/venue.md)", 0],
  ])('are checked: %s', (_what, text, count) => {
    expect(faults(text)).toHaveLength(count);
  });

  it('lead to a heading that exists, in every file', () => {
    expect(FILES.length).toBeGreaterThan(1_000);
    const found = FILES.flatMap((file) =>
      faults(readFileSync(join(ROOT, file), 'utf8')).map((fault) => `${file}: ${fault}`),
    );
    expect(found).toEqual([]);
  });
});
