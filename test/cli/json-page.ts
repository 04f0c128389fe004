/** The keys that docs/json.md names. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8');

/** The text of each section, by title. */
export function sectionsOfPage(): ReadonlyMap<string, string> {
  const [, ...sections] = PAGE.split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [title = '', ...rest] = section.split('\n');
      return [title, rest.join('\n')] as const;
    }),
  );
}

/** Expects that a section, or one of `others`, has each key of the printed value, at any depth, between backquotes. */
export function expectAllDocumented(title: string, printed: unknown, others: readonly string[] = []): void {
  const sections = sectionsOfPage();
  expectNamed([title, ...others].map((each) => sections.get(each) ?? '').join('\n'), printed);
}

/** Expects that a text has each key of the printed value, at any depth, between backquotes. */
export function expectNamed(text: string, printed: unknown): void {
  const named = new Set(
    [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []),
  );
  const keys = [...keysOf(printed)];
  expect(keys.length).toBeGreaterThan(0);
  expect([...new Set(keys)].filter((key) => !named.has(key))).toEqual([]);
}

/** Members whose keys the page does not list: types of commands, codes, or parameters of a strategy. */
const OPEN_ENDED: ReadonlySet<string> = new Set([
  'commands',
  'refused',
  'rejected',
  'refusedByRisk',
  'rejectedByVenue',
  'params',
]);

function* keysOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    if (!OPEN_ENDED.has(key)) yield* keysOf(member);
  }
}

/** Expects that the command's section names each key of the printed value, and of rows in its arrays. */
export function expectDocumented(command: string, printed: object): void {
  const [, section = ''] = PAGE.split(`\n## ${command}\n`);
  const named = new Set(/^[\s\S]*?(?=\n## |$(?![\s\S]))/.exec(section)?.[0].match(/[A-Za-z][A-Za-z0-9]*/g));
  const keys = Object.entries(printed).flatMap(([key, value]) => {
    const rows: unknown[] = Array.isArray(value) ? value : [];
    return [key, ...rows.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : []))];
  });
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !named.has(key))).toEqual([]);
}
