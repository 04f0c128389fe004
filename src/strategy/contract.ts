/**
 * What a strategy is: a name, a parameter schema and handlers. Handlers are synchronous and pure but for their own
 * memory; they answer with intents, never with orders. A missing handler costs nothing.
 */
import type { z } from 'zod';
import type { Random } from '../clock/index.ts';
import type {
  BotNo,
  CancelRejected,
  ConversionRejected,
  Converted,
  EpochMs,
  Intent,
  MarketNo,
  MicroShares,
  OrderAccepted,
  OrderClosed,
  OrderFilled,
  OrderReduced,
  OrderRejected,
  PriceBps,
  SignalReceived,
  TimerFired,
} from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';

/** A trade of others, in YES terms. `taker` is unknown where the source does not tell. */
export interface MarketTrade {
  readonly market: MarketNo;
  readonly time: EpochMs;
  readonly taker: 'BUY' | 'SELL' | 'unknown';
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/** What happened to an own order, fills apart. */
export type OrderNews =
  | OrderAccepted
  | OrderRejected
  | OrderReduced
  | OrderClosed
  | CancelRejected
  | Converted
  | ConversionRejected;

/** What a handler answers: wishes in order, or nothing. */
export type Wishes = readonly Intent[] | undefined;

export interface StrategyHandlers {
  /** Once, before the first message. */
  onStart?(view: AccountView): Wishes;
  /**
   * After each message that changed the outside book, on its end state; and once when trading may go on again: an operator's
   * `resume`, a venue that is back.
   */
  onBook?(market: MarketView, view: AccountView): Wishes;
  /** Each trade of others, after the message's end state is in the view, before `onBook`. */
  onTrade?(trade: MarketTrade, view: AccountView): Wishes;
  onFill?(fill: OrderFilled, view: AccountView): Wishes;
  onOrder?(news: OrderNews, view: AccountView): Wishes;
  /** Status, halt, placing delay or resolution changed. */
  onMarket?(market: MarketView, view: AccountView): Wishes;
  /** Limits, spread, or the venue's retail prices changed. */
  onConfig?(market: MarketView, view: AccountView): Wishes;
  onTimer?(timer: TimerFired, view: AccountView): Wishes;
  onSignal?(signal: SignalReceived, view: AccountView): Wishes;
  /** Once, at an orderly end; what it wishes is not carried out, everything is cancelled after it. */
  onStop?(view: AccountView): Wishes;
}

/** What a strategy is given beside its parameters. */
export interface StrategyContext {
  readonly bot: BotNo;
  /** Seeded by the run: the only randomness a strategy may use. */
  readonly random: Random;
  /** The markets it was put on. */
  readonly markets: readonly MarketNo[];
}

/** A timer that fires every `everyMs` from the start of the run. */
export interface TimerSpec {
  readonly name: string;
  readonly everyMs: number;
}

export interface Strategy<S extends z.ZodType = z.ZodType> {
  /** Kebab-case, as its folder. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** Parameters with unit, range and default each; strict: unknown keys are errors. */
  readonly params: S;
  timers?(params: z.output<S>): readonly TimerSpec[];
  create(params: z.output<S>, context: StrategyContext): StrategyHandlers;
}

/** Gives a strategy its types: `export default defineStrategy({ name, summary, params: z.strictObject({…}), create })`. */
export function defineStrategy<S extends z.ZodType>(strategy: Strategy<S>): Strategy<S> {
  return strategy;
}
