import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { epochMs, microShares, type OrderCommand, type PlaceOrder, unchecked } from '../../../src/domain/index.ts';
import type { NaiveEvent, Row } from './naive-sim.ts';
import type { Bot } from './naive-venue.ts';
import { LOT, type Scenario } from './scenario.ts';

/** Sends random commands and logs everything that it receives. */
export class RandomBot implements Bot {
  readonly log: unknown[] = [];
  /** The queue before each own order, in order of arrival: bots do not see it, but both venues have to agree. */
  queues: () => readonly number[] = () => [];
  readonly #random: Random;
  readonly #markets: number;
  readonly #scale: number;
  readonly #open = new Map<number, { market: number; left: number }>();
  #next = 1;
  #stopped = false;

  constructor({ seed, markets, scale = 1 }: Scenario) {
    this.#random = seededRandom(seed).fork('bot');
    this.#markets = markets;
    this.#scale = scale;
  }

  onRows(time: number, rows: readonly Row[]): readonly OrderCommand[] {
    this.log.push({ time, rows, queues: this.queues() });
    return this.#commands(time, 3);
  }
  onEvent(event: NaiveEvent): readonly OrderCommand[] {
    this.log.push(event);
    const order = Number(event.order);
    const open = this.#open.get(order);
    if ((event.type === 'orderFilled' || event.type === 'orderReduced') && open !== undefined)
      open.left = Number(event.remaining);
    for (const closed of event.closed ?? []) this.#open.delete(closed);
    const isFilled = event.type === 'orderFilled' && event.remaining === 0;
    if (isFilled || event.type === 'orderClosed' || event.type === 'orderRejected') this.#open.delete(order);
    return this.#commands(Number(event.time), 8);
  }
  onTimer(time: number): readonly OrderCommand[] {
    this.log.push({ timer: time });
    return this.#commands(time, 1);
  }
  stop(): void {
    this.#stopped = true;
  }
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Returns commands once in `rarity` calls. */
  #commands(time: number, rarity: number): OrderCommand[] {
    const random = this.#random;
    if (this.#stopped || random.int(rarity) > 0) return [];
    const market = unchecked.market(random.int(this.#markets));
    const draw = random.int(40);
    if (draw < 18) return [this.#place(market, time)];
    if (draw < 23) return [{ type: 'cancel', order: unchecked.order(this.#someOrder()), market }];
    if (draw < 26) {
      const by = microShares((1 + random.int(120)) * LOT);
      return [{ type: 'reduce', order: unchecked.order(this.#someOrder()), market, by }];
    }
    if (draw < 34) return [this.#replace(market, time)];
    if (draw === 34) return [{ type: 'cancelAll' }, this.#place(market, time)];
    const type = random.int(5) === 0 ? 'claim' : random.int(2) === 0 ? 'split' : 'merge';
    const shares = microShares((1 + random.int(200)) * LOT);
    return [{ type, bot: unchecked.instance(0), market, shares }];
  }
  #replace(market: PlaceOrder['market'], time: number): OrderCommand {
    const random = this.#random;
    const mine = [...this.#open].filter(([, open]) => open.market === market).slice(-2);
    const cancels = mine.map(([order, { left }]) => ({
      order: unchecked.order(random.int(15) === 0 ? this.#someOrder() : order),
      remaining: unchecked.shares(Math.max(0, left)),
    }));
    const places = Array.from({ length: 1 + random.int(2) }, () => this.#place(market, time));
    const distinct = cancels.filter(({ order }, at) => cancels.findIndex((other) => other.order === order) === at);
    return { type: 'replace', market, cancels: distinct, places };
  }
  #place(market: PlaceOrder['market'], time: number): PlaceOrder {
    const random = this.#random;
    const order = unchecked.order(this.#next);
    this.#next += 1;
    const outcome = random.int(2) === 0 ? 'YES' : 'NO';
    const side = random.int(4) === 0 ? 'SELL' : 'BUY';
    const yesBid = (outcome === 'YES') === (side === 'BUY');
    // Mostly on the passive side of 5000, in YES terms.
    const passive = random.int(5) > 0;
    const away = 10 * random.int(8) + (random.int(60) === 0 ? 1 : 0);
    const yes = yesBid === passive ? 5_000 - away : 5_000 + away;
    const lots = (random.int(20) === 0 ? 50 : 100) + random.int(200);
    const shares = unchecked.shares(random.int(80) === 0 ? 5_000 : lots * LOT);
    const timeInForce = passive
      ? random.int(6) === 0
        ? 'GTD'
        : 'GTC'
      : (['GTC', 'FAK', 'FOK'] as const)[random.int(3)]!;
    const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
    const postOnly = random.int(60) === 0 ? !rests : rests && random.int(4) > 0;
    const expiration = timeInForce === 'GTD' ? epochMs(time + this.#scale * (50 + random.int(800))) : 0;
    this.#open.set(order, { market, left: shares });
    const price = unchecked.price(outcome === 'YES' ? yes : 10_000 - yes);
    return {
      type: 'place',
      order,
      bot: unchecked.instance(0),
      market,
      outcome,
      side,
      price,
      shares,
      timeInForce,
      postOnly,
      expiration,
    };
  }
  #someOrder(): number {
    const open = [...this.#open.keys()];
    return open.length > 0 && this.#random.int(6) > 0
      ? open[this.#random.int(open.length)]!
      : 1 + this.#random.int(this.#next);
  }
}
