import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { BOOK_RESULT, CLOSE, OrderSlots } from '../../../src/exchange/index.ts';
import { runs } from '../../runs.ts';
import { EventRows, type Pause } from './event-log.ts';
import { LoggedBook } from './logged-book.ts';
import { NaiveBook } from './naive-book.ts';

const COMMANDS = runs(1_000_000);
/** Codes of `FORCE`, by weight: most orders may rest. */
const FORCES = [0, 0, 0, 0, 1, 1, 2, 3, 3];
const TICKS = [1, 5, 10, 16, 100, 625, 2000, 5000];
/** Results of a pause: a close code ends the incoming order, 0 continues it. */
const PAUSE_ANSWERS = [0, 0, CLOSE.orderGroupLimit];

/** A market and its twin. */
class Pair {
  readonly naiveLog = new EventRows();
  readonly fast: LoggedBook;
  readonly naive: NaiveBook;
  readonly tickBps: number;
  /** Holdings of its owners; 0 has no owner. */
  readonly holdings: readonly number[];
  /** Numbers of the latest orders, open or not. */
  readonly recent: number[] = [];

  constructor(slots: OrderSlots, number: number, tickBps: number) {
    this.fast = new LoggedBook({ slots, number, tickBps });
    this.naive = new NaiveBook(this.naiveLog, tickBps);
    this.tickBps = tickBps;
    this.holdings = [0, 0, ...[1, 2, 3].map((owner) => number * 1000 + owner)];
  }
}

/** Two markets that share slots, each with an independent twin. */
class Harness {
  // Starts with one slot and one holding, so that the rows grow.
  readonly slots = new OrderSlots(1, 1);
  readonly pairs: readonly [Pair, Pair];
  readonly #random: Random;

  constructor(tickBps: number) {
    this.#random = seededRandom(tickBps);
    this.pairs = [new Pair(this.slots, 7, tickBps), new Pair(this.slots, 8, tickBps)];
    for (const { fast, naiveLog } of this.pairs) {
      fast.log.close = (order) => {
        for (const pair of this.pairs) pair.fast.closeOrder(order, CLOSE.orderGroupLimit);
      };
      naiveLog.close = (order) => {
        for (const pair of this.pairs) pair.naive.closeOrder(order, CLOSE.orderGroupLimit);
      };
    }
  }

  /** Sends a random command to a market and its twin; `next` is an unused order number. */
  step(next: number): number {
    const random = this.#random;
    const pair = this.pairs[random.int(2) === 0 ? 0 : 1];
    const known = this.#known(pair, next);
    const draw = random.int(5000);
    if (draw === 0) {
      return this.#both(pair, 'close all', (book) => {
        book.closeAll(CLOSE.marketHalted);
        return BOOK_RESULT.done;
      });
    }
    if (draw < 900) return this.#both(pair, `cancel ${known}`, (book) => book.cancel(known));
    if (draw < 1500) {
      const by = random.int(50) === 0 ? pick(random, [0, -LOT, 1, Number.NaN]) : LOT * (1 + random.int(8));
      return this.#both(pair, `reduce ${known} by ${by}`, (book) => book.reduceOrder(known, by));
    }
    const order = random.int(30) === 0 ? known : next;
    pair.recent.push(order);
    if (pair.recent.length > 30) pair.recent.shift();
    const kind = random.int(100) === 0 ? random.int(6) - 1 : random.int(4);
    const force = random.int(100) === 0 ? random.int(6) - 1 : pick(random, FORCES);
    const [price, shares] = [randomPrice(random, pair.tickBps), randomShares(random)];
    const [holding, selfTrade] = [pick(random, pair.holdings), random.int(3)];
    const pause = random.int(4) === 0 ? this.#randomPause(next) : undefined;
    const terms = [order, kind, force, price, shares, holding, selfTrade] as const;
    return this.#both(pair, `place ${terms} ${JSON.stringify(pause)}`, (book) => book.place(...terms), pause);
  }

  /** Picks an open order or one of the latest orders. Open orders are frequent enough to keep the book small. */
  #known({ naive: { resting }, recent }: Pair, next: number): number {
    const random = this.#random;
    return (random.int(3) === 0 ? resting[random.int(resting.length + 1)]?.order : recent[random.int(30)]) ?? next;
  }

  #randomPause(next: number): Pause {
    const random = this.#random;
    const closing = Array.from({ length: random.int(8) }, () => this.#known(pick(random, this.pairs), next));
    return { afterFill: 1 + random.int(3), closing, answer: pick(random, PAUSE_ANSWERS) };
  }

  /** Executes a command on both and returns their common result. @throws if they differ */
  #both(pair: Pair, command: string, run: (book: LoggedBook | NaiveBook) => number, pause?: Pause): number {
    pair.fast.log.begin(pause);
    pair.naiveLog.begin(pause);
    const answer = run(pair.fast);
    assertSame(command, 'answer', answer, run(pair.naive));
    // Only a pause can change the other market.
    for (const { fast, naive, naiveLog, holdings } of pause === undefined ? [pair] : this.pairs) {
      addCoverage(fast.log.rows);
      assertSame(command, 'events', fast.log.take(), naiveLog.take());
      assertSame(command, 'state', fast.stateHash(), naive.stateHash());
      const holding = pick(this.#random, holdings);
      if (holding !== 0) assertSame(command, 'list', `${fast.ordersOf(holding)}`, `${naive.ordersOf(holding)}`);
      const order = naive.resting[this.#random.int(naive.resting.length + 1)]?.order ?? 0;
      assertSame(command, `queue of ${order}`, fast.aheadOf(order), naive.aheadOf(order));
    }
    assertSame(
      command,
      'size',
      this.slots.size,
      this.pairs[0].naive.resting.length + this.pairs[1].naive.resting.length,
    );
    return answer;
  }
}

function assertSame(command: string, subject: string, fast: number | string, naive: number | string): void {
  if (!Object.is(fast, naive)) throw new Error(`${command}: ${subject} is ${fast}, and ${naive} in the twin`);
}

const coverage = new Set<string>();

function addCoverage(rows: readonly number[][]): void {
  for (const row of rows) {
    const [event = 0] = row;
    coverage.add(event === 0 ? `match ${row[5]}` : event === 3 ? `closed ${row[3]}` : `event ${event}`);
  }
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.int(items.length)];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
}

/** Returns a price: mostly near the middle, where orders match; sometimes anywhere, at the edges or off the grid. */
function randomPrice(random: Random, tickBps: number): number {
  const last = 10_000 / tickBps - 1;
  const near = Math.min(Math.max(Math.round(last / 2) + random.int(15) - 7, 1), last);
  switch (random.int(20)) {
    case 0:
      return (1 + random.int(last)) * tickBps;
    case 1:
      return random.int(2) === 0 ? tickBps : last * tickBps;
    case 2:
      return random.int(10) === 0 ? pick(random, [0, 10_000, -tickBps, 4999.5, Number.NaN, 2 ** 53]) : 3333;
    default:
      return near * tickBps;
  }
}

function randomShares(random: Random): number {
  if (random.int(300) === 0) {
    return pick(random, [0, -LOT, 1, LOT + 1, Number.NaN, MAX_ORDER_SHARES + LOT, Number.POSITIVE_INFINITY]);
  }
  return random.int(300) === 0 ? MAX_ORDER_SHARES : LOT * (1 + random.int(20));
}

describe('the matching book and its naive implementation', () => {
  it('agree on results, events, state, owners and queues after each random command', () => {
    const answers = new Map<number, number>();
    let next = 0;
    let maxSize = 0;
    for (const tickBps of TICKS) {
      const harness = new Harness(tickBps);
      for (let count = 0; count < COMMANDS / TICKS.length; count++) {
        const answer = harness.step(++next);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        maxSize = Math.max(maxSize, harness.slots.size);
      }
    }
    // The commands must cover every result and event.
    expect(next).toBe(COMMANDS);
    expect([...answers.keys()].toSorted()).toEqual(Object.values(BOOK_RESULT).toSorted());
    expect(Math.min(...answers.values())).toBeGreaterThan(COMMANDS / 10_000);
    const closings = ['filled', 'user', 'selfTrade', 'orderGroupLimit', 'marketHalted', 'fakRemainder'] as const;
    const matchesAndEvents = ['match 0', 'match 1', 'match 2', 'event 1', 'event 2', 'event 4'];
    expect([...coverage].toSorted()).toEqual(
      [...matchesAndEvents, ...closings.map((word) => `closed ${CLOSE[word]}`)].toSorted(),
    );
    expect(maxSize).toBeGreaterThan(100);
  });
});
