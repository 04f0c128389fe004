/** Renders the report of a demo session as one self-contained page, like the report of a backtest. */
import type { FillPoint, Line } from '../../analytics/index.ts';
import type { Fact } from '../run-result.ts';
import { facts, type Html, html, longTextColumn, numberColumns, table } from './html.ts';
import { exactUsd, moment } from './number-text.ts';
import { card, notes, pageFrame } from './page-frame.ts';
import {
  computeView,
  drawdownChart,
  equityChart,
  fillLegend,
  inventoryChart,
  priceChart,
  timeFigure,
} from './time-charts.ts';

export interface Card {
  readonly name: string;
  readonly value: string;
  readonly aside: string;
}

/** One bot on one market. Times are epoch ms of the wall clock, amounts are micro-USD. */
export interface DemoReport {
  readonly title: string;
  readonly question: string;
  readonly lead: string;
  readonly cards: readonly Card[];
  readonly notes: readonly string[];
  /** Cash plus the position at its exit price, from the first sample on. */
  readonly equity: Line;
  readonly price: Line;
  readonly inventory: Line;
  readonly fills: readonly FillPoint[];
  readonly realizedMicros: number;
  readonly unrealizedMicros: number;
  readonly facts: readonly Fact[];
  readonly version: string;
}

export function renderDemoReport(report: DemoReport): string {
  const { title, question, equity, price, inventory, fills } = report;
  const [from = 0, to = from] = [equity.time[0], equity.time.at(-1)];
  return pageFrame({
    title,
    header: html`<h1>${title}</h1>
<p class="muted">${question} · ${moment(from)} to ${moment(to)}, wall clock</p>
<p class="lead">${report.lead}</p>`,
    view: computeView([equity, price]),
    main: html`<ul class="cards">
${report.cards.map(({ name, value, aside }) => card(name, value, aside))}</ul>
${notes(report.notes)}
<section>
<h2 id="equity">Equity and drawdown</h2>
${timeFigure(equityChart(equity, equity.value[0] ?? 0), 'Cash plus holdings at their exit price, less the value at the start. Sampled four times a second.')}
${timeFigure(drawdownChart(computeDrawdown(equity)), 'Equity below its highest point so far.')}
</section>
<section>
<h2 id="price">Price and inventory</h2>
${timeFigure(priceChart(price, fills), 'The line is the mid of the outside book in cents a YES share; triangles are own fills at their price.', fillLegend(fills))}
${timeFigure(inventoryChart(inventory), 'Above zero the position gains when the price rises, below zero when it falls.')}
</section>
${pnlSection(report)}
<section>
<h2 id="run">How it ran</h2>
${facts(report.facts)}
</section>`,
    footer: html`halfspread ${report.version}`,
  });
}

function pnlSection({ realizedMicros: realized, unrealizedMicros: unrealized }: DemoReport): Html {
  return html`<section>
<h2 id="pnl">Where the P&amp;L came from</h2>
${table(
  'By cost basis, as the ledger books it',
  ['Part', ...numberColumns('USD'), longTextColumn('What it is')],
  [
    ['Realized', exactUsd(realized), 'Proceeds less average cost of the sold shares, after fees'],
    ['Unrealized', exactUsd(unrealized), 'Holdings at their exit price, less their cost'],
    { kind: 'sum', cells: ['Total', exactUsd(realized + unrealized), 'Realized and unrealized'] },
  ],
)}
</section>
`;
}

function computeDrawdown({ time, value }: Line): Line {
  let peak = Number.NEGATIVE_INFINITY;
  const drawdown = value.map((equity) => {
    peak = Math.max(peak, equity);
    return peak - equity;
  });
  return { time, value: drawdown };
}
