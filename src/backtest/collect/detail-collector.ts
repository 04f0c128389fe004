/**
 * Collects what the report and the terminal show beyond the result, such as chart lines, uptime and recorded makers.
 * Details are optional, because collecting them takes a third of a replay's time. Memory is bounded.
 *
 * HOT: `onMark`, `onRecordedMid`, `onPrint` and `onMessage` are called for every mark, print and message.
 */
import {
  computeHalfSpreads,
  DetailHalfSpreads,
  EquityCurve,
  FillRatio,
  type HalfSpreads,
  type LevelRow,
  LevelTotals,
  type Line,
  type MakerHalfSpreads,
  MarketDetailCollector,
  type MarketLines,
  type MeasuredOrder,
  type PlacedLevel,
  pairHalfSpreads,
  QueueAhead,
  type QueueAheadResult,
  QuotingUptime,
  rankLevel,
  type TimeAtBest,
  type UptimeConditions,
} from '../../analytics/index.ts';
import type { Random } from '../../clock/index.ts';
import { FULL_BPS, type InputEvent, type MarketNo, type StepTime } from '../../domain/index.ts';
import type { Cursor } from '../../tape/index.ts';
import type { SimPrint } from '../../venues/sim/index.ts';
import { heldLots, type ObservedFill, type ObservedRun, type RunObserver } from './run-observer.ts';
import { mergeablePairs, WorstCases } from './worst-cases.ts';

/** Maximum number of markets with charts. Later markets have no charts. */
const MAX_CHARTS = 100;

export interface DetailCollectorOptions extends ObservedRun {
  readonly uptimeConditions: UptimeConditions;
}

export interface CollectedMarketDetail {
  /** Two-sided uptime, 0..1; undefined if the market was never open with a two-sided book. */
  readonly uptime: number | undefined;
  /** Half-life of inventory in ms; undefined unless its lag-1 autocorrelation is in (0, 1). */
  readonly halfLifeMs: number | undefined;
  readonly atBest: TimeAtBest | undefined;
  /** Largest worst case during the run, including open orders, micro-USD (docs/spec/models.md#worst-case). */
  readonly worstCaseMicros: number;
  /** Pairs held at the end that a merge would turn into cash, micro-shares. */
  readonly mergeableShares: number;
  /** Undefined for markets without charts. */
  readonly lines: MarketLines | undefined;
}

export interface CollectedDetail {
  readonly equity: Line;
  /** Peak minus equity, micro-USD, at least 0. */
  readonly drawdown: Line;
  /** P&L of each UTC day, micro-USD. */
  readonly daily: readonly number[];
  /** Maker fills at a price better than the best recorded one, without the tag `queue`, micro-shares. */
  readonly insideShares: number;
  readonly recordedAtMark: MakerHalfSpreads;
  /** Half-spreads against the mid of the recorded book. Omits fills while a side of this book was empty. */
  readonly atRecordedMid: HalfSpreads;
  readonly levels: readonly LevelRow[];
  readonly placed: readonly PlacedLevel[];
  readonly queueAhead: QueueAheadResult | undefined;
  /** Largest sum of the worst cases of an event's markets, micro-USD; only events with several markets. */
  readonly events: readonly { readonly event: string; readonly worstCaseMicros: number }[];
  readonly markets: readonly CollectedMarketDetail[];
}

interface ProvisionalFill {
  readonly fill: ObservedFill;
  /** Number of the fill in the market's collector. */
  readonly number: number | undefined;
  readonly level: number;
}

export class DetailCollector implements RunObserver {
  readonly #options: DetailCollectorOptions;
  readonly #halfSpreads = new DetailHalfSpreads();
  readonly #markets: readonly MarketDetailCollector[];
  readonly #uptimes: readonly QuotingUptime[];
  readonly #levels = new LevelTotals();
  readonly #fillRatio = new FillRatio();
  readonly #queueAhead = new QueueAhead();
  readonly #worstCases: WorstCases;
  readonly #equity: EquityCurve;
  #insideShares = 0;
  /** Fills that the venue may still reverse, by trade. */
  readonly #provisional = new Map<string, ProvisionalFill>();

  constructor(options: DetailCollectorOptions) {
    const { state, markets, start, capital, uptimeConditions } = options;
    this.#options = options;
    const charted = Math.min(markets, MAX_CHARTS);
    this.#markets = Array.from(
      { length: markets },
      (_, index) => new MarketDetailCollector(this.#halfSpreads, index < charted ? charted : 0, heldLots(state, index)),
    );
    this.#worstCases = new WorstCases(state);
    this.#uptimes = this.#markets.map(() => new QuotingUptime(uptimeConditions));
    this.#equity = new EquityCurve(start, capital);
  }

  onFill(fill: ObservedFill): void {
    const { market, time, order, sign, yesPrice, shares, liquidity, basis, inside } = fill;
    const number = this.#markets[market]?.addFill(fill);
    let level = 0;
    if (liquidity === 'maker') {
      const orders = this.#options.state.market(market).orders;
      level = rankLevel(order, sign, yesPrice, orders);
      this.#levels.add(sign, level, shares);
      this.#queueAhead.add(shares, fill.sharesAheadAtArrival, fill.sharesAhead);
      if (inside && basis !== 'queue') this.#insideShares += shares;
    }
    if (fill.trade !== undefined) this.#provisional.set(fill.trade, { fill, number, level });
    this.#equity.set(time, this.#options.equity());
  }

  onFillSettled(trade: string): void {
    const provisional = this.#provisional.get(trade);
    this.#provisional.delete(trade);
    if (provisional?.number !== undefined) this.#markets[provisional.fill.market]?.settleFill(provisional.number);
  }

  onFillReversed(trade: string, at: StepTime): void {
    const provisional = this.#provisional.get(trade);
    this.#provisional.delete(trade);
    if (provisional === undefined) return;
    const { fill, number, level } = provisional;
    const { market, sign, shares, liquidity, basis, inside } = fill;
    this.#markets[market]?.reverseFill(at.now, fill, number);
    if (liquidity === 'maker') {
      this.#levels.add(sign, level, shares, -1);
      this.#queueAhead.add(shares, fill.sharesAheadAtArrival, fill.sharesAhead, -1);
      if (inside && basis !== 'queue') this.#insideShares -= shares;
    }
    this.#equity.set(at.now, this.#options.equity());
  }

  onMark(market: MarketNo, at: StepTime, mark: number): void {
    this.#markets[market]!.setMark(at, mark);
    this.#equity.set(at.now, this.#options.equity());
  }

  onPrint(print: SimPrint): void {
    this.#markets[print.market]!.addPrint(print);
  }

  onRecordedMid(market: MarketNo, at: StepTime, mid: number | undefined): void {
    this.#markets[market]!.setRecordedMid(at, mid);
  }

  onMessage(last: Cursor): void {
    const { state } = this.#options;
    for (let index = 0; index < state.messageMarketCount; index += 1) {
      const tradedMarket = state.messageMarketAt(index);
      const { market } = tradedMarket.info;
      const { topBid, topAsk } = tradedMarket.book;
      const isOpen = topBid > 0 && topAsk < FULL_BPS && tradedMarket.state.acceptingOrders;
      this.#uptimes[market]!.updateMarket(last.rx, isOpen, topBid, topAsk, tradedMarket.orders);
      if (!tradedMarket.stateChanged) continue;
      const { settlement } = tradedMarket.position; // Payout in bps; `finish` takes twice the payout.
      if (settlement === undefined) continue;
      this.#markets[market]!.finish(last.tx, settlement === 'CANCELLED' ? undefined : 2 * settlement);
      this.#equity.set(last.rx, this.#options.equity());
    }
  }

  onEvent(event: InputEvent): void {
    if (!('market' in event)) return;
    const { state, equity } = this.#options;
    const tradedMarket = state.market(event.market);
    this.#uptimes[event.market]?.updateOrders(event.time, tradedMarket.orders);
    this.#worstCases.update(tradedMarket);
    this.#updateFillRatio(event, tradedMarket.orders);
    if (event.type === 'orderFilled' || event.type === 'fillReversed' || event.type === 'converted')
      this.#equity.set(event.time, equity());
  }

  onSteps(): void {}

  #updateFillRatio(event: InputEvent, orders: readonly MeasuredOrder[]): void {
    if (event.type === 'orderAccepted') this.#fillRatio.addOrder(event.order, orders);
    else if (event.type === 'orderFilled') this.#fillRatio.addFill(event);
    else if (event.type === 'fillSettled') this.#fillRatio.settleFill(event.trade);
    else if (event.type === 'fillReversed') this.#fillRatio.reverseFill(event.trade);
    else if (event.type === 'orderClosed') this.#fillRatio.removeOrder(event.order);
    else if (event.type === 'ordersReplaced') {
      for (const order of event.closed) this.#fillRatio.removeOrder(order);
      for (const order of event.accepted) this.#fillRatio.addOrder(order, orders);
    }
  }

  /** Ends the replay at `end`, the time of the last event or row. `random` makes the bootstrap draws. */
  finish(end: number, random: Random): CollectedDetail {
    for (const market of this.#markets) market.finish(end, undefined);
    this.#equity.set(end, this.#options.equity());
    const daily = this.#equity.finish(end);
    const { recordedAtMark, ownAtRecordedMid, recordedAtRecordedMid } = this.#halfSpreads;
    return {
      ...this.#equity.lines(),
      daily,
      insideShares: this.#insideShares,
      recordedAtMark: computeHalfSpreads(recordedAtMark, random),
      atRecordedMid: pairHalfSpreads(
        computeHalfSpreads(ownAtRecordedMid, random),
        computeHalfSpreads(recordedAtRecordedMid, random),
      ),
      levels: this.#levels.rows(),
      placed: this.#fillRatio.rows(),
      queueAhead: this.#queueAhead.result(),
      events: this.#worstCases.events(),
      markets: this.#markets.map((market, index) => this.#toDetail(market, index, end)),
    };
  }

  #toDetail(market: MarketDetailCollector, index: number, end: number): CollectedMarketDetail {
    return {
      uptime: this.#uptimes[index]?.share(end),
      halfLifeMs: market.halfLifeMs(end),
      atBest: this.#uptimes[index]?.atBest(end),
      worstCaseMicros: this.#worstCases.getLargest(index),
      mergeableShares: mergeablePairs(this.#options.state, index),
      lines: market.lines(this.#options.start, end),
    };
  }
}
