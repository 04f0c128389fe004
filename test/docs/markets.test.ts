import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TRANSITIONS } from '../../src/exchange/markets/transitions.ts';

const PAGE = readFileSync(new URL('../../docs/markets.md', import.meta.url), 'utf8');

describe('docs/markets.md', () => {
  it('contains the table of transitions that the code defines', () => {
    const [, shown] = /<!-- transitions -->\n([\s\S]*?)<!-- \/transitions -->/.exec(PAGE) ?? [];
    expect(shown?.trim()).toBe(tableOf());
  });
});

function tableOf(): string {
  const rows = TRANSITIONS.map(({ from = '(new)', trigger, to, when, actor, note, orders, positions, data }) => {
    const next = from === to ? 'stays' : to;
    return [from, `\`${trigger}\``, next, when || 'always', `${actor}: ${note}`, orders, positions, data];
  });
  const head = ['From', 'Trigger', 'To', 'Condition', 'Actor: note', 'Orders', 'Positions', 'Record'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
