/** Renders the report of a backtest as one page, which contains scripts and styles and loads nothing. */
import {
  type BacktestRun,
  type MarketDetail,
  type RunDetail,
  type RunKind,
  type RunResult,
  returnOnUse,
  splitOrderReasons,
} from '../run-result.ts';
import { describeSettlement } from '../warnings.ts';
import { loadChartRenderer } from './drawing.ts';
import { levelSection, spreadSection, tagSection } from './fills-section.ts';
import { facts, type Html, html, longTextColumn, numberColumns, table } from './html.ts';
import { endText, marketSections, marketTable } from './market-section.ts';
import { bps, count, exactUsd, moment, percent, shares, signedUsd, usd } from './number-text.ts';
import { card, notes, pageFrame } from './page-frame.ts';
import { pnlSection } from './pnl-section.ts';
import { computeView, drawdownChart, equityChart, timeFigure } from './time-charts.ts';

const KINDS: Readonly<Record<RunKind, { readonly title: string; readonly footer: string }>> = {
  backtest: { title: 'backtest', footer: 'the same spec, strategy and tape give the same page, byte for byte.' },
  live: { title: 'live session', footer: 'the same recording gives the same page, byte for byte.' },
  paper: { title: 'paper session', footer: 'the same recording gives the same page, byte for byte.' },
};

/** Renders the page. The same run gives the same bytes, because the page has no data about the machine or its speed. */
export async function renderReport({ result, detail }: BacktestRun): Promise<string> {
  const renderChart = await loadChartRenderer();
  const title = `${result.strategy} on ${result.tape.name}`;
  const kind = KINDS[detail.kind];
  return pageFrame({
    title: `${title} – halfspread ${kind.title}`,
    header: header(title, result, detail),
    view: computeView([detail.equity, ...detail.markets.flatMap(({ lines }) => lines?.price ?? [])]),
    main: html`${cards(result, detail)}
${notes(detail.warnings)}
${equitySection(result, detail)}
${pnlSection(result, renderChart)}
${marketTable(result, detail)}
${marketSections(result, detail)}
${spreadSection(result, detail, renderChart)}
${levelSection(detail, renderChart)}
${tagSection(result)}
${orderSection(result)}
${assumptions(result, detail)}`,
    footer: html`halfspread ${detail.version} · event log ${result.eventLogHash.slice(0, 12)} · ${kind.footer}`,
  });
}

function header(title: string, { tape, pnl, split, fills }: RunResult, { markets, capitalMicros }: RunDetail): Html {
  const only = markets.length === 1 ? markets[0] : undefined;
  const settlement = describeSettlement({ split, pnl });
  const verb = pnl.totalMicros < 0 ? 'lost' : 'made';
  return html`<h1>${title}</h1>
<p class="muted">${only === undefined ? `${markets.length} markets` : only.question} · ${moment(Date.parse(tape.from))} to ${moment(Date.parse(tape.to))}</p>
<p class="lead">The run ${verb} <strong>${usd(Math.abs(pnl.totalMicros))}</strong> on a capital of ${usd(capitalMicros)}, with ${count(fills.count)} fills.${settlement === undefined ? '' : ` At settlement: ${settlement}.`}${only === undefined ? '' : ` ${endSentence(only)}`}</p>`;
}

/** Says how a market ended. */
function endSentence(market: MarketDetail): string {
  return market.payout === undefined
    ? 'The market was still open at the end of the run.'
    : `The market ended: ${endText(market)}.`;
}

function cards(
  { pnl, tape, fills, maxDrawdownMicros, maxInventoryShares, volumeShare }: RunResult,
  detail: RunDetail,
): Html {
  const { effective, horizons } = detail;
  const after30s = horizons.find(({ label }) => label === '30 s')?.own;
  return html`<ul class="cards">
${card('Total P&L', signedUsd(pnl.totalMicros), `${signedUsd(pnl.realizedMicros)} realized`)}
${card('Fees and commission', signedUsd(pnl.feesMicros), 'already in the P&L')}
${card('Fills', count(fills.count), `${count(fills.maker)} maker, ${count(fills.taker)} taker`)}
${card('Traded', `${shares(fills.shares)}`, volumeShare === null ? 'shares' : `shares, ${detail.markets.length === 1 ? '' : 'up to '}${percent(volumeShare)} of recorded`)}
${card('Largest drawdown', usd(maxDrawdownMicros), 'below the peak of equity')}
${card('Largest inventory', shares(maxInventoryShares), 'shares, |YES − NO|')}
${card('Spread captured', effective.own === undefined ? '–' : `${bps(effective.own.bps)} bps`, after30s === undefined ? 'a share' : `a share, ${bps(after30s.bps)} left after 30 s`)}
${returnCard(pnl.totalMicros, detail, tape)}
</ul>`;
}

function returnCard(totalMicros: number, detail: RunDetail, tape: RunResult['tape']): Html {
  const { capital, capitalMicros } = detail;
  const inUse = returnOnUse(totalMicros, capital, tape);
  const returnInUse =
    inUse === undefined ? '' : `; ${percent(inUse.rate, 2)}${inUse.per} of the ${usd(capital.meanInUseMicros)} in use`;
  const value = capitalMicros === 0 ? '–' : percent(totalMicros / capitalMicros, 2);
  return card('Return', value, `of ${usd(capitalMicros)} over the whole run${returnInUse}`);
}

function equitySection(result: RunResult, detail: RunDetail): Html {
  const { capital } = detail;
  const sharpe =
    capital.sharpe === undefined
      ? `No Sharpe ratio: it needs at least 30 days or markets with returns. Here ${detail.markets.length === 1 ? 'is 1 market' : `are ${detail.markets.length} markets`}.`
      : `Sharpe ratio ${capital.sharpe.value.toFixed(2)} a ${capital.sharpe.of}, not a year, over ${count(capital.sharpe.count)} ${capital.sharpe.of}s.`;
  return html`<section>
<h2 id="equity">Equity and drawdown</h2>
<p class="small muted">Point at a chart to read it, drag over a part to zoom in, double-click for the whole run. Ctrl with the wheel, the bar above and
the keys + − 0 ← → zoom and move, too. All charts show the same time.</p>
${timeFigure(equityChart(detail.equity, detail.capitalMicros), 'Cash and holdings at the mark, less the capital. Times are UTC, at the exchange.')}
${timeFigure(drawdownChart(detail.drawdown), `Equity below its highest point so far, at every fill and mark: $${exactUsd(result.maxDrawdownMicros)} at worst.`)}
<p class="small muted">Capital in use (reserved by orders, and the cost of what was held): ${usd(capital.meanInUseMicros)} on average over the time, ${usd(capital.maxInUseMicros)} at most. ${sharpe}</p>
</section>
`;
}

function orderSection(result: RunResult): Html {
  const { placed, cancelled, reduced, rejected } = result.orders;
  const reasons = splitOrderReasons(result);
  const rows = Object.entries({
    venue: reasons.rejected,
    'own risk': reasons.refused,
    'trading was stopped': reasons.stopped,
  }).flatMap(([source, counts]) => Object.entries(counts).map(([code, times]) => [code, source, count(times)]));
  return html`<section>
<h2 id="orders">Orders</h2>
<p>${count(placed)} placed, ${count(cancelled)} cancelled, ${count(reduced)} reduced; ${count(rejected)} rejected by the venue,
${count(reasons.refusedCount)} refused by our own risk before they were sent.</p>
${
  rows.length === 0
    ? html``
    : html`${table('Why orders were rejected or refused', ['Code', 'Source', ...numberColumns('Count')], rows)}
<p class="small muted">Each failed order or cancel of a replace counts separately. docs/backtesting.md says what to do about the
venue’s codes. docs/risk.md says what each code of our own risk compares.</p>`
}
</section>
`;
}

function assumptions(result: RunResult, detail: RunDetail): Html {
  const { models } = result;
  const hash = (text: string): Html => html`<span class="hash">${text}</span>`;
  const paramEntries = typeof result.params === 'object' ? Object.entries(result.params ?? {}) : [];
  const params = paramEntries.map(([name, value]) => ({ name, value: JSON.stringify(value) }));
  return html`<section>
<h2 id="assumptions">Assumptions</h2>
<h3>Models</h3>
<ul>${[models.latency, models.queue, models.fees, models.liquidity, `The mark is the ${models.mark}.`].map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h3>Run</h3>
${facts(detail.facts)}
${table(
  'Tapes',
  ['Tape', ...numberColumns('Rows'), 'From', 'To', longTextColumn('sha256 of its columns')],
  result.tapes.map(({ name, events, from, to, sha256 }) => [
    name,
    count(events),
    moment(Date.parse(from)),
    moment(Date.parse(to)),
    hash(sha256),
  ]),
)}
<h3>Parameters of the strategy</h3>
<p class="small muted">Names that end in _bps, _usd, _ms or _pct contain the unit; sizes and positions are shares. All other units are in the
strategy’s README and, for the limits below, in docs/configuration.md.</p>
${params.length === 0 ? html`<p>None.</p>` : facts(params)}
<h3>Limits and options</h3>
${facts(detail.settings)}
<h3>Hashes</h3>
${facts([
  { name: 'Event log', value: hash(result.eventLogHash) },
  ...(result.stateHash === null ? [] : [{ name: 'Final state', value: hash(result.stateHash) }]),
])}
</section>
`;
}
