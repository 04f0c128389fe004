/**
 * The contract of strategies: a name, a parameter schema and handlers. Handlers are synchronous, change only their own
 * variables, and return intents, not orders. A missing handler costs nothing.
 */
import type { z } from 'zod';
import type { Random } from '../clock/index.ts';
import type {
  ConversionRejected,
  Converted,
  OrderAccepted as DomainAccepted,
  CancelRejected as DomainCancelRejected,
  ClaimIntent as DomainClaim,
  OrderClosed as DomainClosed,
  ConvertIntent as DomainConvert,
  OrderFilled as DomainFilled,
  QuoteIntent as DomainQuote,
  OrderReduced as DomainReduced,
  OrderRejected as DomainRejected,
  FillReversed as DomainReversed,
  TakeIntent as DomainTake,
  EpochMs,
  InstanceNo,
  MarketInfo,
  MarketNo,
  MicroShares,
  PriceBps,
  SignalReceived,
  TimerFired,
} from '../domain/index.ts';
import type { AccountView, MarketRef, MarketView } from '../state/index.ts';

export type QuoteIntent = DomainQuote<MarketRef>;
export type TakeIntent = DomainTake<MarketRef>;
export type ConvertIntent = DomainConvert<MarketRef>;
export type ClaimIntent = DomainClaim<MarketRef>;
/** An intent that a strategy returns. Its market is any `MarketRef`, such as a slug or a view. */
export type Intent = QuoteIntent | TakeIntent | ConvertIntent | ClaimIntent;

/** Adds the tag of the order's quote, if it has a tag. Of the closed orders, only the last 1,000 keep their tags. */
type Tagged<Event> = Event & { readonly tag?: string };

export type OrderAccepted = Tagged<DomainAccepted>;
export type OrderRejected = Tagged<DomainRejected>;
export type OrderReduced = Tagged<DomainReduced>;
export type OrderClosed = Tagged<DomainClosed>;
export type OrderFilled = Tagged<DomainFilled>;
export type FillReversed = Tagged<DomainReversed>;
export type CancelRejected = Tagged<DomainCancelRejected>;

/** An event about an own order or conversion, except fills. Each event type has its own handler. */
export type OrderEvent =
  | OrderAccepted
  | OrderRejected
  | OrderReduced
  | OrderClosed
  | CancelRejected
  | Converted
  | ConversionRejected;

/** A trade of others, in YES terms. `taker` is unknown when the source does not name the taker's side. */
export interface MarketTrade {
  readonly market: MarketNo;
  readonly time: EpochMs;
  readonly taker: 'BUY' | 'SELL' | 'unknown';
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/** Return value of a handler: intents in order, or undefined for none. */
export type Intents = readonly Intent[] | undefined;

export interface StrategyHandlers {
  /** Called once, before the first message. Fills from the bot's downtime reach `onFill` before `onStart`. */
  onStart?(view: AccountView): Intents;
  /** Called after each message that changed the outside book, and once when trading or the connection resumes. */
  onBook?(market: MarketView, view: AccountView): Intents;
  /** Called for each trade of others, before `onBook`. The view has the state after the message. */
  onTrade?(trade: MarketTrade, view: AccountView): Intents;
  /**
   * An own order traded. `fill.recovery` is set for a fill that happened while the bot or its connection was down. At a
   * start, the view already includes all missed fills. Intents are executed after the call for the last fill.
   */
  onFill?(fill: OrderFilled, view: AccountView): Intents;
  /** The venue reversed a provisional fill. Position, cash and P&L in the view no longer include the fill. */
  onFillReversed?(fill: FillReversed, view: AccountView): Intents;
  /** The venue accepted the order, which now rests or was processed as a take. */
  onOrderAccepted?(event: OrderAccepted, view: AccountView): Intents;
  onOrderRejected?(event: OrderRejected, view: AccountView): Intents;
  /** The order became smaller without a fill. */
  onOrderReduced?(event: OrderReduced, view: AccountView): Intents;
  /** The order was closed. After an order's last fill, the reason is `FILLED`. */
  onOrderClosed?(event: OrderClosed, view: AccountView): Intents;
  /** A cancel or reduce failed. */
  onCancelRejected?(event: CancelRejected, view: AccountView): Intents;
  /** A split, merge or claim succeeded. */
  onConverted?(event: Converted, view: AccountView): Intents;
  /** A split, merge or claim was refused. */
  onConversionRejected?(event: ConversionRejected, view: AccountView): Intents;
  /** Status, halt, placing delay or resolution changed. */
  onMarket?(market: MarketView, view: AccountView): Intents;
  /** Limits or spread changed. */
  onConfig?(market: MarketView, view: AccountView): Intents;
  /** The venue's retail prices changed (`market.prices`). Not called in a backtest, which has no retail prices. */
  onPrices?(market: MarketView, view: AccountView): Intents;
  onTimer?(timer: TimerFired, view: AccountView): Intents;
  /** An external signal arrived whose name the strategy reads. */
  onSignal?(signal: SignalReceived, view: AccountView): Intents;
  /** Called once, when the run ends in an orderly way. Intents are ignored, because all orders are cancelled next. */
  onStop?(view: AccountView): Intents;
}

/** Short values for a log line. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type LogLevel = 'info' | 'warn' | 'error';

/**
 * Writes to the bot's log when live or on paper, to standard error in a backtest, and nowhere in a replay. At most 20
 * lines a second are written, and long texts are cut.
 */
export type StrategyLog = Readonly<Record<LogLevel, (text: string, fields?: LogFields) => void>>;

/** State that survives a restart. The state is stored with the step that set it. */
export interface StrategyState<Value> {
  /** Returns the latest state, frozen: initially an earlier run's state, or otherwise the schema's defaults. */
  get(): Value;
  /**
   * Replaces the state. Call this only in a handler. An equal state is not stored again.
   * @throws InputFault if the schema refuses the state; TypeError if JSON changes it or has over 65,536 characters
   */
  set(next: Value): void;
}

/** Whole milliseconds: `afterMs` fires once, `everyMs` repeatedly. */
export type TimerDelay = { readonly afterMs: number } | { readonly everyMs: number };

/** Up to 100 timers, which a strategy sets in its handlers. Timers call `onTimer`. A restart drops all timers. */
export interface StrategyTimers {
  /** Sets or resets the timer of a name. @throws InputFault for an invalid delay, and for the 101st timer */
  set(name: string, delay: TimerDelay): void;
  /** Stops a timer. Does nothing for an unknown name. */
  clear(name: string): void;
}

/** Second argument of `create`. */
export interface StrategyContext<Value = unknown> {
  readonly bot: InstanceNo;
  /** Seeded by the run. Strategies must not use other randomness. */
  readonly random: Random;
  /** Markets for which this instance may return intents: one market, or with scope `run` all the strategy's markets. */
  readonly markets: readonly MarketInfo[];
  readonly log: StrategyLog;
  /** Only for a strategy with a `state` schema. */
  readonly state: StrategyState<Value>;
  readonly timers: StrategyTimers;
}

/** A timer that fires every `everyMs` from the start of the run. */
export interface TimerSpec {
  readonly name: string;
  readonly everyMs: number;
}

/**
 * Number of a strategy's instances. `market`: an instance per market, each with its own variables. `run`: a single
 * instance for all markets, for strategies that combine markets.
 */
export type StrategyScope = 'market' | 'run';

export interface Strategy<S extends z.ZodType = z.ZodType, T extends z.ZodType = z.ZodType> {
  /** Kebab-case, like the strategy's folder. */
  readonly name: string;
  readonly summary: string;
  /** Schema of the parameters. Describe each parameter's unit, range and default. Unknown keys are errors. */
  readonly params: S;
  /** Default `market`. */
  readonly scope?: StrategyScope;
  /** Schema of `context.state`, with a default for each field: plain numbers, texts, booleans, lists and objects. */
  readonly state?: T;
  timers?(params: z.output<S>): readonly TimerSpec[];
  /** Names of the signals that the strategy reads. Default: all signals for a strategy with `onSignal`. */
  signals?(params: z.output<S>): readonly string[];
  create(params: z.output<S>, context: StrategyContext<z.output<T>>): StrategyHandlers;
}

/** Declares a strategy: `export default defineStrategy({ name, summary, params: z.strictObject({…}), create })`. */
export function defineStrategy<S extends z.ZodType, T extends z.ZodType = z.ZodUndefined>(
  strategy: Strategy<S, T>,
): Strategy<S, T> {
  return strategy;
}

/**
 * A wrapper replaces the handlers of another strategy. Its configuration also has the keys `strategy`, the name or path
 * of the wrapped strategy, and `params`. The wrapped strategy determines scope, state, timers and signals.
 */
export interface StrategyWrapper<S extends z.ZodObject = z.ZodObject> {
  /** Kebab-case, like the wrapper's folder. In a run, the wrapped strategy's name follows this name. */
  readonly name: string;
  readonly summary: string;
  /** Schema of the wrapper's own parameters, without `strategy` and `params`. Unknown keys are errors. */
  readonly params: S;
  /**
   * Returns handlers that replace the wrapped handlers and call them. Omit `onSignal` if the wrapped strategy has no
   * `onSignal`, because a strategy with that handler reads signals.
   */
  wrap(handlers: StrategyHandlers, params: z.output<S>, context: WrapperContext): StrategyHandlers;
}

/** The wrapped strategy's context without its state. Wrapper and wrapped strategy share the names of timers. */
export type WrapperContext = Omit<StrategyContext, 'state'>;

/** Declares a wrapper: `export default defineWrapper({ name, summary, params: z.strictObject({…}), wrap })`. */
export function defineWrapper<S extends z.ZodObject>(wrapper: StrategyWrapper<S>): StrategyWrapper<S> {
  return wrapper;
}
