import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The kinds that the source passes to `alert` and `send`, or sends directly. */
function kindsIn(source: string): readonly string[] {
  return [...source.matchAll(/(?:\balert\(|\balerts\.send\(|\{ kind:)\s*'([a-z_]+)',/g)].map(([, kind = '']) => kind);
}

const SOURCES = globSync('src/{app,cli,ops}/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);
const PAGE = readFileSync(join(ROOT, 'docs/live.md'), 'utf8');
const [, TABLE = ''] = /^\| `kind` \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(PAGE) ?? [];

describe('the table of alerts in docs/live.md', () => {
  it('has a row for each kind that the source sends, and no other', () => {
    const sent = new Set(SOURCES.flatMap(kindsIn));
    const described = [...TABLE.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, kind]) => kind);
    expect(sent.size).toBeGreaterThan(5);
    expect([...described].sort()).toEqual([...sent].sort());
  });
});
