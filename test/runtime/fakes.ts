/** Minimal implementations of the core's ports. */

import {
  approve,
  epochMs,
  type Intent,
  type MarketNo,
  type OrderCommand,
  priceBps,
  type QuoteIntent,
  type Refused,
  unchecked,
} from '../../src/domain/index.ts';
import type { Planner } from '../../src/execution/index.ts';
import type { Plan } from '../../src/execution/planner.ts';
import type { RiskGate, RiskMode } from '../../src/risk/index.ts';
import { type Step, type StrategyInstance, TradingCore } from '../../src/runtime/index.ts';
import type { Outbox } from '../../src/runtime/ports.ts';
import type { AccountState, AccountView, MarketSetup, MarketView } from '../../src/state/index.ts';
import type { Intents, OrderEvent, StrategyHandlers, TimerSpec } from '../../src/strategy/index.ts';
import { eachMessage, messages } from '../state/messages.ts';
import { account, place, setup, shares } from '../state/world.ts';

export const MARKET = unchecked.market(0);

/** A quote set of bids of 10 shares at these prices. */
export function bids(...prices: readonly number[]): QuoteIntent {
  const quotes = prices.map((price) => ({ side: 'bid' as const, price: priceBps(price), shares: shares(10) }));
  return { type: 'quote', market: MARKET, quotes };
}

export function createInstance(handlers: StrategyHandlers, options: InstanceOptions = {}): StrategyInstance {
  const { number = 0, markets = [0], timers = [], name = `bot-${number}` } = options;
  return {
    bot: unchecked.instance(number),
    name,
    params: {},
    markets: markets.map(unchecked.market),
    handlers,
    timers,
  };
}

/** Handlers that pass every event of an own order or conversion except fills to one function. */
export function orderHandlers(handle: (event: OrderEvent, view: AccountView) => Intents): StrategyHandlers {
  return {
    onOrderAccepted: handle,
    onOrderRejected: handle,
    onOrderReduced: handle,
    onOrderClosed: handle,
    onCancelRejected: handle,
    onConverted: handle,
    onConversionRejected: handle,
  };
}

export interface InstanceOptions {
  readonly number?: number;
  readonly name?: string;
  readonly markets?: readonly number[];
  readonly timers?: readonly TimerSpec[];
}

/** Approves every intent, except in modes KILLED and PAUSED. */
export class FakeRisk implements RiskGate {
  readonly limits = { maxOrder: Number.POSITIVE_INFINITY, priceCollarBps: Number.POSITIVE_INFINITY };
  mode: RiskMode = 'ACTIVE';
  readonly checked: Intent[] = [];
  /** Equity at each check. */
  readonly equityChecks: number[] = [];
  breach: Refused | undefined;
  reason: string | undefined;
  /** Markets whose holdings were reported as changed. */
  readonly changedHoldings: number[] = [];

  check(intent: Intent): ReturnType<RiskGate['check']> {
    this.checked.push(intent);
    if (this.mode !== 'KILLED' && this.mode !== 'PAUSED') return { approved: approve(intent), refused: [] };
    return { approved: undefined, refused: [refusal(this.mode)] };
  }

  /** Refusals of markets with too high a fee. */
  readonly feeStops = new Map<MarketNo, Refused>();

  feeRefusal({ info }: MarketView): Refused | undefined {
    return this.feeStops.get(info.market);
  }

  checkLosses(view: AccountView): Refused | undefined {
    this.equityChecks.push(view.exitEquity);
    const { breach } = this;
    this.breach = undefined;
    if (breach !== undefined) this.mode = 'KILLED';
    return breach;
  }

  setMode(mode: RiskMode, reason?: string): void {
    this.mode = mode;
    this.reason = reason;
  }

  onHoldingsChanged(market: number): void {
    this.changedHoldings.push(market);
  }

  snapshot(): ReturnType<RiskGate['snapshot']> {
    const losses = { day: null, dayStart: 0, peak: null, last: null };
    return { mode: this.mode, reason: this.reason ?? null, losses };
  }
}

/** Places an order for each quote regardless of open orders. With `isDeferred` it plans nothing. */
export class FakePlanner implements Planner {
  #next = 1;
  isDeferred = false;
  dropped: readonly Refused[] = [];
  sweeps: readonly OrderCommand[] = [];
  readonly swept: (readonly [bot: number, market: number])[] = [];

  get nextOrder(): Planner['nextOrder'] {
    return unchecked.order(this.#next);
  }

  plan(intent: Parameters<Planner['plan']>[0], bot: number): Plan {
    const { isDeferred, dropped } = this;
    if (intent.type === 'split' || intent.type === 'merge') {
      return { commands: [{ ...intent, bot: unchecked.instance(bot) }], isDeferred, dropped };
    }
    if (intent.type !== 'quote') return { commands: [], isDeferred, dropped };
    if (isDeferred) return { commands: [], isDeferred, dropped };
    const commands = intent.quotes.map(({ price }) => {
      this.#next += 1;
      return place({ order: this.#next - 1, bot, price, market: intent.market });
    });
    return { commands, isDeferred, dropped };
  }

  mergePairs(bot: number, market: number): readonly OrderCommand[] {
    this.swept.push([bot, market]);
    return this.sweeps;
  }
}

export function refusal(code: Refused['code']): Refused {
  return { ok: false, market: MARKET, code, limit: 1, actual: 2 };
}

export function outbox(): Outbox {
  return { steps: [], commands: [], fault: undefined };
}

/** A core with fakes. */
export class Bench {
  readonly state: AccountState;
  readonly risk = new FakeRisk();
  readonly planner = new FakePlanner();
  readonly core: TradingCore;

  constructor(
    instances: readonly StrategyInstance[],
    markets: readonly MarketSetup[] = [setup()],
    { shouldClaim = true } = {},
  ) {
    this.state = account(markets);
    this.core = new TradingCore({ state: this.state, instances, risk: this.risk, planner: this.planner, shouldClaim });
  }

  /** Starts at time 1000. */
  start(): this {
    this.step({ type: 'started', time: epochMs(1_000) });
    return this;
  }

  step(event: Step['event'] & object): Outbox {
    const out = outbox();
    this.core.step(event, out);
    return out;
  }

  /** Sends market data as text (see `messages.ts`). */
  feed(text: string): Outbox {
    const out = outbox();
    eachMessage(messages(text), (row) => this.core.market(row, out));
    return out;
  }
}

/** Types of commands with their order numbers, such as `place 1`. */
export function commandTexts(commands: readonly OrderCommand[]): readonly string[] {
  return commands.map((command) => ('order' in command ? `${command.type} ${command.order}` : command.type));
}
