/** Compares an exchange's market that follows a tape with the simulated venue, for equal orders and flow. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/clock/index.ts';
import { gridAbove, gridBelow, type PlaceOrder, type PriceGrid, unchecked } from '../../src/domain/index.ts';
import { DEFAULT_CONFIG, type ExchangeEvent } from '../../src/exchange/index.ts';
import { TapeFile } from '../../src/history/index.ts';
import {
  createQueueModel,
  encodeRows,
  type ModelOptions,
  modelsJson,
  TapeMessageReader,
} from '../../src/replay/index.ts';
import { KIND } from '../../src/tape/index.ts';
import { takerFees } from '../../src/venues/sim/fees.ts';
import { Harness as ExchangeHarness, SHARE } from '../exchange/engine/harness.ts';
import { LIMITS, type PlaceOptions, Harness as SimHarness } from '../venues/sim/harness.ts';
import { restoredHarness } from './restored-harness.ts';

const TAPE = TapeFile.open(fileURLToPath(new URL('../../config/tapes/betfair-1.200806927.tape', import.meta.url)));
const FEE_BPS = 100;
const CAPITAL = 10_000;
/** Exchange time of the first replayed message, which is in play. */
const FROM = Date.parse('2022-07-11T12:00:00Z');
const LATER = Date.parse('2022-07-11T13:30:00Z');

interface FillFact {
  readonly order: number;
  readonly yesPrice: number;
  readonly shares: number;
}

/** An order in the notation of the simulation's tests. */
interface Placement {
  readonly text: string;
  readonly options: PlaceOptions;
}

function termsOf({ outcome, side, price, shares, timeInForce, postOnly }: PlaceOrder) {
  return { outcome, side, price, microShares: shares, timeInForce, postOnly };
}

/** Both venues. Order numbers are equal on both while both accept the same orders. */
class BothVenues {
  readonly sim: SimHarness;
  exchange: ExchangeHarness;
  readonly grid: PriceGrid;
  readonly fills: FillFact[] = [];
  readonly account;
  /** Order numbers of the exchange by those of the simulation. */
  readonly orders = new Map<number, number>();

  constructor(models: ModelOptions) {
    const [market] = TAPE.manifest.markets;
    if (market === undefined) throw new Error('a tape without markets');
    this.grid = market.grid;
    const fees = takerFees(FEE_BPS);
    this.sim = new SimHarness({ grid: this.grid, queue: createQueueModel(models.queue), fees, capital: CAPITAL });
    const { minOrderShares, minBet, maxBet, maxExposure } = LIMITS;
    const config = { ...DEFAULT_CONFIG, minOrderShares, minBet, maxBetPerMarket: maxBet };
    this.exchange = new ExchangeHarness({ config: { ...config, maxExposurePerMarket: maxExposure } });
    this.account = this.exchange.account(CAPITAL);
    const tape = this.exchange.unlimitedAccount();
    this.exchange.market({ tickBps: 1, feeRateBps: FEE_BPS });
    const terms = { tape: TAPE.manifest.contentHash, grid: this.grid, models: modelsJson(models) };
    this.exchange.send('followTape', { ...terms, market: 0, account: tape, row: 0, recordedAt: 0, rows: [] });
  }

  message(time: number, row: number, rows: readonly number[]): void {
    const facts = Array.from({ length: rows.length / 4 }, (_, at) => {
      const [kind = 0, side = 0, price = 0, shares = 0] = rows.slice(4 * at);
      return { kind, side, price, shares, market: 0 };
    });
    this.sim.message(...facts);
    this.exchange.time += 10;
    this.#onEvents(this.exchange.send('playTape', { market: 0, row, recordedAt: time, rows }));
  }

  place({ text, options }: Placement): void {
    const placement: PlaceOrder = this.sim.order(text, options);
    this.sim.command(placement);
    this.exchange.time += 10;
    const events = this.exchange.place(this.account, termsOf(placement));
    const accepted = events.find((event) => event.type === 'accepted');
    if (accepted !== undefined) this.orders.set(placement.order, accepted.order);
    this.#onEvents(events);
  }

  /** Replaces orders. @returns the results of the simulation and of the exchange */
  replace(cancels: readonly number[], orders: readonly Placement[]): readonly [string, string] {
    const market = unchecked.market(0);
    const places = orders.map(({ text, options }) => this.sim.order(text, options));
    const exchangeOrders = cancels.map((order) => this.orders.get(order) ?? 0);
    // Passes the actual remaining sizes. The check of outdated sizes is tested with the bot.
    const remaining = (order: number) =>
      unchecked.shares(this.exchange.view.openOrder(this.orders.get(order) ?? 0)?.remaining ?? 0);
    this.sim.reported.splice(0);
    const expecting = cancels.map((order) => ({ order: unchecked.order(order), remaining: remaining(order) }));
    this.sim.command({ type: 'replace', market, cancels: expecting, places });
    const simulated = this.sim.reported.some(({ type }) => type === 'ordersReplaced') ? 'replaced' : 'refused';
    this.exchange.time += 10;
    const place = places.map((placement) => this.exchange.terms(termsOf(placement)));
    const options = { ifNoFillSince: undefined, mustReplace: false };
    const events = this.exchange.send('replace', {
      account: this.account,
      market,
      cancel: exchangeOrders,
      place,
      ...options,
    });
    const accepted = events.filter((event) => event.type === 'accepted');
    for (const [at, { order }] of accepted.entries()) this.orders.set(places[at]?.order ?? 0, order);
    this.#onEvents(events);
    return [simulated, events.some(({ type }) => type === 'refused') ? 'refused' : 'replaced'];
  }

  cancel(order: number): void {
    const [market, no] = [unchecked.market(0), unchecked.order(order)];
    this.sim.command({ type: 'cancel', order: no, market });
    this.exchange.send('cancel', { account: this.account, orders: [this.orders.get(order) ?? 0] });
  }

  reduce(order: number): void {
    const by = unchecked.shares(2 * SHARE);
    this.sim.command({ type: 'reduce', order: unchecked.order(order), market: unchecked.market(0), by });
    this.exchange.send('reduce', { account: this.account, order: this.orders.get(order) ?? 0, by });
  }

  /** Cash and shares on both venues. */
  money(): readonly unknown[] {
    const sim = this.sim.engine.exchange;
    return [sim, this.exchange.view].map((view) => {
      const account = view === sim ? 2 : this.account;
      const { yes, no, netPaid, fees } = view.holdingsOf(account)[0] ?? {};
      const { available, reserved } = view.account(account) ?? {};
      return { available, reserved, yes, no, netPaid, fees };
    });
  }

  /** Sum of the money of all accounts and the market, which must be constant. */
  sum(): number {
    const { view } = this.exchange;
    let sum = 0;
    for (let account = 1; account <= view.accountCount; account += 1) {
      const { available = 0, reserved = 0 } = view.account(account) ?? {};
      sum += available + reserved;
      for (const { netPaid, fees } of view.holdingsOf(account)) sum += netPaid + fees;
    }
    return sum;
  }

  #onEvents(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'traded') continue;
      this.fills.push({ order: event.maker + event.taker, yesPrice: event.yesPrice, shares: event.shares });
    }
  }

  /** Fills since the last call, of the simulation and of the exchange. */
  takeFills(): readonly [readonly FillFact[], readonly FillFact[]] {
    const simulated = this.sim.fillFacts.splice(0).map(({ order, yesPrice, shares }) => {
      return { order: this.orders.get(order) ?? -1, yesPrice, shares };
    });
    return [simulated, this.fills.splice(0)];
  }
}

/** Replays the match with orders on both venues, and compares their fills and money. */
function compareVenues(
  models: ModelOptions,
  from: number,
): { readonly fills: number; readonly kinds: ReadonlySet<string> } {
  const venues = new BothVenues(models);
  const random = seededRandom(7);
  const reader = new TapeMessageReader(TAPE.feed());
  const books = reader.skipUntil(from);
  venues.message(from, reader.row, encodeRows(books.toRows(0)));
  let [fills, placed] = [0, 0];
  const kinds = new Set<string>();
  for (let at = 0; ; at += 1) {
    const message = reader.next();
    const [part] = message?.parts ?? [];
    if (message === undefined || part === undefined) break;
    // The end of the market differs by design.
    if (part.rows.some((kind, place) => place % 4 === 0 && kind === KIND.resolution)) break;
    venues.message(message.time, message.row, part.rows);
    if (at % 2 === 0) placed += actAtRandom(venues, random, placed, kinds);
    const [simulated, received] = venues.takeFills();
    if (received.length + simulated.length > 0) expect(received, `fills at message ${at}`).toEqual(simulated);
    fills += received.length;
    if (at % 500 === 250) {
      const [simulation, exchange] = venues.money();
      expect(exchange, `money at message ${at}`).toEqual(simulation);
      expect(venues.sum()).toBe(CAPITAL * 1_000_000);
      const restored = restoredHarness(venues.exchange);
      expect(restored.hash()).toBe(venues.exchange.hash());
      venues.exchange = restored;
    }
  }
  reader.close();
  const [simulation, exchange] = venues.money();
  expect(exchange).toEqual(simulation);
  return { fills, kinds };
}

/** Places at, inside or through the best prices, cancels, reduces or replaces. @returns the number of sent orders */
function actAtRandom(venues: BothVenues, random: Random, placed: number, kinds: Set<string>): number {
  const draw = random.int(12);
  const recent = (): number => Math.max(1, placed - random.int(8));
  if (draw > 9 && placed > 0) return replaceAtRandom(venues, random, recent, kinds);
  if (draw < 2 && placed > 0) {
    if (draw === 0) venues.cancel(recent());
    else venues.reduce(recent());
    return 0;
  }
  const placement = draw > 6 ? undefined : randomPlacement(venues, random);
  if (placement === undefined) return 0;
  const { timeInForce, postOnly } = placement.options;
  kinds.add(`${timeInForce}${postOnly === true ? ' post-only' : ''}`);
  venues.place(placement);
  return 1;
}

/** Replaces one to three orders, some of them closed, by none to two others, some of them invalid. */
function replaceAtRandom(venues: BothVenues, random: Random, recent: () => number, kinds: Set<string>): number {
  const cancels = new Set(Array.from({ length: 1 + random.int(3) }, recent));
  const open = [...cancels].filter(
    (order) => venues.exchange.view.openOrder(venues.orders.get(order) ?? 0) !== undefined,
  );
  const orders = Array.from({ length: random.int(3) }, () => randomPlacement(venues, random)).flatMap(
    (placement) => placement ?? [],
  );
  const named = random.int(3) === 0 ? [...cancels] : open;
  if (named.length + orders.length === 0) return 0;
  const [simulated, received] = venues.replace(named, orders);
  expect(received, `of ${named} for ${JSON.stringify(orders)}`).toBe(simulated);
  kinds.add(`set ${received}`);
  return orders.length;
}

/** A random order at or near a best price. Undefined if the side is empty. */
function randomPlacement(venues: BothVenues, random: Random): Placement | undefined {
  const { bestBid, bestAsk } = venues.exchange.view.book(0) ?? { bestBid: 0, bestAsk: 0 };
  const isBid = random.int(2) === 0;
  let price = (random.int(3) === 0) === isBid ? bestAsk : bestBid;
  for (let steps = random.int(4); steps > 0; steps -= 1) {
    price = (random.int(2) === 0 ? gridBelow(venues.grid, price) : gridAbove(venues.grid, price)) ?? price;
  }
  // An empty side has no price.
  if (price <= 0 || price >= 10_000) return undefined;
  const timeInForce = (['GTC', 'GTC', 'GTC', 'FAK', 'FOK'] as const)[random.int(5)] ?? 'GTC';
  const postOnly = timeInForce === 'GTC' && random.int(2) === 0;
  const shares = 1 + random.int(60);
  const leg = random.int(4) === 0 ? (isBid ? 'sell no' : 'sell yes') : isBid ? 'bid' : 'ask';
  return { text: `${leg} ${shares} @ ${price}`, options: { timeInForce, postOnly } };
}

describe('a market that follows the recorded match', () => {
  it.each([
    ['risk-averse', FROM, { queue: { model: 'risk-averse' } }],
    ['power', LATER, { queue: { model: 'power', n: 2, variant: 'split' } }],
    ['log', LATER, { queue: { model: 'log', variant: 'front' } }],
  ] as const)(
    'has the same fills and money as the simulated venue, also after restores, under the queue model %s',
    (_, from, models) => {
      const { fills, kinds } = compareVenues(models, from);
      expect(fills).toBeGreaterThan(500);
      expect([...kinds].sort()).toEqual(['FAK', 'FOK', 'GTC', 'GTC post-only', 'set refused', 'set replaced']);
    },
  );
});
