import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALERT_KINDS } from '../../src/ops/alerts/alert.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the kinds that a source file passes to `alert` or `send`, or puts into an alert object. */
function kindsIn(source: string): readonly string[] {
  return [...source.matchAll(/(?:\balert\(|\balerts\??\.send\(|\{ kind:)\s*'([a-z_]+)',/g)].map(
    ([, kind = '']) => kind,
  );
}

const SOURCES = globSync('src/{app,cli,ops}/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);
const PAGE = readFileSync(join(ROOT, 'docs/alerts.md'), 'utf8');
const [, TABLE = ''] = /^\| `kind` \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(PAGE) ?? [];

describe('the table of alerts in docs/alerts.md', () => {
  it('has one row with the level for each kind', () => {
    const described = [...TABLE.matchAll(/^\| `([a-z_]+)` \|[^|]*\| ([a-z]+)/gm)].map(([, kind, level]) => [
      kind,
      level,
    ]);
    // The level of `quiet` is a phrase that begins with "the".
    const levels = { ...ALERT_KINDS, quiet: 'the' };
    expect(Object.fromEntries(described)).toEqual(levels);
    expect(described).toHaveLength(Object.keys(ALERT_KINDS).length);
  });

  it('contains exactly the kinds that the source sends', () => {
    expect(new Set(SOURCES.flatMap(kindsIn))).toEqual(new Set(Object.keys(ALERT_KINDS)));
  });
});
