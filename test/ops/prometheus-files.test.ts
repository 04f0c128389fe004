/** The rules of ops/prometheus and the board of ops/grafana name only existing metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { botMetrics } from '../../src/ops/index.ts';
import { metricsSource } from './metrics-source.ts';

const OPS = join(import.meta.dirname, '../../ops');
const read = (file: string): string => readFileSync(join(OPS, file), 'utf8');
const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(z.object({ record: z.string().optional(), alert: z.string().optional(), expr: z.string() })),
    }),
  ),
});
const rulesTestSchema = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()).default([]) })),
    }),
  ),
});
const boardSchema = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(
    z.object({
      title: z.string(),
      datasource: z.object({ uid: z.string() }).optional(),
      targets: z.array(z.object({ expr: z.string(), datasource: z.object({ uid: z.string() }) })).default([]),
    }),
  ),
});
const rules = rulesSchema.parse(parse(read('prometheus/rules.yml'))).groups.flatMap((group) => group.rules);
const board = boardSchema.parse(JSON.parse(read('grafana/provisioning/dashboards/bots.json')));
const targets = board.panels.flatMap((panel) => panel.targets);

/** Names of halfspread's metrics in an expression. Names of recorded metrics start with a level. */
function metricsIn(expr: string): readonly string[] {
  return expr.match(/(?:\w+:)?halfspread_bot_\w+(?::\w+)?/g) ?? [];
}

async function knownMetrics(): Promise<ReadonlySet<string>> {
  const text = await botMetrics(metricsSource()).metrics();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...names, ...rules.flatMap(({ record = [] }) => record)]);
}

describe('rules for Prometheus and the board for Grafana', () => {
  it('name only metrics that a bot has, or that a rule records', async () => {
    const names = await knownMetrics();
    const used = [...rules, ...targets].flatMap(({ expr }) => metricsIn(expr));
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });

  it('have a test for each alert in which it fires, and one in which it does not', () => {
    const { tests } = rulesTestSchema.parse(parse(read('prometheus/rules.test.yml')));
    const cases = tests.flatMap((test) => test.alert_rule_test);
    const names = (fires: boolean): readonly string[] =>
      [
        ...new Set(cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname)),
      ].toSorted();
    const alerts = rules.flatMap(({ alert = [] }) => alert).toSorted();
    expect(alerts.length).toBeGreaterThan(10);
    expect(names(true)).toEqual(alerts);
    expect(names(false)).toEqual(alerts);
  });

  it('read the data source of the board from its variable', () => {
    expect(board.templating.list[0]).toEqual({ name: 'source', type: 'datasource' });
    for (const { datasource } of targets) expect(datasource.uid).toMatch(/^\$\{source\}$/);
  });
});
