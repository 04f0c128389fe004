/** The keys that docs/json.md names. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8');

/** Expects that the command's section names each key of what it printed, and of the rows in it. */
export function expectDocumented(command: string, printed: object): void {
  const [, section = ''] = PAGE.split(`\n## ${command}\n`);
  const named = new Set(/^[\s\S]*?(?=\n## |$(?![\s\S]))/.exec(section)?.[0].match(/[A-Za-z]+/g));
  const keys = Object.entries(printed).flatMap(([key, value]) => {
    const rows: unknown[] = Array.isArray(value) ? value : [];
    return [key, ...rows.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : []))];
  });
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !named.has(key))).toEqual([]);
}
