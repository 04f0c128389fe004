import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startVenue } from '../../../src/embed.ts';
import { afterThisTest } from '../../cleanup.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/metrics.md'), 'utf8');

it('the metrics of a venue are those of docs/metrics.md, with type, labels and meaning', async () => {
  const venue = await startVenue();
  afterThisTest.add(() => venue.close(0));
  // So that operations have series.
  const body = JSON.stringify({ query: '{ health { status } }' });
  await fetch(`${venue.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await (await fetch(`${venue.url}/metrics`)).text();
  const shown = [...text.matchAll(/^# TYPE (halfspread_\S+) (\S+)$/gm)].map(([, name = '', type]) => {
    const help = new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(text)?.[1];
    const labels = new RegExp(`^${name}\\{(.*)\\} `, 'm').exec(text)?.[1] ?? '';
    return [name, type, [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).join(', '), help];
  });
  expect(shown.length).toBeGreaterThan(25);
  const rows = [...PAGE.matchAll(/^\| `(halfspread_(?!bot_)\w+)` \| (\w+) \| ([^|]*) \| ([^|]+) \| [^|]+ \|$/gm)];
  const described = rows.map(([, name, type, labels = '', help = '']) => [
    name,
    type,
    labels.replaceAll('`', '').trim(),
    help.trim(),
  ]);
  expect(described.toSorted()).toEqual(shown.toSorted());
});
