/** Shows the P&L in two ways: by its causes against the mark, and by cost basis as the ledger books it. */
import { markNote, type PnlResult, type RunResult, type SplitResult } from '../run-result.ts';
import { splitChart } from './bar-charts.ts';
import { type ChartRenderer, figure } from './drawing.ts';
import { type Html, html, longTextColumn, numberColumns, type Row, table } from './html.ts';
import { count, exactUsd, shares } from './number-text.ts';

const COLUMNS = ['Part', ...numberColumns('USD'), longTextColumn('What it is')];

export function pnlSection({ pnl, split, strategies, models }: RunResult, renderChart: ChartRenderer): Html {
  const { totalMicros: total } = pnl;
  const note = markNote(models);
  return html`<section>
<h2 id="pnl">Where the P&amp;L came from</h2>
${figure(renderChart, splitChart(split, total), 'Each bar starts at the end of the previous bar. All figures are in the first table below.')}
${table(`By cause, measured against the mark (the ${models.mark})`, COLUMNS, causeRows(split, total))}
${table(`By cost basis, as the ledger books it${note}`, COLUMNS, costBasisRows(pnl))}
${strategyTable(strategies, note)}
<p class="small muted">Both tables end in the same total, to the last micro-dollar. The settlement rows differ: the first
table compares the payout with the last <em>mark</em>, and the second table compares the payout with the <em>cost</em>.
Never add a row of one table to a row of the other table.</p>
</section>
`;
}

function strategyTable(strategies: RunResult['strategies'], note: string): Html {
  if (strategies.length < 2) return html``;
  return table(
    `By the strategy whose orders traded, before commission${note}`,
    ['Strategy', ...numberColumns('USD', 'Fills', 'Shares')],
    strategies.map((each) => [each.name, exactUsd(each.pnlMicros), count(each.fills), shares(each.shares)]),
  );
}

function causeRows(split: SplitResult, total: number): readonly Row[] {
  return [
    row('Spread', split.spreadMicros, 'Distances of the fills’ prices from the mid just before each fill'),
    row('Inventory', split.inventoryMicros, 'Changes of the mid while shares were held'),
    row('Settlement', split.settlementMicros, 'Payout less the last mark'),
    row('Fees', split.feesMicros, 'Fees of fills, and commission on net winnings'),
    row(
      'Rewards',
      split.rewardsMicros,
      'Rebates and liquidity rewards that the venue pays makers, booked when the run is over',
    ),
    row('Rounding', split.roundingMicros, 'Remainder of the parts, which are rounded down to micro-dollars'),
    { kind: 'sum', cells: ['Total', exactUsd(total), 'The six parts added up'] },
  ];
}

function costBasisRows(pnl: PnlResult): readonly Row[] {
  const traded = pnl.realizedMicros - pnl.feesMicros - pnl.settlementMicros;
  return [
    row('Realized', pnl.realizedMicros, 'Proceeds less average cost of the sold shares, after fees'),
    part('of which trading', traded, 'Sales and merges against cost'),
    part('of which settlement', pnl.settlementMicros, 'Payout against cost'),
    part('of which fees', pnl.feesMicros - pnl.commissionMicros, 'Fees of fills'),
    part('of which commission', pnl.commissionMicros, 'On net winnings of a market'),
    row('Unrealized', pnl.unrealizedMicros, 'Holdings at the mark, less their cost'),
    { kind: 'sum', cells: ['Total', exactUsd(pnl.totalMicros), 'Realized and unrealized'] },
  ];
}

function row(name: string, micros: number, meaning: string): Row {
  return [name, exactUsd(micros), meaning];
}

function part(name: string, micros: number, meaning: string): Row {
  return { kind: 'part', cells: [name, exactUsd(micros), meaning] };
}
