/**
 * Collects the fields of the result that the ledger does not have. Events of the simulated venue have exchange time,
 * and events of the core have the bot's time. Memory is bounded.
 *
 * HOT: `onMark`, `onPrint` and `onMessage` are called for every mark, print and message (bench/replay.ts).
 */
import {
  type CollectedMarket,
  computeHalfSpreads,
  Drawdown,
  type MakerHalfSpreads,
  MarketTotals,
  MarkoutTotals,
  type TagResults,
  TagTotals,
  TimeIntegral,
} from '../../analytics/index.ts';
import type { Random } from '../../clock/index.ts';
import { type InputEvent, LOT, type MarketNo, type StepTime } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { Cursor } from '../../tape/index.ts';
import type { SimPrint } from '../../venues/sim/index.ts';
import type { FillCounts, OrderCounts, OrderReasons } from '../run-result.ts';
import { OrderTally } from './order-tally.ts';
import { heldLots, type ObservedFill, type ObservedRun, type RunObserver } from './run-observer.ts';

export interface CollectedResult {
  readonly orders: OrderCounts;
  readonly orderReasons: OrderReasons;
  readonly fills: FillCounts;
  readonly maxDrawdownMicros: number;
  readonly tags: TagResults;
  /** P&L over all tags, half micro-USD. */
  readonly halfMicros: number;
  /** The loss limit that ended trading; undefined if no loss limit was exceeded. */
  readonly endedBy: string | undefined;
  /** Commission on net winnings, withheld at claims. */
  readonly commissionMicros: number;
  readonly markets: readonly CollectedMarket[];
  /** Half-spreads of own fills against the mark (docs/spec/models.md#mark). */
  readonly atMark: MakerHalfSpreads;
  readonly inUse: CapitalInUse;
}

export interface CapitalInUse {
  /** Time-weighted mean, micro-USD. */
  readonly meanMicros: number;
  readonly maxMicros: number;
  /** Time integral, micro-USD times days. */
  readonly microUsdDays: number;
}

const DAY_MS = 86_400_000;

export class ResultCollector implements RunObserver {
  readonly #state: AccountState;
  readonly #equityNow: () => number;
  readonly #atMark = new MarkoutTotals();
  readonly #markets: readonly MarketTotals[];
  readonly #orders = new OrderTally();
  readonly #capitalInUse = new TimeIntegral();
  readonly #heldCosts: Float64Array;
  #heldCost = 0;
  readonly #drawdown: Drawdown;
  /** Whether there were holdings at the start, or a fill. */
  #isAtRisk = false;
  #makerFills = 0;
  #takerFills = 0;
  #filledLots = 0;
  #commission = 0;
  #reversedFills = 0;
  /** Fills that the venue may still reverse, by trade. */
  readonly #provisional = new Map<string, { readonly fill: ObservedFill; readonly number: number | undefined }>();

  constructor({ start, capital, state, markets, equity }: ObservedRun) {
    this.#state = state;
    this.#equityNow = equity;
    this.#markets = Array.from(
      { length: markets },
      (_, index) => new MarketTotals(this.#atMark, heldLots(state, index)),
    );
    this.#heldCosts = new Float64Array(markets);
    for (const { info, position } of state.markets) {
      this.#heldCosts[info.market] = position.yesCost + position.noCost;
      this.#heldCost += position.yesCost + position.noCost;
      this.#isAtRisk ||= heldLots(state, info.market) !== 0;
    }
    this.#capitalInUse.set(start, state.cash - state.available + this.#heldCost);
    this.#drawdown = new Drawdown(capital);
  }

  get fillCount(): number {
    return this.#makerFills + this.#takerFills;
  }

  onFill(fill: ObservedFill): void {
    const number = this.#markets[fill.market]!.addFill(fill);
    if (fill.trade !== undefined) this.#provisional.set(fill.trade, { fill, number });
    this.#countFill(fill, 1);
    this.#isAtRisk = true;
    this.#drawdown.sample(this.#equityNow());
  }

  onFillSettled(trade: string): void {
    const provisional = this.#provisional.get(trade);
    this.#provisional.delete(trade);
    if (provisional?.number !== undefined) this.#markets[provisional.fill.market]!.settleFill(provisional.number);
  }

  onFillReversed(trade: string): void {
    const provisional = this.#provisional.get(trade);
    this.#provisional.delete(trade);
    if (provisional === undefined) return;
    this.#markets[provisional.fill.market]!.reverseFill(provisional.fill, provisional.number);
    this.#countFill(provisional.fill, -1);
    this.#reversedFills += 1;
    this.#drawdown.sample(this.#equityNow());
  }

  onMark(market: MarketNo, at: StepTime, mark: number): void {
    this.#markets[market]!.setMark(at, mark);
    // Without holdings, equity is cash and does not depend on the mark.
    if (this.#isAtRisk) this.#drawdown.sample(this.#equityNow());
  }

  onPrint(print: SimPrint): void {
    this.#markets[print.market]!.addPrint(print);
  }

  onMessage(last: Cursor): void {
    const state = this.#state;
    for (let index = 0; index < state.messageMarketCount; index += 1) {
      const tradedMarket = state.messageMarketAt(index);
      if (!tradedMarket.stateChanged) continue;
      const { settlement } = tradedMarket.position;
      if (settlement === undefined) continue;
      this.#markets[tradedMarket.info.market]!.resolve(
        last.tx,
        settlement === 'CANCELLED' ? undefined : 2 * settlement,
      );
      this.#drawdown.sample(this.#equityNow());
    }
  }

  onEvent(event: InputEvent): void {
    if (event.type === 'converted') this.#commission += event.fee;
    else if (event.type !== 'orderFilled' && event.type !== 'fillReversed') return;
    const { yesCost, noCost } = this.#state.market(event.market).position;
    const cost = yesCost + noCost;
    this.#heldCost += cost - (this.#heldCosts[event.market] ?? 0);
    this.#heldCosts[event.market] = cost;
    this.#drawdown.sample(this.#equityNow());
  }

  onSteps(steps: readonly Step[]): void {
    this.#orders.add(steps);
    const { cash, available, now } = this.#state;
    this.#capitalInUse.set(now, cash - available + this.#heldCost);
  }

  #countFill({ liquidity, shares }: ObservedFill, sign: 1 | -1): void {
    if (liquidity === 'maker') this.#makerFills += sign;
    else this.#takerFills += sign;
    this.#filledLots += (sign * shares) / LOT;
  }

  /** Ends the replay. @param end time of the last event or row @param random source of the bootstrap draws */
  finish(end: number, random: Random): CollectedResult {
    this.#drawdown.sample(this.#equityNow());
    const tags = new TagTotals();
    const markets = this.#markets.map((market) => market.finish(end, tags));
    return {
      orders: this.#orders.counts(),
      orderReasons: this.#orders.reasons(),
      fills: {
        count: this.fillCount,
        maker: this.#makerFills,
        taker: this.#takerFills,
        shares: this.#filledLots * LOT,
        ...(this.#reversedFills === 0 ? {} : { reversed: this.#reversedFills }),
      },
      maxDrawdownMicros: this.#drawdown.worst,
      tags: tags.results(),
      halfMicros: tags.halfMicros,
      endedBy: this.#orders.endedBy,
      commissionMicros: this.#commission,
      markets,
      atMark: computeHalfSpreads(this.#atMark, random),
      inUse: {
        meanMicros: Math.round(this.#capitalInUse.mean(end)),
        maxMicros: this.#capitalInUse.max,
        microUsdDays: this.#capitalInUse.integral(end) / DAY_MS,
      },
    };
  }
}
