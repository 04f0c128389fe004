/**
 * Random concurrent commands, and clients that connect and disconnect. After every delta each client's book equals the
 * book of the exchange, and a resumed subscription neither misses nor repeats a delta.
 */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange, type ExchangeView } from '../../../src/exchange/index.ts';
import { IGNORED_EVENTS } from '../../../src/exchange/sink.ts';
import { recordingBooks } from '../../../src/replay/index.ts';
import { runs } from '../../runs.ts';
import { type BookEvent, type BookLevels, ClientBook } from './client-book.ts';
import { RawClient } from './raw-client.ts';
import { idOf, Venue } from './venue.ts';

const BOOK =
  'subscription ($id: ID!, $depth: Int, $after: UintString) { orderBookUpdated(marketId: $id, depth: $depth, afterSeq: $after) { kind seq prevSeq bids { priceBps shares orderCount } asks { priceBps shares orderCount } checksum } }';

type Step =
  | { readonly type: 'commands'; readonly list: readonly Operation[] }
  | { readonly type: 'leave' | 'return' | 'read' | 'join'; readonly client: number };

type Operation =
  | {
      readonly type: 'place';
      readonly account: number;
      readonly outcome: 'YES' | 'NO';
      readonly price: number;
      readonly size: number;
      readonly lasts: number;
    }
  | { readonly type: 'cancel' | 'reduce'; readonly index: number }
  | { readonly type: 'cancelAll'; readonly account: number }
  | { readonly type: 'wait' };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('place' as const),
      account: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom('YES' as const, 'NO' as const),
      price: fc.integer({ min: 48, max: 52 }).map((tens) => tens * 100),
      size: fc.integer({ min: 1, max: 20 }),
      lasts: fc.constantFrom(0, 0, 0, 300),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('cancel' as const, 'reduce' as const), index: fc.nat(100) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('cancelAll' as const), account: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const) }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('commands' as const),
      list: fc.array(operation, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('leave' as const, 'return' as const, 'read' as const, 'join' as const),
      client: fc.nat(3),
    }),
  },
);

const bid = (price: number): Operation => ({ type: 'place', account: 1, outcome: 'YES', price, size: 5, lasts: 0 });
/** Covers both ways to resume, which random steps may miss: after reading the book, and after missed changes. */
const RESUME_STEPS: Step[] = [
  { type: 'read', client: 1 },
  { type: 'leave', client: 0 },
  { type: 'commands', list: [bid(4_800), bid(4_900)] },
  { type: 'join', client: 1 },
  { type: 'return', client: 0 },
];
/** Coverage of all runs. */
const tally = { snapshot: 0, applied: 0, alive: 0, old: 0, resumed: 0, unseen: 0 };

class Subscriber {
  readonly depth: number;
  book = new ClientBook();
  raw: RawClient | undefined;
  /** Value of `health.engineSeq` before the client read the book. */
  read: number | undefined;
  /** The subscription resumes, so it must not start with a snapshot. */
  isResuming = false;

  constructor(depth: number) {
    this.depth = depth;
  }
}

function levelsOf(view: ExchangeView): BookLevels {
  const book = view.book(0);
  if (book === undefined) throw new Error('no market');
  const [bids, asks]: [string[], string[]] = [[], []];
  const line = (price: number) => `${price}:${book.sharesAt(price)}:${book.orderCountAt(price)}`;
  for (let price = book.bestBid; price > 0; price = book.priceBelow(price)) bids.push(line(price));
  for (let price = book.bestAsk; price < 10_000; price = book.priceAbove(price)) asks.push(line(price));
  return { bids, asks };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

class Scenario {
  readonly venue: Venue;
  readonly subscribers = [1, 2, 4, 50].map((depth) => new Subscriber(depth));
  /** All levels of the book by the seq of its last change. */
  readonly levelsBySeq = new Map<number, BookLevels>();

  constructor(venue: Venue) {
    this.venue = venue;
    // A second exchange repeats each command, because watchers run after the venue's exchange has finished the batch.
    const { config } = venue.view;
    const twin = new Exchange({ config, quotePolicy: 'additive', sha256, books: recordingBooks });
    venue.engine.queue.watch({
      onCommitted: (_events, command) => {
        twin.apply(command, IGNORED_EVENTS);
        const { view } = twin;
        if (view.book(0) !== undefined) this.levelsBySeq.set(view.market(0)?.bookSeq ?? -1, levelsOf(view));
      },
    });
  }

  levels(): BookLevels {
    return levelsOf(this.venue.view);
  }

  async runOperations(list: readonly Operation[]): Promise<void> {
    await Promise.all(list.map((each) => this.#runOperation(each)));
  }

  async #runOperation(each: Operation): Promise<unknown> {
    const { venue } = this;
    if (each.type === 'place') {
      const { account, outcome, price, size, lasts } = each;
      const expiration = lasts === 0 ? 0 : venue.clock.now() + lasts;
      return venue.place(account, { outcome, price, size, expiration });
    }
    if (each.type === 'wait') return venue.advance(200);
    if (each.type === 'cancelAll') return venue.execute({ type: 'cancelAllOrders', account: each.account });
    const open = [1, 2, 3].flatMap((account) => venue.view.openOrders(account));
    const order = open[each.index % Math.max(1, open.length)];
    if (order === undefined) return undefined;
    const { account } = order;
    if (each.type === 'cancel') return venue.execute({ type: 'cancel', account, orders: [order.order] });
    return venue.execute({ type: 'reduce', account, order: order.order, by: 1_000_000 });
  }

  async moveClient({ type, client }: Exclude<Step, { type: 'commands' }>): Promise<void> {
    const subscriber = this.subscribers[client];
    if (subscriber === undefined) return;
    const { view } = this.venue;
    if (type === 'leave' && subscriber.raw !== undefined) {
      await this.catchUp(subscriber);
      await subscriber.raw.close();
      subscriber.raw = undefined;
    } else if (type === 'read' && subscriber.raw === undefined && subscriber.read === undefined) {
      subscriber.read = view.seq;
    } else if (type === 'join' && subscriber.raw === undefined) {
      subscriber.book = new ClientBook();
      const after = subscriber.read;
      if (after !== undefined) this.#readState(subscriber);
      subscriber.read = undefined;
      await this.#subscribe(subscriber, after);
    } else if (type === 'return' && subscriber.raw === undefined && subscriber.book.seq >= 0) {
      await this.#subscribe(subscriber, subscriber.book.seq);
    }
  }

  /** Reads the book as a query returns it. */
  #readState(subscriber: Subscriber): void {
    const { bids, asks } = this.levels();
    const level = (line: string) => {
      const [price = 0, shares = 0, count = 0] = line.split(':').map(Number);
      return { priceBps: price, shares: shares / 1e6, orderCount: count };
    };
    const seq = String(this.venue.view.market(0)?.bookSeq);
    const levels = {
      bids: bids.slice(0, subscriber.depth).map(level),
      asks: asks.slice(0, subscriber.depth).map(level),
    };
    const copy = new ClientBook();
    const event = { kind: 'SNAPSHOT', seq, prevSeq: seq, ...levels };
    try {
      copy.apply({ ...event, checksum: '' });
    } catch {
      subscriber.book.apply({ ...event, checksum: copy.checksum() });
    }
  }

  async #subscribe(subscriber: Subscriber, after: number | undefined): Promise<void> {
    subscriber.raw = await RawClient.ready(this.venue.url);
    subscriber.isResuming = after !== undefined;
    const { depth } = subscriber;
    subscriber.raw.subscribe('b', BOOK, {
      id: idOf(0),
      depth,
      ...(after === undefined ? {} : { after: String(after) }),
    });
    this.#apply(subscriber, await subscriber.raw.event());
    await this.catchUp(subscriber);
  }

  async catchUp(subscriber: Subscriber): Promise<void> {
    const { raw } = subscriber;
    if (raw === undefined) return;
    await raw.settle();
    while (raw.received.length > 0) this.#apply(subscriber, await raw.event());
    const { bids, asks } = this.levels();
    const { depth, book } = subscriber;
    expect(book.levels()).toEqual({ bids: bids.slice(0, depth), asks: asks.slice(0, depth) });
  }

  #apply(subscriber: Subscriber, event: BookEvent): void {
    const { book, depth } = subscriber;
    const outcome = book.apply(event);
    tally[outcome] += 1;
    if (outcome === 'applied' && subscriber.isResuming) tally.resumed += 1;
    if (outcome === 'applied' && !this.levelsBySeq.has(book.seq)) tally.unseen += 1;
    if (subscriber.isResuming) expect(event.kind).toBe('DELTA');
    if (outcome === 'old') expect(subscriber.isResuming).toBe(true);
    if (outcome !== 'applied') return;
    const expected = this.levelsBySeq.get(book.seq);
    if (expected === undefined) return;
    expect(book.levels()).toEqual({ bids: expected.bids.slice(0, depth), asks: expected.asks.slice(0, depth) });
  }
}

describe('a book built from snapshot and deltas', () => {
  it('equals the book of the exchange after each delta while subscribers connect, disconnect and resume', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const venue = await Venue.open();
        try {
          const scenario = new Scenario(venue);
          for (let account = 1; account <= 3; account += 1) await venue.account();
          await venue.market();
          for (const client of [0, 3]) await scenario.moveClient({ type: 'join', client });
          for (const each of steps) {
            if (each.type === 'commands') await scenario.runOperations(each.list);
            else await scenario.moveClient(each);
          }
          for (const subscriber of scenario.subscribers) await scenario.catchUp(subscriber);
          expect(venue.errors).toEqual([]);
        } finally {
          await venue.close();
        }
      }),
      { numRuns: runs(60), examples: [[RESUME_STEPS]] },
    );
    expect(Math.min(tally.applied, tally.old, tally.resumed)).toBeGreaterThan(0);
    expect(tally.unseen).toBe(0);
  }, 120_000);
});
