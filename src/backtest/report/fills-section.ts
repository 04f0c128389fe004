/** Sections about fills: half-spreads and markouts, levels, and causes of fills. */
import type { HalfSpreads, HorizonRow, WeightedMean } from '../../analytics/index.ts';
import { FILL_BASES, LOT } from '../../domain/index.ts';
import { markNote, type RunDetail, type RunResult } from '../run-result.ts';
import { horizonChart, levelChart } from './bar-charts.ts';
import { type ChartRenderer, figure } from './drawing.ts';
import { type Html, html, longTextColumn, numberColumns, type Row, table } from './html.ts';
import { bps, count, exactUsd, percent, shares } from './number-text.ts';

const CAUSES_BY_TAG: Readonly<Record<string, string>> = {
  real: 'Filled by the venue itself',
  taker: 'An own taker order matched orders in the recorded book',
  through: 'A print was beyond our price: a fill under any queue model',
  queue: 'A print at our price reached our order by the queue model',
  cross: 'The recorded book moved to or beyond our price',
  touch: 'An assumed share of a print at our price, on a tape without a book',
};

const HORIZON_COLUMNS = [
  'Horizon',
  ...numberColumns('Own, bps', '95 % interval', 'Impact, bps', 'Fills', 'Shares', 'Censored'),
  ...numberColumns('Recorded makers, bps', 'Their prints', 'Their shares'),
];

export function spreadSection({ models }: RunResult, detail: RunDetail, renderChart: ChartRenderer): Html {
  const { effective, horizons, atRecordedMid, kind } = detail;
  const note = markNote(models);
  if (effective.own === undefined && effective.recorded === undefined) {
    return html`<section>
<h2 id="spread">Spread captured</h2>
<p>There was no maker fill, and nothing on the tape to compare with.</p>
</section>
`;
  }
  const legend = html`<ul class="legend"><li><svg width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5" fill="var(--line)"/></svg>own maker fills, with interval</li><li><svg width="14" height="14" aria-hidden="true"><rect x="2.5" y="2.5" width="9" height="9" fill="var(--paper)" stroke="var(--ask)" stroke-width="1.6"/></svg>recorded makers</li></ul>`;
  return html`<section>
<h2 id="spread">Spread captured, and what was kept of it</h2>
${figure(
  renderChart,
  horizonChart({ label: 'at the fill', ...effective }, horizons),
  'Half-spreads in basis points of the $1 payout a share, weighted by shares: at the fill against the mid just before it (effective), then against the mid after each horizon (realized, also called markout). The difference is price impact: the taker knew more.',
  legend,
)}
${table(`Half-spreads of maker fills, and of the makers on the tape in the same time${note}`, HORIZON_COLUMNS, horizonRows(detail))}
<p class="small muted">Intervals are bootstrapped over blocks of time (2,000 seeded draws), and need at least 20 blocks.
Censored fills had no mark at the end of their horizon and use the last mark. A replay that keeps far more per share than
the recorded makers kept is too optimistic.</p>
${note === '' && kind === 'backtest' ? recordedMidTable(atRecordedMid) : undefined}
</section>
`;
}

/** Returns the table against the recorded mid, which a session lacks because its mark already excludes own orders. */
function recordedMidTable(atRecordedMid: HalfSpreads): Html {
  return html`${table('The same against the recorded mid', HORIZON_COLUMNS, horizonRows(atRecordedMid))}
<p class="small muted">The first table compares with the mark: the mid of the recorded book after own orders took liquidity. The
second table ignores own orders, as “tape check” does, and omits trades while the recorded book was one-sided.</p>`;
}

function horizonRows({ effective, horizons }: HalfSpreads): readonly Row[] {
  const atFill = horizonRow({ label: 'at the fill', ...effective }, undefined);
  return [atFill, ...horizons.map((row) => horizonRow(row, effective.own))];
}

function horizonRow({ label, own, recorded }: HorizonRow, effective: WeightedMean | undefined): Row {
  const interval = own?.interval;
  // Without a resolution there is no payout. The last mark must not replace it.
  const none = label === 'resolution' && own === undefined && recorded === undefined ? 'no resolution' : '–';
  return [
    label,
    own === undefined ? none : bps(own.bps),
    interval === undefined ? '–' : `${bps(interval[0])} to ${bps(interval[1])}`,
    own === undefined || effective === undefined ? '–' : bps(effective.bps - own.bps),
    own === undefined ? '–' : count(own.count),
    own === undefined ? '–' : shares(own.shares),
    own === undefined ? '–' : count(own.censored),
    recorded === undefined ? none : bps(recorded.bps),
    recorded === undefined ? '–' : count(recorded.count),
    recorded === undefined ? '–' : shares(recorded.shares),
  ];
}

export function levelSection({ levels, placed, queueAhead }: RunDetail, renderChart: ChartRenderer): Html {
  if (levels.length === 0 && placed.length === 0) return html``;
  return html`<section>
<h2 id="levels">Fills by level and side</h2>
${levels.length === 0 ? undefined : figure(renderChart, levelChart(levels), 'Level 1 is the best own price that the bot knew on that side at the fill; level 2 is the next price.')}
${ratioTable(placed)}
${queueText(queueAhead)}
${table(
  'Maker fills by level at the fill',
  ['Side', ...numberColumns('Level', 'Fills', 'Shares')],
  levels.map(({ side, level, count: fills, shares: size }) => [side, String(level), count(fills), shares(size)]),
)}
</section>
`;
}

function ratioTable(placed: RunDetail['placed']): Html {
  if (placed.length === 0) return html``;
  return table(
    'Fill ratio by level when the order was accepted',
    ['Side', ...numberColumns('Level', 'Orders', 'Placed, shares', 'Filled, shares', 'Fill ratio')],
    placed.map(({ side, level, orders, placedShares, filledShares }) => [
      side,
      String(level),
      count(orders),
      shares(placedShares),
      shares(filledShares),
      placedShares === 0 ? '–' : percent(filledShares / placedShares, 2),
    ]),
  );
}

function queueText(ahead: RunDetail['queueAhead']): Html {
  if (ahead === undefined) return html``;
  const { atPlacing, atFill } = ahead;
  const fillText =
    atFill === undefined ? 'only the venue knows the number at the fill' : `${wholeShares(atFill)} at the fill`;
  return html`<p>Ahead of the orders that filled were ${wholeShares(atPlacing)} shares of others when the venue accepted them, and ${fillText}
(means weighted by shares, ${count(ahead.count)} fills).</p>`;
}

function wholeShares(microShares: number): string {
  return shares(Math.round(microShares / LOT) * LOT);
}

export function tagSection({ fillsByTag, fills, models }: RunResult): Html {
  const tags = FILL_BASES.filter((tag) => fillsByTag[tag] !== undefined);
  if (tags.length === 0) return html``;
  const columns = ['Tag', ...numberColumns('P&L, USD', 'Fills', 'Inside', 'Shares', 'Of all'), longTextColumn('Cause')];
  const rows = tags.flatMap((tag): Row[] => {
    const row = fillsByTag[tag];
    if (row === undefined) return [];
    const share = fills.shares === 0 ? '–' : percent(row.shares / fills.shares);
    const { pnlMicros, count: fillCount, inside, shares: size } = row;
    return [[tag, exactUsd(pnlMicros), count(fillCount), count(inside), shares(size), share, CAUSES_BY_TAG[tag] ?? '']];
  });
  return html`<section>
<h2 id="causes">What the fills depend on</h2>
${table(`Fills and P&L by tag${markNote(models)}`, columns, rows)}
<p class="small muted">P&amp;L of a tag is its fills carried to the payout or the last mark, after their own fees and before commission
on net winnings. “Inside” fills were at a better price than the recorded best price: they assume that the taker would have
traded with us, and that nobody would have improved on our quote.</p>
</section>
`;
}
