/** Pulls, widens and shrinks the quotes of another strategy after jumps and sweeps and before resolution. See README.md. */
import {
  type AccountView,
  defineWrapper,
  type Intent,
  type Intents,
  type MarketNo,
  type MarketTrade,
  type MarketView,
  type StrategyHandlers,
  type WrapperContext,
} from 'halfspread';
import { MarketRegime } from './market-regime.ts';
import { type EventRegimeParams, eventRegimeParams } from './params.ts';

const TIMER = 'event-regime';

export default defineWrapper({
  name: 'event-regime',
  summary:
    'Wraps another maker: pulls its quotes after jumps and sweeps, widens with volatility, tapers to resolution.',
  params: eventRegimeParams,
  wrap: (inner, params, context) => regimeHandlers(inner, new Regimes(params, context)),
});

/** The handlers of the wrapped strategy, with what they return adjusted. */
function regimeHandlers(inner: StrategyHandlers, regimes: Regimes): StrategyHandlers {
  return {
    onStart(view) {
      regimes.start(view);
      return regimes.adjusted(view, inner.onStart?.(view));
    },
    onBook(market, view) {
      regimes.observe(view, market);
      return regimes.adjusted(view, inner.onBook?.(market, view));
    },
    onTrade(trade, view) {
      regimes.observeTrade(view, trade);
      return regimes.adjusted(view, inner.onTrade?.(trade, view));
    },
    onMarket(market, view) {
      regimes.observe(view, market);
      regimes.setTimer(view);
      return regimes.adjusted(view, inner.onMarket?.(market, view));
    },
    onTimer(timer, view) {
      if (timer.timer !== TIMER) return regimes.adjusted(view, inner.onTimer?.(timer, view));
      regimes.setTimer(view);
      return regimes.again(view);
    },
    onFill: (event, view) => regimes.adjusted(view, inner.onFill?.(event, view)),
    onFillReversed: (event, view) => regimes.adjusted(view, inner.onFillReversed?.(event, view)),
    onOrderAccepted: (event, view) => regimes.adjusted(view, inner.onOrderAccepted?.(event, view)),
    onOrderRejected: (event, view) => regimes.adjusted(view, inner.onOrderRejected?.(event, view)),
    onOrderReduced: (event, view) => regimes.adjusted(view, inner.onOrderReduced?.(event, view)),
    onOrderClosed: (event, view) => regimes.adjusted(view, inner.onOrderClosed?.(event, view)),
    onCancelRejected: (event, view) => regimes.adjusted(view, inner.onCancelRejected?.(event, view)),
    onConverted: (event, view) => regimes.adjusted(view, inner.onConverted?.(event, view)),
    onConversionRejected: (event, view) => regimes.adjusted(view, inner.onConversionRejected?.(event, view)),
    onConfig: (market, view) => regimes.adjusted(view, inner.onConfig?.(market, view)),
    // A strategy with this handler reads signals, so there is none unless the wrapped strategy has it.
    ...(inner.onSignal !== undefined && {
      onSignal: (signal, view) => regimes.adjusted(view, inner.onSignal?.(signal, view)),
    }),
    onStop: (view) => inner.onStop?.(view),
  };
}

/** The regimes of all markets of the instance, and the timer for their next change. */
class Regimes {
  readonly #context: WrapperContext;
  readonly #regimes: ReadonlyMap<MarketNo, MarketRegime>;
  /** The market in which a pull began in this call of a handler. */
  readonly #alarmed: MarketNo[] = [];
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(params: EventRegimeParams, context: WrapperContext) {
    this.#context = context;
    this.#regimes = new Map(context.markets.map(({ market }) => [market, new MarketRegime(params)]));
  }

  /** Takes the books as they are, so that the first move after the start can be a jump. */
  start(view: AccountView): void {
    for (const market of this.#regimes.keys()) this.observe(view, view.market(market));
    this.setTimer(view);
  }

  /** Takes the book and the state of a market. */
  observe(view: AccountView, market: MarketView): void {
    this.#onAlarm(view, market, this.#regimes.get(market.info.market)?.observe(view.now, market));
  }

  observeTrade(view: AccountView, trade: MarketTrade): void {
    const reason = this.#regimes.get(trade.market)?.observeTrade(view.now, trade);
    if (reason !== undefined) this.#onAlarm(view, view.market(trade.market), reason);
  }

  /** The intents with quotes adjusted, and quotes withdrawn where a pull began. Intents of other types stay as they are. */
  adjusted(view: AccountView, intents: Intents): Intents {
    // The runtime reports a value that is no list.
    if (intents !== undefined && !Array.isArray(intents)) return intents;
    const adjusted = intents?.map((intent) => this.#adjustedIntent(view, intent));
    const [alarmed] = this.#alarmed.splice(0);
    const regime = alarmed === undefined ? undefined : this.#regimes.get(alarmed);
    if (alarmed === undefined || regime?.needsWithdrawal(view.now) !== true) return adjusted;
    return [...(adjusted ?? []), ...this.#wanted(view, alarmed, regime)];
  }

  /** The quotes that the wrapped strategy wanted last, adjusted to the present regime. */
  again(view: AccountView): Intents {
    return [...this.#regimes].flatMap(([market, regime]) => this.#wanted(view, market, regime));
  }

  /** Sets the timer for the next change of any market, unless it is set already. */
  setTimer(view: AccountView): void {
    const changes = [...this.#regimes].map(([market, regime]) => regime.nextChange(view.now, view.market(market)));
    const next = Math.min(...changes);
    if (next === this.#timerAt || next === Number.POSITIVE_INFINITY) return;
    this.#timerAt = next;
    this.#context.timers.set(TIMER, { afterMs: next - view.now });
  }

  #onAlarm(view: AccountView, market: MarketView, reason: string | undefined): void {
    if (reason === undefined) return;
    this.#alarmed.push(market.info.market);
    this.#context.log.info(`quotes are pulled: ${reason}`, { market: market.info.slug });
    this.setTimer(view);
  }

  #adjustedIntent(view: AccountView, intent: Intent): Intent {
    if (intent.type !== 'quote') return intent;
    const market = view.market(intent.market);
    const regime = this.#regimes.get(market.info.market);
    if (regime === undefined) return intent;
    regime.wanted = intent;
    return regime.adjusted(view.now, market, intent);
  }

  #wanted(view: AccountView, number: MarketNo, regime: MarketRegime): readonly Intent[] {
    const market = view.market(number);
    return regime.wanted === undefined || !market.state.acceptingOrders
      ? []
      : [regime.adjusted(view.now, market, regime.wanted)];
  }
}
