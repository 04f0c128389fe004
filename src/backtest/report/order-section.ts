/** The section about orders: counts, and reasons of rejections and refusals. */

import type { RunResult } from '../run-result.ts';
import { orderReasonsOf } from '../run-result.ts';
import { type Html, html } from './html.ts';
import { count } from './number-text.ts';
import { type Row, table } from './table.ts';

export function orderSection(result: RunResult): Html {
  const { placed, cancelled, reduced, rejected } = result.orders;
  const reasons = orderReasonsOf(result);
  const rows = [
    ...rowsOf('venue', reasons.rejected),
    ...rowsOf('own risk', reasons.refused),
    ...rowsOf('trading was stopped', reasons.stopped),
  ];
  const columns = [{ name: 'Code' }, { name: 'Source' }, { name: 'Count', numeric: true }];
  return html`<section>
<h2 id="orders">Orders</h2>
<p>${count(placed)} placed, ${count(cancelled)} cancelled, ${count(reduced)} reduced; ${count(rejected)} rejected by the venue,
${count(reasons.refusedCount)} refused by our own risk before they were sent.</p>
${
  rows.length === 0
    ? html``
    : html`${table('Why orders were rejected or refused', columns, rows)}
<p class="small muted">Each failed order or cancel of a replace counts separately. docs/backtesting.md says what to do about the
venue’s codes, docs/risk.md what each of ours compares.</p>`
}
</section>
`;
}

function rowsOf(by: string, counts: Readonly<Record<string, number>>): readonly Row[] {
  return Object.entries(counts).map(([code, times]) => ({
    cells: [code, by, count(times)],
  }));
}
