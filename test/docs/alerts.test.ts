import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALERT_KINDS } from '../../src/ops/index.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The kinds that the source passes to `alert` and `send`, or sends directly. */
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
  it('has a row for each kind, with its level', () => {
    const described = [...TABLE.matchAll(/^\| `([a-z_]+)` \|[^|]*\| ([a-z]+)/gm)].map(([, kind, level]) => [
      kind,
      level,
    ]);
    const levels = { ...ALERT_KINDS, quiet: 'the' };
    expect(Object.fromEntries(described)).toEqual(levels);
    expect(described).toHaveLength(Object.keys(ALERT_KINDS).length);
  });

  it('has no kind that the source does not send', () => {
    expect(new Set(SOURCES.flatMap(kindsIn))).toEqual(new Set(Object.keys(ALERT_KINDS)));
  });
});
