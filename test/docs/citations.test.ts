import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors } from './anchors.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = globSync(['{src,test,bench,strategies,docs}/**/*.{ts,js,json,md,yaml}', '*.md'], {
  cwd: ROOT,
  exclude: ['bench/out/**'],
});

/** The path of a page from the root of the project, with or without an anchor. */
const CITATION = /(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g;
/** A citation of the specification without its path, without an anchor, or with a section number. */
const UNLINKED =
  /(?<!spec\/|\]\()\b(?:venue|models)\.md\b|(?<!\/)\bmodels \d+(?:\.\d+)?(?![\d,])|\bspec\/(?:venue|models)\.md(?!#[a-z]|[`)])/g;

/** Returns the invalid citations of a text. */
function invalidCitations(text: string): readonly string[] {
  const dead = [...text.matchAll(CITATION)]
    .map(([citation]) => citation)
    .filter((citation) => {
      const [path = '', anchor] = citation.split('#');
      const page = join(ROOT, path);
      return !existsSync(page) || (anchor !== undefined && !anchors(readFileSync(page, 'utf8')).includes(anchor));
    });
  return [...dead, ...[...text.matchAll(UNLINKED)].map(([citation]) => citation)];
}

describe('invalidCitations', () => {
  it.each([
    ['a page that does not exist', 'docs/spec/nothing' + '.md#limits', 1],
    ['a heading that does not exist', 'docs/spec/venue' + '.md#nothing', 1],
    ['a page of the specification without its folder', 'see venue' + '.md 4', 1],
    ['a page of the specification without a heading', 'docs/spec/models' + '.md 4', 1],
    ['a section by its number', '(models' + ' 5.6)', 1],
    ['a heading that exists', 'docs/spec/venue.md#limits, docs/spec/models.md#worst-case', 0],
    ['a link to the page', "[the venue's rules](spec/venue.md)", 0],
  ])('checks %s', (_case, text, count) => {
    expect(invalidCitations(text)).toHaveLength(count);
  });

  it('finds none in the project', () => {
    expect(FILES.length).toBeGreaterThan(1_000);
    const found = FILES.flatMap((file) =>
      invalidCitations(readFileSync(join(ROOT, file), 'utf8')).map((citation) => `${file}: ${citation}`),
    );
    expect(found).toEqual([]);
  });
});
