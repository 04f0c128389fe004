/**
 * What a strategy is: a name, a parameter schema and handlers. Handlers are synchronous, change nothing but their own
 * variables, and return intents, never orders. A missing handler costs nothing.
 */
import type { z } from 'zod';
import type { Random } from '../clock/index.ts';
import type {
  BotNo,
  CancelRejected,
  ConversionRejected,
  Converted,
  EpochMs,
  FillReversed,
  MarketInfo,
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
import type { Intent } from './intent.ts';

/** A trade of others, in YES terms. `taker` is unknown when the source does not name it. */
export interface MarketTrade {
  readonly market: MarketNo;
  readonly time: EpochMs;
  readonly taker: 'BUY' | 'SELL' | 'unknown';
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/** An event about an own order or conversion, except fills (`onFill`). */
export type OrderEvent =
  | OrderAccepted
  | OrderRejected
  | OrderReduced
  | OrderClosed
  | CancelRejected
  | Converted
  | ConversionRejected;

/** @deprecated Use `OrderEvent`. */
export type OrderNews = OrderEvent;

/** What a handler returns: intents in order, or undefined for none. */
export type Intents = readonly Intent[] | undefined;

/** @deprecated Use `Intents`. */
export type Wishes = Intents;

export interface StrategyHandlers {
  /** Once, before the first message. */
  onStart?(view: AccountView): Intents;
  /** After each message that changed the outside book, and once when trading resumes or the venue is reachable again. */
  onBook?(market: MarketView, view: AccountView): Intents;
  /** Each trade of others. The view has the state after the message; called before `onBook`. */
  onTrade?(trade: MarketTrade, view: AccountView): Intents;
  onFill?(fill: OrderFilled, view: AccountView): Intents;
  /** The venue took a provisional fill back: position, cash and P&L in the view are as if it had never been. */
  onFillReversed?(fill: FillReversed, view: AccountView): Intents;
  onOrder?(event: OrderEvent, view: AccountView): Intents;
  /** Status, halt, placing delay or resolution changed. */
  onMarket?(market: MarketView, view: AccountView): Intents;
  /** Limits, spread, or the venue's retail prices changed. */
  onConfig?(market: MarketView, view: AccountView): Intents;
  onTimer?(timer: TimerFired, view: AccountView): Intents;
  /** A signal from outside whose name the strategy reads. */
  onSignal?(signal: SignalReceived, view: AccountView): Intents;
  /** Once, when the run ends in order. Its intents are ignored, as all orders are cancelled next. */
  onStop?(view: AccountView): Intents;
}

/** What `create` receives besides the parameters. */
export interface StrategyContext {
  readonly bot: BotNo;
  /** Seeded by the run. A strategy may use no other randomness. */
  readonly random: Random;
  /** The markets of this instance, the only ones for which it may return intents: one, or with scope `run` all that it trades. */
  readonly markets: readonly MarketInfo[];
}

/** A timer that fires every `everyMs` from the start of the run. */
export interface TimerSpec {
  readonly name: string;
  readonly everyMs: number;
}

/**
 * How many instances of a strategy a run has. `market`: one for each of its markets, each with variables of its own. `run`: one
 * for all of its markets, for strategies that combine markets.
 */
export type StrategyScope = 'market' | 'run';

export interface Strategy<S extends z.ZodType = z.ZodType> {
  /** Kebab-case, as its folder. */
  readonly name: string;
  readonly summary: string;
  /** Schema of the parameters: state unit, range and default of each. Unknown keys are errors. */
  readonly params: S;
  /** Default `market`. */
  readonly scope?: StrategyScope;
  timers?(params: z.output<S>): readonly TimerSpec[];
  /** Names of the signals that it reads; others are refused. Left out, a strategy with `onSignal` reads every name. */
  signals?(params: z.output<S>): readonly string[];
  create(params: z.output<S>, context: StrategyContext): StrategyHandlers;
}

/** Gives a strategy its types: `export default defineStrategy({ name, summary, params: z.strictObject({…}), create })`. */
export function defineStrategy<S extends z.ZodType>(strategy: Strategy<S>): Strategy<S> {
  return strategy;
}
