/** One market after the other: price with own fills, inventory, and the table of all. */
import { type MarketDetail, MID_MARK, markNote, type RunDetail, type RunResult } from '../run-result.ts';
import { type Drawing, figure } from './drawing.ts';
import { fillLegend } from './fill-symbols.ts';
import { type Html, html } from './html.ts';
import { count, duration, exactUsd, percent, shares } from './number-text.ts';
import { table } from './table.ts';
import type { TimeAxis } from './time-axis.ts';
import { inventoryChart, priceChart, priceRange } from './time-charts.ts';

export function marketCharts({ models }: RunResult, detail: RunDetail, axis: TimeAxis, drawing: Drawing): Html {
  const line = models.mark === MID_MARK ? 'mid of everybody else’s book' : models.mark;
  const drawn = detail.markets.filter(({ lines }) => lines !== undefined);
  const left = detail.markets.length - drawn.length;
  return html`<section>
<h2>Price and inventory</h2>
${drawn.map((market) => marketChart(market, { line, titled: drawn.length > 1 }, axis, drawing))}
${left === 0 ? undefined : html`<p class="small muted">${left} more markets have no chart of their own.</p>`}
</section>
`;
}

function marketChart(
  market: MarketDetail,
  { line, titled }: { line: string; titled: boolean },
  axis: TimeAxis,
  drawing: Drawing,
): Html {
  const { lines } = market;
  if (lines === undefined) return html``;
  const { every, fills } = lines;
  const cut = priceRange(lines.price, fills).cut
    ? ' For moments the mid jumped beyond what is shown; that is cut off.'
    : '';
  const thinned =
    every === 1 ? '' : ` Only every ${every}th of the ${count(market.fills)} fills is drawn; all of them are counted.`;
  return html`${titled ? html`<h3>${market.question}</h3>` : undefined}
${figure(
  drawing,
  priceChart(lines.price, fills, axis),
  `The line is the ${line} in cents a YES share (“${market.outcomes[0]}”); triangles are own fills at their price.${thinned}${cut}`,
  fillLegend(fills),
)}
${figure(drawing, inventoryChart(lines.inventory, axis), 'Above zero the position gains when the price rises, below zero when it falls. A pair of YES and NO counts as nothing: it is worth $1 either way.')}
`;
}

/** Limits the table: a page with ten thousand rows is not useful. */
const MOST_ROWS = 100;

export function marketTable({ models }: RunResult, { markets, events }: RunDetail): Html {
  const note = markNote(models);
  const shown = mostTraded(markets);
  const numeric = true;
  const columns = [
    { name: 'Market', long: true },
    { name: 'Ended' },
    { name: 'Fills', numeric },
    { name: 'Own shares', numeric },
    { name: 'Recorded shares', numeric },
    { name: 'Own share', numeric },
    { name: 'P&L, USD', numeric },
    { name: 'Most held', numeric },
    { name: 'Worst case, USD', numeric },
    { name: 'Pairs', numeric },
    { name: 'Two-sided', numeric },
    { name: 'Best bid', numeric },
    { name: 'Best ask', numeric },
    { name: 'Half-life', numeric },
  ];
  return html`<section>
<h2>Markets</h2>
${table(
  shown.length === markets.length
    ? `Own part in each market${note}`
    : `Own part in the ${MOST_ROWS} markets with most fills, of ${count(markets.length)}${note}`,
  columns,
  shown.map((market) => ({
    cells: [
      market.question,
      ending(market),
      count(market.fills),
      shares(market.ownShares),
      shares(market.recordedShares),
      market.volumeShare === undefined ? '–' : percent(market.volumeShare),
      exactUsd(market.pnlMicros),
      shares(market.maxInventoryShares),
      exactUsd(market.worstCaseMicros),
      shares(market.mergeableShares),
      market.uptime === undefined ? '–' : percent(market.uptime),
      market.atBest === undefined ? '–' : percent(market.atBest.bid),
      market.atBest === undefined ? '–' : percent(market.atBest.ask),
      market.halfLifeMs === undefined ? '–' : duration(market.halfLifeMs),
    ],
  })),
)}
<p class="small muted">Most held is the largest |YES − NO|. Worst case is the largest loss that holdings and open orders could have
led to at any moment. Pairs are YES and NO held at the end, which a merge turns into cash. Best bid and best ask are the parts of the open time in which an own order
stood at the best price of all. Two-sided is the share of the time in which the market was open with a two-sided book and both an own bid and
an own ask stood acknowledged, large enough and near enough to the mid (see the assumptions). Half-life is that of the
inventory on a grid of one minute; none is shown unless its autocorrelation lies between 0 and 1.</p>
${eventTable(events)}
</section>
`;
}

function eventTable(events: RunDetail['events']): Html {
  if (events.length === 0) return html``;
  const columns = [
    { name: 'Event', long: true },
    { name: 'Worst case, USD', numeric: true },
  ];
  return table(
    'Worst case by event: the largest sum over its markets at one moment',
    columns,
    events.slice(0, MOST_ROWS).map(({ event, worstCaseMicros }) => ({ cells: [event, exactUsd(worstCaseMicros)] })),
  );
}

/** All in their order, or those with most fills. */
function mostTraded(markets: readonly MarketDetail[]): readonly MarketDetail[] {
  return markets.length <= MOST_ROWS ? markets : markets.toSorted((a, b) => b.fills - a.fills).slice(0, MOST_ROWS);
}

/** "resolved YES (Name)", "void", "open at the end". */
export function ending({ payout, outcomes }: MarketDetail): string {
  if (payout === undefined) return 'open at the end';
  if (payout === 'CANCELLED') return 'void';
  if (payout === 10_000) return `YES (${outcomes[0]})`;
  return payout === 0 ? `NO (${outcomes[1]})` : `split, YES pays ${payout / 100} cents`;
}
