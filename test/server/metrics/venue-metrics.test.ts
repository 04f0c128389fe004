import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gauge } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { startVenue } from '../../../src/embed.ts';
import { createRegistry } from '../../../src/server/metrics/venue-metrics.ts';
import { afterThisTest } from '../../cleanup.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/metrics.md'), 'utf8');

it('a venue exports the metrics of docs/metrics.md with the documented type, labels and help text', async () => {
  const venue = await startVenue();
  afterThisTest.add(() => venue.close(0));
  // Creates the series of operations.
  const body = JSON.stringify({ query: '{ health { status } }' });
  await fetch(`${venue.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await (await fetch(`${venue.url}/metrics`)).text();
  const exported = [...text.matchAll(/^# TYPE (halfspread_\S+) (\S+)$/gm)].map(([, name = '', type]) => {
    const help = new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(text)?.[1];
    const labels = new RegExp(`^${name}\\{(.*)\\} `, 'm').exec(text)?.[1] ?? '';
    return [name, type, [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).join(', '), help];
  });
  expect(exported.length).toBeGreaterThan(25);
  const rows = [...PAGE.matchAll(/^\| `(halfspread_(?!bot_)\w+)` \| (\w+) \| ([^|]*) \| ([^|]+) \| [^|]+ \|$/gm)];
  const described = rows.map(([, name, type, labels = '', help = '']) => [
    name,
    type,
    labels.replaceAll('`', '').trim(),
    help.trim(),
  ]);
  expect(described.toSorted()).toEqual(exported.toSorted());
});

describe('the metrics of the process', () => {
  it('are collected once and shared, and metrics that a server adds are visible only there', () => {
    const [first, second] = [createRegistry(), createRegistry()];
    new Gauge({ name: 'of_one', help: 'A metric of one server.', registers: [first] });
    expect(second.getSingleMetric('of_one')).toBeUndefined();
    const collected = 'nodejs_gc_duration_seconds';
    expect(first.getSingleMetric(collected)).toBeDefined();
    expect(first.getSingleMetric(collected)).toBe(second.getSingleMetric(collected));
  });
});
