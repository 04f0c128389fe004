/** Sends intents through risk and execution to a fake venue, and checks the rules of both at each step. */
import {
  complement,
  costAt,
  durationMs,
  type InstanceNo,
  type Intent,
  instanceNo,
  marketId,
  marketNo,
  type OrderCommand,
  type OrderNo,
  orderNo,
  type Quote,
  type QuoteIntent,
  SHARE,
  type Sign,
  unchecked,
} from '../../src/domain/index.ts';
import { createPlanner, type Planner } from '../../src/execution/index.ts';
import { createRiskGate, type RiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { NO_LIMITS, shares, usd } from '../risk/fake-account.ts';
import { FakeVenue } from './fake-venue.ts';

export const MARKET = marketNo(0);
/** Shares, and dollars. */
const MAX_POSITION = 100;
const MAX_NOTIONAL = 60;
const SIDES: readonly Sign[] = [1, -1];

/** The most that orders on one side of an instance may hold, micro-shares. */
interface Bound {
  readonly bot: InstanceNo;
  readonly sign: Sign;
  max: number;
}

export class Trading {
  readonly venue: FakeVenue;
  readonly state: AccountState;
  /** Descriptions of broken rules. */
  readonly faults: string[] = [];
  readonly #start: number;
  readonly #maxOpenOrders: number;
  readonly #gate: RiskGate;
  readonly #planner: Planner;
  readonly #intents = new Map<InstanceNo, QuoteIntent>();
  readonly #waiting = new Set<InstanceNo>();
  readonly #approved = new Map<InstanceNo, readonly Quote[]>();
  readonly #bounds: Bound[];

  constructor(cash: number, delays: boolean, bots: readonly InstanceNo[], maxOpenOrders = 100) {
    this.#start = usd(cash);
    this.#maxOpenOrders = maxOpenOrders;
    const limits = riskSchema.parse({
      max_position: MAX_POSITION,
      max_notional_usd: MAX_NOTIONAL,
      max_open_orders: maxOpenOrders,
      max_book_age_ms: 'none',
      price_collar_bps: 'none',
    });
    this.#gate = createRiskGate(riskLimits(limits));
    this.#planner = createPlanner({ firstOrder: orderNo(1), maxOpenOrders });
    this.venue = new FakeVenue(usd(cash), delays);
    this.#bounds = bots.flatMap((instance) => SIDES.map((sign) => ({ bot: instance, sign, max: 0 })));
    const info = {
      market: MARKET,
      id: marketId('00000000-0000-4000-8000-000000000000'),
      slug: 'market',
      question: 'Will it?',
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: undefined,
    } as const;
    const state = { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(delays ? 5000 : 0) } as const;
    this.state = new AccountState({ cash: usd(cash), markets: [{ info, limits: NO_LIMITS, state }] });
  }

  /** Submits an intent of a strategy. Returns the commands sent. */
  submit(intent: Intent, instance: InstanceNo): readonly OrderCommand[] {
    if (intent.type === 'quote') this.#intents.set(instance, intent);
    const { approved } = this.#gate.check(intent, instance, this.state);
    if (approved === undefined) return [];
    if (approved.type === 'quote') {
      this.#approved.set(instance, approved.quotes);
      this.#bind(approved, instance);
    }
    const { commands, isDeferred } = this.#planner.plan(approved, instance, this.state);
    this.#testCommands(commands);
    for (const command of commands) this.state.applyCommand(command, this.state.now);
    if (intent.type === 'quote' && isDeferred) this.#waiting.add(instance);
    else if (intent.type === 'quote') this.#waiting.delete(instance);
    this.venue.send(commands);
    return commands;
  }

  /** Submits the latest quotes of a bot again. */
  resubmit(instance: InstanceNo): readonly OrderCommand[] {
    const quoteLines = this.#intents.get(instance);
    return quoteLines === undefined ? [] : this.submit(quoteLines, instance);
  }

  /** Delivers the next event, and resubmits the quotes that waited for it. */
  deliver(): void {
    const event = this.venue.nextEvent();
    if (event === undefined) return;
    const instance = 'order' in event ? this.state.findInstance(event.order) : undefined;
    this.state.apply(event);
    if (instance !== undefined && (this.#waiting.has(instance) || event.type === 'cancelRejected'))
      this.resubmit(instance);
  }

  /** Returns true while the latest quotes wait for an event. */
  isWaiting(instance: InstanceNo): boolean {
    return this.#waiting.has(instance);
  }

  /**
   * Describes the sides of a bot where more or less rests than risk approved last. A level may lack a tenth, or a size
   * below the smallest order.
   */
  sizeMismatches(instance: InstanceNo): readonly string[] {
    const approved = this.#approved.get(instance) ?? [];
    return SIDES.flatMap((sign) => {
      const lines = approved.filter(({ side }) => (side === 'bid') === (sign === 1));
      const max = lines.reduce((sum, line) => sum + line.shares, 0);
      const rests = this.resting(instance, sign);
      const min = lines.reduce((sum, line) => sum + Math.min(line.shares * 0.9, line.shares - SHARE), 0);
      return rests > max || rests < min ? [`bot ${instance} rests ${rests} of ${max} on side ${sign}`] : [];
    });
  }

  /** Delivers everything in flight until nothing is. @throws Error after 2,000 rounds */
  settle(): void {
    for (let round = 0; round < 2000; round += 1) {
      if (this.venue.isIdle) return;
      this.venue.receive();
      this.venue.placeDelayed();
      this.deliver();
      this.audit();
    }
    throw new Error('commands or events were still in flight after 2,000 rounds');
  }

  /** Micro-shares that rest on a side of a bot at the venue. */
  resting(instance: InstanceNo, sign: Sign): number {
    let sum = 0;
    for (const order of this.venue.open.values()) {
      if (order.place.bot === instance && order.sign === sign && order.place.timeInForce === 'GTC')
        sum += order.remaining;
    }
    return sum;
  }

  /** Checks the rules against the orders that are open at the venue. */
  audit(): void {
    const { open, yes, no, cash, faults } = this.venue;
    const net = yes - no;
    const paid = this.#start - cash;
    let [bids, asks, bidCost, askCost, orders] = [0, 0, 0, 0, 0];
    for (const { sign, price, remaining, place } of open.values()) {
      if (place.timeInForce === 'GTC') orders += 1;
      if (sign === 1) bids += remaining;
      else asks += remaining;
      if (sign === 1) bidCost += costAt(remaining, unchecked.price(price));
      else askCost += costAt(remaining, complement(unchecked.price(price)));
    }
    const max = shares(MAX_POSITION);
    if (net + bids > max || asks - net > max) this.faults.push(`position ${net}, ${bids} bid, ${asks} asked`);
    const worst = Math.max(paid - no + bidCost, paid - yes + askCost);
    if (worst > usd(MAX_NOTIONAL)) this.faults.push(`worst case ${worst}`);
    if (orders > this.#maxOpenOrders) this.faults.push(`${orders} open orders`);
    for (const bound of this.#bounds) {
      const sum = this.resting(bound.bot, bound.sign);
      if (sum > bound.max) this.faults.push(`bot ${bound.bot} rests ${sum} where ${bound.max} were approved`);
    }
    this.faults.push(...faults.splice(0));
  }

  /** Raises a side's limit to the approved size. Open orders keep the old limit in force. */
  #bind({ quotes }: QuoteIntent, instance: InstanceNo): void {
    for (const bound of this.#bounds) {
      if (bound.bot !== instance) continue;
      let [approved, open] = [0, 0];
      for (const { side, shares } of quotes) if ((side === 'bid') === (bound.sign === 1)) approved += shares;
      for (const order of this.state.market(MARKET).orders) {
        if (order.bot === instance && order.rests && order.sign === bound.sign) open += order.remaining;
      }
      bound.max = Math.max(Math.min(bound.max, open), approved);
    }
  }

  /** Checks that commands name each order at most once, and only while no other request for it is in flight. */
  #testCommands(commands: readonly OrderCommand[]): void {
    const { orders } = this.state.market(MARKET);
    const named = new Set<OrderNo>();
    for (const number of commands.flatMap(ordersOf)) {
      if (named.has(number)) this.faults.push(`#${number} is named twice`);
      named.add(number);
      const phase = orders.find(({ order }) => order === number)?.phase;
      if (phase !== 'live') this.faults.push(`a command names #${number} while it is ${phase}`);
    }
  }
}

/** The open orders that a command names. */
function ordersOf(command: OrderCommand): readonly OrderNo[] {
  if (command.type === 'cancel' || command.type === 'reduce') return [command.order];
  return command.type === 'replace' ? command.cancels.map(({ order }) => order) : [];
}

export const BOTS: readonly InstanceNo[] = [instanceNo(0), instanceNo(1)];
