/** Creates the reports of a bot from its state and measurements. */
import type { MakerHalfSpreads } from '../../analytics/index.ts';
import { INVALID_FEE_BPS } from '../../domain/index.ts';
import { splitMicros } from '../../ledger/index.ts';
import { computeExposure, computeMarketExposure, type MarketExposure } from '../../risk/index.ts';
import type { OpenOrder, TradedMarket } from '../../state/index.ts';
import { type BotStatus, countedBookAgeMs, type MarketStatusLine } from '../control/bot-port.ts';
import { marketLine } from '../live/bot-view.ts';
import type { LiveBotDeps } from '../live/live-bot-deps.ts';
import { type LimitInput, limitUses, marketLimitUses } from './limit-use.ts';
import type { Measures, SplitSince } from './measures.ts';
import { compareQuotes } from './quote-comparison.ts';
import type { BotReport, MarketReportLine, NamedCount, PnlByCause, TradeReport } from './report-types.ts';

const MAX_LEVELS = 25;
/** Maximum number of limits in a report for watchers. */
const MAX_LIMITS = 100;
const MARKETS_PER_SLICE = 50;

export interface ReportSource {
  readonly deps: LiveBotDeps;
  readonly measures: Measures;
  readonly status: () => BotStatus;
}

/** Returns a bot's report with the use of every limit. */
export function botReport(source: ReportSource): BotReport {
  const snapshot = takeSnapshot(source);
  return {
    ...reportHead(source, snapshot),
    limits: limitUses(limitInput(source, snapshot)),
    markets: reportLines(source, snapshot, snapshot.status.markets),
  };
}

/** Creates a bot's report in short steps, and returns it as JSON. Includes only the limits that are used most. */
export function* botSlices(source: ReportSource): Generator<undefined, string> {
  const snapshot = takeSnapshot(source);
  yield;
  const head = JSON.stringify(reportHead(source, snapshot));
  yield;
  const limits = limitUses(limitInput(source, snapshot)).slice(0, MAX_LIMITS);
  yield;
  const { markets } = snapshot.status;
  const lines: string[] = [];
  for (let from = 0; from < markets.length; from += MARKETS_PER_SLICE) {
    const slice = reportLines(source, snapshot, markets.slice(from, from + MARKETS_PER_SLICE));
    lines.push(JSON.stringify(slice).slice(1, -1));
    yield;
  }
  return `${head.slice(0, -1)},"limits":${JSON.stringify(limits)},"markets":[${lines.join(',')}]}`;
}

type Snapshot = ReturnType<typeof takeSnapshot>;

/** Reads status and worst cases at one moment. */
function takeSnapshot({ deps, status }: ReportSource) {
  const exposure = computeExposure(deps.state);
  return { status: status(), exposure, exposureByMarket: new Map(exposure.markets.map((each) => [each.market, each])) };
}

function reportHead(source: ReportSource, { status: full, exposure }: Snapshot): Omit<BotReport, 'limits' | 'markets'> {
  const { deps, measures } = source;
  const { markets, recovery, strategies, refused, rejected, ...status } = full;
  const { maxBookAgeMs } = deps.limits;
  return {
    ...status,
    kind: deps.kind,
    recovery: recovery?.text ?? null,
    strategies: strategies.map(({ name }) => name),
    refused: namedCounts(refused),
    rejected: namedCounts(rejected),
    today: byCause(measures.pnlToday()),
    worstCase: exposure.worstLoss,
    twoSided: measures.twoSided(status.now) ?? null,
    maxBookAgeMs: Number.isFinite(maxBookAgeMs) ? maxBookAgeMs : null,
    rates: deps.rates(),
    answerTimes: measures.answerTimes(),
    alerts: deps.recentAlerts(),
  };
}

export interface MarketExtras {
  readonly trades: readonly TradeReport[];
  readonly markouts: MakerHalfSpreads | undefined;
  /** Code of the last refusal in the market. */
  readonly refused: string | undefined;
}

/** Like `botSlices`, for one market. Reads no other market, because their data would be most of the cost. */
export function* marketSlices(source: ReportSource, market: TradedMarket, extras: () => MarketExtras) {
  const report = marketReport(source, market, extras());
  yield;
  return JSON.stringify(report);
}

function marketReport(source: ReportSource, market: TradedMarket, extras: MarketExtras) {
  const { deps, measures } = source;
  const { changes, wantedQuotes, state } = deps;
  const { info, limits, position, book, orders } = market;
  const now = deps.clock.now();
  const age = deps.health().ages.find((each) => each.market === info.market);
  const status = marketLine(market, deps, age?.ageMs);
  const exposure = computeMarketExposure(info.market, state);
  const run = measures.pnlSinceStart(info.market);
  const bookAgeMs = (): number => countedBookAgeMs(status, now - run.from);
  const measured = measures.market(info.market);
  const own = ownLevels(orders, (order) => measured?.ahead(order));
  return {
    line: reportLine(source, now, status, exposure),
    tickBps: info.grid.type === 'tick' ? info.grid.tickBps : 0,
    minShares: limits.minOrderShares,
    feeBps: limits.feeRateBps === INVALID_FEE_BPS ? null : limits.feeRateBps,
    endsAt: info.scheduledResolution ?? null,
    averagePrice: averagePrice(position),
    bids: mergeLevels(book.depth('bid', MAX_LEVELS), own.bids, -1),
    asks: mergeLevels(book.depth('ask', MAX_LEVELS), own.asks, 1),
    trades: extras.trades,
    orders: orders.map((order) => orderReport(info.slug, order)),
    quotes: compareQuotes(wantedQuotes(info.market), orders, extras.refused),
    today: byCause(measures.pnlToday(info.market)),
    run: byCause(run),
    markouts: markoutRows(extras.markouts),
    uptime: measured?.uptime(now) ?? null,
    parameters: changes.parameters(info.market),
    limits: exposure === undefined ? [] : marketLimitUses({ limits: deps.limits, state, bookAgeMs }, exposure),
  };
}

/** Converts an order. `price` is in YES terms. */
function orderReport(market: string, order: OpenOrder) {
  const { order: number, sign, yesPrice, outcome, remaining, phase, since, tag = null } = order;
  const side = sign === 1 ? 'BID' : 'ASK';
  return { order: String(number), market, side, price: yesPrice, outcome, remaining, phase, since, tag };
}

function limitInput({ deps }: ReportSource, { status, exposure }: Snapshot): LimitInput {
  const { state, gate, limits } = deps;
  const bookAgeMs = (market: number): number => {
    const line = status.markets[market];
    return line === undefined ? 0 : countedBookAgeMs(line, status.now - status.startedAt);
  };
  return { limits, state, risk: gate.snapshot(), exposure, bookAgeMs };
}

function reportLines(
  source: ReportSource,
  { status: { now }, exposureByMarket }: Snapshot,
  lines: readonly MarketStatusLine[],
): readonly MarketReportLine[] {
  const { state } = source.deps;
  return lines.map((line) => reportLine(source, now, line, exposureByMarket.get(state.market(line.id).info.market)));
}

function reportLine(
  { deps: { state }, measures }: ReportSource,
  now: number,
  line: MarketStatusLine,
  exposure: MarketExposure | undefined,
): MarketReportLine {
  const { id, bidBps: bid, askBps: ask, feeBps: _, acceptedFeeBps: __, ...status } = line;
  const { info, mark = null, orders } = state.market(id);
  const { ifYes = 0, ifNo = 0, worstLoss = 0 } = exposure ?? {};
  const own = bestOwn(orders);
  return {
    ...status,
    question: info.question,
    event: info.eventId ?? null,
    bid,
    ask,
    doubleMid: mark,
    ownBid: own.bid,
    ownAsk: own.ask,
    // `0 -` avoids -0.
    ifYes: 0 - ifYes,
    ifNo: 0 - ifNo,
    worst: worstLoss,
    twoSided: measures.twoSided(now, info.market) ?? null,
  };
}

function bestOwn(orders: readonly OpenOrder[]): { readonly bid: number | null; readonly ask: number | null } {
  let [bid, ask] = [0, 0];
  for (const { phase, rests, sign, yesPrice } of orders) {
    if (!rests || phase === 'new') continue;
    if (sign === 1) bid = Math.max(bid, yesPrice);
    else if (ask === 0 || yesPrice < ask) ask = yesPrice;
  }
  return { bid: bid === 0 ? null : bid, ask: ask === 0 ? null : ask };
}

interface OwnLevel {
  shares: number;
  ahead: number | null;
}

/** Groups own orders by price. `ahead` is the queue ahead of the first own order, micro-shares. */
function ownLevels(orders: readonly OpenOrder[], getAhead: (order: OpenOrder['order']) => number | undefined) {
  const own = { bids: new Map<number, OwnLevel>(), asks: new Map<number, OwnLevel>() };
  for (const { order, sign, yesPrice, remaining, rests } of orders) {
    if (!rests) continue;
    const side = sign === 1 ? own.bids : own.asks;
    const level = side.get(yesPrice) ?? { shares: 0, ahead: null };
    const ahead = getAhead(order);
    if (ahead !== undefined) level.ahead = level.ahead === null ? ahead : Math.min(level.ahead, ahead);
    level.shares += remaining;
    side.set(yesPrice, level);
  }
  return own;
}

/** Merges outside and own levels, the best price first. @param sign -1 for bids, 1 for asks */
function mergeLevels(
  outside: readonly { readonly price: number; readonly shares: number }[],
  own: ReadonlyMap<number, OwnLevel>,
  sign: 1 | -1,
) {
  const shares = new Map<number, number>(outside.map((level) => [level.price, level.shares]));
  const prices = [...new Set([...shares.keys(), ...own.keys()])].sort((a, b) => sign * (a - b));
  return prices.map((price) => {
    const level = own.get(price);
    return { price, shares: shares.get(price) ?? 0, own: level?.shares ?? 0, ahead: level?.ahead ?? null };
  });
}

/** Returns the average price of the larger holding, bps of its outcome, two decimals; null without a net position. */
function averagePrice({ yes, no, yesCost, noCost }: TradedMarket['position']): number | null {
  const [shares, cost] = yes > no ? [yes, yesCost] : [no, noCost];
  return shares === 0 || yes === no ? null : Math.round((cost / shares) * 1_000_000) / 100;
}

function byCause({ from, halves }: SplitSince): PnlByCause {
  const parts = splitMicros(halves);
  const { spreadMicros: spread, inventoryMicros: inventory, settlementMicros: settlement } = parts;
  const { feesMicros: fees, rewardsMicros: rewards, roundingMicros: rounding } = parts;
  const total = spread + inventory + settlement + fees + rewards + rounding;
  return { from, total, spread, inventory, settlement, fees, rewards, rounding };
}

function markoutRows(markouts: MakerHalfSpreads | undefined) {
  if (markouts === undefined) return [];
  const rows = [{ label: 'at fill', mean: markouts.effective }, ...markouts.horizons];
  return rows.map(({ label, mean }) => ({
    after: label,
    bps: mean?.bps ?? null,
    low: mean?.interval?.[0] ?? null,
    high: mean?.interval?.[1] ?? null,
    fills: mean?.count ?? 0,
  }));
}

function namedCounts(counts: Readonly<Record<string, number>>): readonly NamedCount[] {
  return Object.entries(counts).map(([name, count]) => ({ name, count }));
}
