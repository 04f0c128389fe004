/**
 * What a strategy is: a name, a parameter schema and handlers. Handlers are synchronous, change nothing but their own
 * variables, and return intents, never orders. A missing handler costs nothing.
 */
import type { z } from 'zod';
import type { Random } from '../clock/index.ts';
import type {
  BotNo,
  ConversionRejected,
  Converted,
  EpochMs,
  MarketInfo,
  MarketNo,
  MicroShares,
  PriceBps,
  SignalReceived,
  TimerFired,
} from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Intent } from './intent.ts';
import type {
  CancelRejected,
  FillReversed,
  OrderAccepted,
  OrderClosed,
  OrderFilled,
  OrderReduced,
  OrderRejected,
} from './order-events.ts';

/** A trade of others, in YES terms. `taker` is unknown when the source does not name it. */
export interface MarketTrade {
  readonly market: MarketNo;
  readonly time: EpochMs;
  readonly taker: 'BUY' | 'SELL' | 'unknown';
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/** What a handler returns: intents in order, or undefined for none. */
export type Intents = readonly Intent[] | undefined;

export interface StrategyHandlers {
  /** Once, before the first message, and after `onFill` of the fills that happened while the bot was down. */
  onStart?(view: AccountView): Intents;
  /**
   * After each message that changed the outside book, and once when trading resumes or the venue is reachable again.
   */
  onBook?(market: MarketView, view: AccountView): Intents;
  /** Each trade of others. The view has the state after the message; called before `onBook`. */
  onTrade?(trade: MarketTrade, view: AccountView): Intents;
  /**
   * An own order traded. `fill.recovery` is set for a fill that happened while the bot or its connection was down: at a
   * start, the view has all missed fills, and the intents of these calls are executed after the last of them.
   */
  onFill?(fill: OrderFilled, view: AccountView): Intents;
  /** The venue took a provisional fill back: position, cash and P&L in the view are as if it had never been. */
  onFillReversed?(fill: FillReversed, view: AccountView): Intents;
  /** The venue has the order: it rests, or a taking order was processed. */
  onOrderAccepted?(event: OrderAccepted, view: AccountView): Intents;
  /** The venue refused the order: it never was. */
  onOrderRejected?(event: OrderRejected, view: AccountView): Intents;
  /** The order became smaller without a fill. */
  onOrderReduced?(event: OrderReduced, view: AccountView): Intents;
  /** The order is over. Also called, with reason `FILLED`, after the fill that leaves nothing. */
  onOrderClosed?(event: OrderClosed, view: AccountView): Intents;
  /** A cancel or reduce could not be done. */
  onCancelRejected?(event: CancelRejected, view: AccountView): Intents;
  /** A split, merge or claim happened. */
  onConverted?(event: Converted, view: AccountView): Intents;
  /** A split, merge or claim was refused. */
  onConversionRejected?(event: ConversionRejected, view: AccountView): Intents;
  /** Status, halt, placing delay or resolution changed. */
  onMarket?(market: MarketView, view: AccountView): Intents;
  /** Limits or spread changed. */
  onConfig?(market: MarketView, view: AccountView): Intents;
  /** The venue's retail prices changed (`market.prices`). Never in a backtest: recordings have none. */
  onPrices?(market: MarketView, view: AccountView): Intents;
  onTimer?(timer: TimerFired, view: AccountView): Intents;
  /** A signal from outside whose name the strategy reads. */
  onSignal?(signal: SignalReceived, view: AccountView): Intents;
  /** Once, when the run ends in order. Its intents are ignored, as all orders are cancelled next. */
  onStop?(view: AccountView): Intents;
}

/** Short values for a log line. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type LogLevel = 'info' | 'warn' | 'error';

/**
 * The bot's log, live and on paper; standard error in a backtest; silent in a replay. At most 20 lines a second are
 * written, and long texts are cut.
 */
export type StrategyLog = Readonly<Record<LogLevel, (text: string, fields?: LogFields) => void>>;

/** State that survives a restart. It is stored with the step in which it was set. */
export interface StrategyState<Value> {
  /** The state as last set, frozen; at first what an earlier run stored, or else the schema's defaults. */
  get(): Value;
  /**
   * Replaces the state, in a handler. An equal state is not stored again.
   * @throws InputFault when the schema refuses it; TypeError when JSON does not keep it or it has over 65,536
   *   characters
   */
  set(next: Value): void;
}

/** Whole milliseconds from now, once or again and again. */
export type TimerDelay = { readonly afterMs: number } | { readonly everyMs: number };

/** Timers that a strategy sets in its handlers, up to 100 at a time. They call `onTimer`; a restart forgets them. */
export interface StrategyTimers {
  /** Sets or resets the timer of a name. @throws InputFault for a wrong delay, and for the 101st timer */
  set(name: string, delay: TimerDelay): void;
  /** Stops a timer. Does nothing for an unknown name. */
  clear(name: string): void;
}

/** What `create` receives besides the parameters. */
export interface StrategyContext<Value = unknown> {
  readonly bot: BotNo;
  /** Seeded by the run. A strategy may use no other randomness. */
  readonly random: Random;
  /**
   * The markets of this instance, the only ones for which it may return intents: one, or with scope `run` all that it
   * trades.
   */
  readonly markets: readonly MarketInfo[];
  readonly log: StrategyLog;
  /** Of a strategy with a `state` schema. */
  readonly state: StrategyState<Value>;
  readonly timers: StrategyTimers;
}

/** A timer that fires every `everyMs` from the start of the run. */
export interface TimerSpec {
  readonly name: string;
  readonly everyMs: number;
}

/**
 * How many instances of a strategy a run has. `market`: one for each of its markets, each with variables of its own.
 * `run`: one for all of its markets, for strategies that combine markets.
 */
export type StrategyScope = 'market' | 'run';

export interface Strategy<S extends z.ZodType = z.ZodType, T extends z.ZodType = z.ZodType> {
  /** Kebab-case, as its folder. */
  readonly name: string;
  readonly summary: string;
  /** Schema of the parameters: state unit, range and default of each. Unknown keys are errors. */
  readonly params: S;
  /** Default `market`. */
  readonly scope?: StrategyScope;
  /** Schema of `context.state`, with a default for each field: plain numbers, texts, booleans, lists and objects. */
  readonly state?: T;
  timers?(params: z.output<S>): readonly TimerSpec[];
  /** Names of the signals that it reads; others are refused. Left out, a strategy with `onSignal` reads every name. */
  signals?(params: z.output<S>): readonly string[];
  create(params: z.output<S>, context: StrategyContext<z.output<T>>): StrategyHandlers;
}

/**
 * Gives a strategy its types: `export default defineStrategy({ name, summary, params: z.strictObject({…}), create })`.
 */
export function defineStrategy<S extends z.ZodType, T extends z.ZodType = z.ZodUndefined>(
  strategy: Strategy<S, T>,
): Strategy<S, T> {
  return strategy;
}

/**
 * A strategy around another one, whose handlers it replaces. The parameters in a file also have the keys `strategy`, the name
 * or path of the wrapped one, and `params`, its parameters. Scope, state, timers and signals are those of the wrapped one.
 */
export interface StrategyWrapper<S extends z.ZodObject = z.ZodObject> {
  /** Kebab-case, as its folder. In a run, it is followed by the name of the wrapped strategy. */
  readonly name: string;
  readonly summary: string;
  /** Schema of its own parameters, without `strategy` and `params`. Unknown keys are errors. */
  readonly params: S;
  /**
   * Returns the handlers that are called in place of the wrapped ones, which it calls itself. `onSignal` must be left out
   * when the wrapped strategy has none, because a strategy with that handler reads signals.
   */
  wrap(handlers: StrategyHandlers, params: z.output<S>, context: WrapperContext): StrategyHandlers;
}

/** What `wrap` receives: the wrapped strategy's context without its state. Timers share their names. */
export type WrapperContext = Omit<StrategyContext, 'state'>;

/** Gives a wrapper its types: `export default defineWrapper({ name, summary, params: z.strictObject({…}), wrap })`. */
export function defineWrapper<S extends z.ZodObject>(wrapper: StrategyWrapper<S>): StrategyWrapper<S> {
  return wrapper;
}
