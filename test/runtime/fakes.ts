/** Ports of the core with as little behaviour as a test can do with. */
import {
  approve,
  counted,
  epochMs,
  type Intent,
  type MarketNo,
  type OrderCommand,
  priceBps,
  type QuoteIntent,
  type Refused,
} from '../../src/domain/index.ts';
import type { Plan, Planner } from '../../src/execution/index.ts';
import type { RiskGate, RiskMode } from '../../src/risk/index.ts';
import { type Bot, createCore, type Outbox, type Step, type TradingCore } from '../../src/runtime/index.ts';
import type { AccountState, AccountView, MarketSetup, MarketView } from '../../src/state/index.ts';
import type { Intents, OrderEvent, StrategyHandlers, TimerSpec } from '../../src/strategy/index.ts';
import { eachMessage, messages } from '../state/messages.ts';
import { account, place, setup, shares } from '../state/world.ts';

export const MARKET = counted.market(0);

/** A quote set of bids of 10 shares, at these prices. */
export function bids(...prices: readonly number[]): QuoteIntent {
  const quotes = prices.map((price) => ({ side: 'bid' as const, price: priceBps(price), shares: shares(10) }));
  return { type: 'quote', market: MARKET, quotes };
}

export function botOf(handlers: StrategyHandlers, options: BotOptions = {}): Bot {
  const { number = 0, markets = [0], timers = [], name = `bot-${number}` } = options;
  return { bot: counted.bot(number), name, params: {}, markets: markets.map(counted.market), handlers, timers };
}

/** One handler for every event of an own order or conversion, fills apart. */
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

export interface BotOptions {
  readonly number?: number;
  readonly name?: string;
  readonly markets?: readonly number[];
  readonly timers?: readonly TimerSpec[];
}

/** Approves all; in modes KILLED and PAUSED nothing. */
export class FakeRisk implements RiskGate {
  readonly limits = { maxOrder: Number.POSITIVE_INFINITY, priceCollarBps: Number.POSITIVE_INFINITY };
  mode: RiskMode = 'ACTIVE';
  readonly checked: Intent[] = [];
  /** Equity at each look. */
  readonly looks: number[] = [];
  breach: Refused | undefined;
  reason: string | undefined;
  /** Markets that were reported as moved. */
  readonly strange: number[] = [];

  check(intent: Intent): ReturnType<RiskGate['check']> {
    this.checked.push(intent);
    if (this.mode !== 'KILLED' && this.mode !== 'PAUSED') return { approved: approve(intent), refused: [] };
    return { approved: undefined, refused: [refusal(this.mode)] };
  }

  /** Of markets whose fee is too high. */
  readonly feeStops = new Map<MarketNo, Refused>();

  feeRefusal({ info }: MarketView): Refused | undefined {
    return this.feeStops.get(info.market);
  }

  checkLosses(view: AccountView): Refused | undefined {
    this.looks.push(view.exitEquity);
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
    this.strange.push(market);
  }

  snapshot(): ReturnType<RiskGate['snapshot']> {
    const losses = { day: null, dayStart: 0, peak: null, last: null };
    return { mode: this.mode, reason: this.reason ?? null, losses };
  }
}

/** Places an order for each quote, whatever stands; `plan` can be made to wait. */
export class FakePlanner implements Planner {
  #next = 1;
  deferred = false;
  dropped: readonly Refused[] = [];
  sweeps: readonly OrderCommand[] = [];
  readonly swept: (readonly [bot: number, market: number])[] = [];

  get nextOrder(): Planner['nextOrder'] {
    return counted.order(this.#next);
  }

  plan(intent: Parameters<Planner['plan']>[0], bot: number): Plan {
    const { deferred, dropped } = this;
    if (intent.type === 'split' || intent.type === 'merge') {
      return { commands: [{ ...intent, bot: counted.bot(bot) }], deferred, dropped };
    }
    if (intent.type !== 'quote') return { commands: [], deferred, dropped };
    if (deferred) return { commands: [], deferred, dropped };
    const commands = intent.quotes.map(({ price }) => {
      this.#next += 1;
      return place({ order: this.#next - 1, bot, price, market: intent.market });
    });
    return { commands, deferred, dropped };
  }

  sweep(bot: number, market: number): readonly OrderCommand[] {
    this.swept.push([bot, market]);
    return this.sweeps;
  }
}

export function refusal(code: Refused['code']): Refused {
  return { ok: false, market: MARKET, code, limit: 1, was: 2 };
}

export function outbox(): Outbox {
  return { steps: [], commands: [], fault: undefined };
}

/** A core with its fakes, and short ways to drive it. */
export class Bench {
  readonly state: AccountState;
  readonly risk = new FakeRisk();
  readonly planner = new FakePlanner();
  readonly core: TradingCore;

  constructor(bots: readonly Bot[], markets: readonly MarketSetup[] = [setup()], claims = true) {
    this.state = account(markets);
    this.core = createCore({ state: this.state, bots, risk: this.risk, planner: this.planner, claims });
  }

  /** Started at 1000. */
  start(): this {
    this.step({ type: 'started', time: epochMs(1_000) });
    return this;
  }

  step(event: Step['event'] & object): Outbox {
    const out = outbox();
    this.core.step(event, out);
    return out;
  }

  /** Rows as text (see `messages.ts`). */
  tell(text: string): Outbox {
    const out = outbox();
    eachMessage(messages(text), (row) => this.core.market(row, out));
    return out;
  }
}

/** Types of commands in their order, with the numbers of orders: `place 1`. */
export function spoken(commands: readonly OrderCommand[]): readonly string[] {
  return commands.map((command) => ('order' in command ? `${command.type} ${command.order}` : command.type));
}
