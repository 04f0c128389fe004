import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { ANSWER, OrderSlots } from '../../../src/exchange/index.ts';
import { EventRows } from './event-log.ts';
import { LoggedBook } from './logged-book.ts';
import { NaiveBook } from './naive-book.ts';

const COMMANDS = 1_000_000;
/** Codes of `FORCE`, by weight: most orders may rest. */
const FORCES = [0, 0, 0, 0, 1, 1, 2, 3];
const TICKS = [1, 5, 10, 16, 100, 625, 2000, 5000];

/** Two markets on one set of slots, each with its twin that knows nothing of the other. */
class Pair {
  readonly naiveLog = new EventRows();
  readonly fast: LoggedBook;
  readonly naive: NaiveBook;
  readonly tickBps: number;
  /** Numbers of the latest orders, open or not. */
  readonly recent: number[] = [];

  constructor(slots: OrderSlots, number: number, tickBps: number) {
    this.fast = new LoggedBook({ slots, number, tickBps });
    this.naive = new NaiveBook(this.naiveLog, tickBps);
    this.tickBps = tickBps;
  }

  /** One command to both; answers the code on which they agree, or throws. */
  both(command: string, run: (book: LoggedBook | NaiveBook) => number): number {
    const [fast, naive] = [run(this.fast), run(this.naive)];
    if (fast !== naive) throw new Error(`${command}: answered ${fast}, the twin ${naive}`);
    const [told, twinTold] = [this.fast.log.take(), this.naiveLog.take()];
    if (told !== twinTold) throw new Error(`${command}: told ${told}; the twin ${twinTold}`);
    if (this.fast.stateHash() !== this.naive.stateHash()) throw new Error(`${command}: state hashes differ`);
    for (const row of told.split(';')) seen.add(row.startsWith('0') ? `match ${row.at(-1)}` : `event ${row[0]}`);
    return fast;
  }
}

const seen = new Set<string>();

function randomCommand(random: Random, pair: Pair, next: number): number {
  const draw = random.int(100);
  const { resting } = pair.naive;
  // An open order, or one of the latest, open or not; the open ones often enough to keep the book small.
  const known =
    (random.int(3) === 0 ? resting[random.int(resting.length + 1)]?.order : pair.recent[random.int(30)]) ?? next;
  if (draw < 28) return pair.both(`cancel ${known}`, (book) => book.cancel(known));
  if (draw < 40) {
    const by = random.int(50) === 0 ? [0, -LOT, 1, Number.NaN][random.int(4)]! : LOT * (1 + random.int(8));
    return pair.both(`reduce ${known} by ${by}`, (book) => book.reduceOrder(known, by));
  }
  const order = random.int(30) === 0 ? known : next;
  const kind = random.int(100) === 0 ? random.int(6) - 1 : random.int(4);
  const force = random.int(100) === 0 ? random.int(6) - 1 : (FORCES[random.int(FORCES.length)] ?? 0);
  const price = randomPrice(random, pair.tickBps);
  const shares = randomShares(random);
  pair.recent.push(order);
  if (pair.recent.length > 30) pair.recent.shift();
  return pair.both(`place ${order}, ${kind}, ${force}, ${price}, ${shares}`, (book) =>
    book.place(order, kind, force, price, shares),
  );
}

/** Mostly near the middle, where orders meet; sometimes anywhere, at the edges or off the grid. */
function randomPrice(random: Random, tickBps: number): number {
  const last = 10_000 / tickBps - 1;
  const near = Math.min(Math.max(Math.round(last / 2) + random.int(15) - 7, 1), last);
  switch (random.int(20)) {
    case 0:
      return (1 + random.int(last)) * tickBps;
    case 1:
      return random.int(2) === 0 ? tickBps : last * tickBps;
    case 2:
      return random.int(10) === 0 ? [0, 10_000, -tickBps, 4999.5, Number.NaN, 2 ** 53][random.int(6)]! : 3333;
    default:
      return near * tickBps;
  }
}

function randomShares(random: Random): number {
  if (random.int(300) === 0) return [0, -LOT, 1, LOT + 1, Number.NaN, MAX_ORDER_SHARES + LOT, Infinity][random.int(7)]!;
  return random.int(300) === 0 ? MAX_ORDER_SHARES : LOT * (1 + random.int(20));
}

describe('the fast book and its naive twin', () => {
  it('agree on answer, events and state hash after every one of a million random commands', () => {
    const answers = new Map<number, number>();
    let next = 0;
    let most = 0;
    for (const tickBps of TICKS) {
      const random = seededRandom(tickBps);
      // One slot to begin with, so that the columns grow under way.
      const slots = new OrderSlots(1);
      const pairs = [new Pair(slots, 7, tickBps), new Pair(slots, 8, tickBps)] as const;
      for (let count = 0; count < COMMANDS / TICKS.length; count++) {
        const pair = pairs[random.int(2) === 0 ? 0 : 1];
        const answer = randomCommand(random, pair, ++next);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        most = Math.max(most, slots.size);
        if (slots.size !== pairs[0].naive.resting.length + pairs[1].naive.resting.length) {
          throw new Error(`command ${next}: ${slots.size} slots are open`);
        }
      }
    }
    // The run is worth something only when it went everywhere.
    expect(next).toBe(COMMANDS);
    expect([...answers.keys()].toSorted()).toEqual(Object.values(ANSWER).toSorted());
    expect(Math.min(...answers.values())).toBeGreaterThan(100);
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining(['match 0', 'match 1', 'match 2', 'event 1', 'event 2', 'event 3']),
    );
    expect(most).toBeGreaterThan(100);
  });
});
