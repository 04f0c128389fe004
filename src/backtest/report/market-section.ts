/** Sections of single markets (price with own fills, inventory), and the table of all markets. */
import { type MarketDetail, markNote, type RunDetail, type RunResult } from '../run-result.ts';
import { type Html, html, longTextColumn, numberColumns, table } from './html.ts';
import { count, duration, exactUsd, percent, shares, signedUsd, usd } from './number-text.ts';
import { fillLegend, inventoryChart, priceChart, timeFigure } from './time-charts.ts';

export function marketSections({ models }: RunResult, { markets }: RunDetail): Html {
  const undrawn = markets.filter(({ lines }) => lines === undefined).length;
  return html`${markets.map((market) => marketSection(market, models.mark))}
${undrawn === 0 ? undefined : html`<p class="small muted">${count(undrawn)} more markets have no charts.</p>`}`;
}

function marketSection(market: MarketDetail, mark: string): Html {
  const { lines, question, pnlMicros, fills, ownShares, volumeShare, maxInventoryShares, worstCaseMicros } = market;
  if (lines === undefined) return html``;
  const thinnedNote =
    lines.storedEvery === 1
      ? ''
      : ` Only 1 in ${lines.storedEvery} of the ${count(fills)} fills is drawn; the numbers include all fills.`;
  const facts = [
    `P&L ${signedUsd(pnlMicros)}`,
    `${count(fills)} fills`,
    `${shares(ownShares)} shares${volumeShare === undefined ? '' : ` (${percent(volumeShare)} of recorded)`}`,
    `largest inventory ${shares(maxInventoryShares)}`,
    `worst case ${usd(worstCaseMicros)}`,
    `ended: ${endText(market)}`,
  ];
  return html`<section>
<h2 id="${toAnchor(market)}">${question}</h2>
<p>${facts.join(' · ')} <a href="#markets">All markets</a></p>
${timeFigure(
  priceChart(lines.price, lines.fills),
  `The line is the ${mark} in cents a YES share (“${market.outcomes[0]}”); triangles are own fills at their price. Fills that would cover each other are drawn once until you zoom in, and jumps of the mid that last a moment may be cut off.${thinnedNote}`,
  fillLegend(lines.fills),
)}
${timeFigure(inventoryChart(lines.inventory), 'Above zero the position gains when the price rises, below zero when it falls. A pair of YES and NO does not count, because a pair is worth $1 in either case.')}
</section>
`;
}

function toAnchor({ slug }: MarketDetail): string {
  return `market-${slug}`;
}

const MAX_ROWS = 100;

export function marketTable({ models }: RunResult, { markets, events }: RunDetail): Html {
  const note = markNote(models);
  const mostTraded = markets.toSorted((a, b) => b.fills - a.fills).slice(0, MAX_ROWS);
  const shown = markets.length <= MAX_ROWS ? markets : mostTraded;
  const columns = [
    longTextColumn('Market'),
    'Ended',
    ...numberColumns('Fills', 'Own shares', 'Recorded shares', 'Share of volume', 'P&L, USD', 'Largest position'),
    ...numberColumns('Worst case, USD', 'Pairs', 'Two-sided', 'Best bid', 'Best ask', 'Half-life'),
  ];
  return html`<section>
<h2 id="markets">Markets</h2>
${table(
  shown.length === markets.length
    ? `Own trading in each market${note}`
    : `Own trading in the ${MAX_ROWS} markets with most fills, of ${count(markets.length)}${note}`,
  columns,
  shown.map((market) => [
    market.lines === undefined ? market.question : html`<a href="#${toAnchor(market)}">${market.question}</a>`,
    endText(market),
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
  ]),
)}
<p class="small muted">The largest position is the largest |YES − NO|. Worst case is the largest loss that holdings and open orders could have
led to at any moment. Pairs are YES and NO held at the end, which a merge turns into cash. A market is open while it accepts orders and the book of
others has two sides. Best bid and best ask are the parts of the open time with an own order at the best price of all. Two-sided is the part of
the open time with an acknowledged own bid and ask that were large enough and near enough to the mid (see the assumptions). Half-life is the
half-life of the inventory on a grid of one minute, shown only if the inventory’s autocorrelation lies between 0 and 1.</p>
${eventTable(events)}
</section>
`;
}

function eventTable(events: RunDetail['events']): Html {
  if (events.length === 0) return html``;
  return table(
    'Worst case by event: the largest sum over its markets at one moment',
    [longTextColumn('Event'), ...numberColumns('Worst case, USD')],
    events.slice(0, MAX_ROWS).map(({ event, worstCaseMicros }) => [event, exactUsd(worstCaseMicros)]),
  );
}

/** Describes how a market ended, such as "YES (Name)", "void" or "open at the end". */
export function endText({ payout, outcomes }: MarketDetail): string {
  if (payout === undefined) return 'open at the end';
  if (payout === 'CANCELLED') return 'void';
  if (payout === 10_000) return `YES (${outcomes[0]})`;
  return payout === 0 ? `NO (${outcomes[1]})` : `split, YES pays ${payout / 100} cents`;
}
