/**
 * Random commands, several at once, and clients that come and go: each folded book equals the real one after every delta,
 * and a resume neither loses nor repeats one.
 */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange, type ExchangeView } from '../../../src/exchange/index.ts';
import { SILENT } from '../../../src/exchange/sink.ts';
import { recordingBooks } from '../../../src/replay/index.ts';
import { runs } from '../../runs.ts';
import { type BookEvent, FoldedBook, type Picture } from './folded-book.ts';
import { RawClient } from './raw-client.ts';
import { idOf, Venue } from './venue.ts';

const BOOK =
  'subscription ($id: ID!, $depth: Int, $after: UintString) { orderBookUpdated(marketId: $id, depth: $depth, afterSeq: $after) { kind seq prevSeq bids { priceBps shares orderCount } asks { priceBps shares orderCount } checksum } }';

type Step =
  | { readonly do: 'commands'; readonly list: readonly Deed[] }
  | { readonly do: 'leave' | 'return' | 'read' | 'join'; readonly client: number };

type Deed =
  | {
      readonly type: 'place';
      readonly account: number;
      readonly outcome: 'YES' | 'NO';
      readonly price: number;
      readonly size: number;
      readonly lasts: number;
    }
  | { readonly type: 'cancel' | 'reduce'; readonly which: number }
  | { readonly type: 'cancelAll'; readonly account: number }
  | { readonly type: 'wait' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
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
    arbitrary: fc.record({ type: fc.constantFrom('cancel' as const, 'reduce' as const), which: fc.nat(100) }),
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
      do: fc.constant('commands' as const),
      list: fc.array(deed, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('leave' as const, 'return' as const, 'read' as const, 'join' as const),
      client: fc.nat(3),
    }),
  },
);

const bid = (price: number): Deed => ({ type: 'place', account: 1, outcome: 'YES', price, size: 5, lasts: 0 });
/** Both ways to take up a book, as chance alone may leave one out: changes that were read before, changes that were missed. */
const MET: Step[] = [
  { do: 'read', client: 1 },
  { do: 'leave', client: 0 },
  { do: 'commands', list: [bid(4_800), bid(4_900)] },
  { do: 'join', client: 1 },
  { do: 'return', client: 0 },
];
/** That the runs meet what they are about. */
const tally = { snapshot: 0, applied: 0, alive: 0, old: 0, resumed: 0, unseen: 0 };

class Follower {
  readonly depth: number;
  book = new FoldedBook();
  raw: RawClient | undefined;
  /** `health.engineSeq` as of before the book was read. */
  read: number | undefined;
  /** A resume may not begin with a snapshot: all of it is kept. */
  isResuming = false;

  constructor(depth: number) {
    this.depth = depth;
  }
}

function pictureOf(view: ExchangeView): Picture {
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

class Play {
  readonly venue: Venue;
  readonly followers = [1, 2, 4, 50].map((depth) => new Follower(depth));
  /** The whole book by the number of its last change. */
  readonly pictures = new Map<number, Picture>();

  constructor(venue: Venue) {
    this.venue = venue;
    // A second exchange repeats each command: the venue's own is at the end of its turn when watchers hear of a command.
    const { config } = venue.view;
    const twin = new Exchange({ config, quotePolicy: 'additive', sha256, books: recordingBooks });
    venue.engine.queue.watch({
      onCommitted: (_events, command) => {
        twin.apply(command, SILENT);
        const { view } = twin;
        if (view.book(0) !== undefined) this.pictures.set(view.market(0)?.bookSeq ?? -1, pictureOf(view));
      },
    });
  }

  picture(): Picture {
    return pictureOf(this.venue.view);
  }

  async commands(list: readonly Deed[]): Promise<void> {
    await Promise.all(list.map((each) => this.#do(each)));
  }

  async #do(each: Deed): Promise<unknown> {
    const { venue } = this;
    if (each.type === 'place') {
      const { account, outcome, price, size, lasts } = each;
      const expiration = lasts === 0 ? 0 : venue.clock.now() + lasts;
      return venue.place(account, { outcome, price, size, expiration });
    }
    if (each.type === 'wait') return venue.advance(200);
    if (each.type === 'cancelAll') return venue.ask({ type: 'cancelAllOrders', account: each.account });
    const open = [1, 2, 3].flatMap((account) => venue.view.openOrders(account));
    const order = open[each.which % Math.max(1, open.length)];
    if (order === undefined) return undefined;
    const { account } = order;
    if (each.type === 'cancel') return venue.ask({ type: 'cancel', account, orders: [order.order] });
    return venue.ask({ type: 'reduce', account, order: order.order, by: 1_000_000 });
  }

  async move({ do: what, client }: Exclude<Step, { do: 'commands' }>): Promise<void> {
    const follower = this.followers[client];
    if (follower === undefined) return;
    const { view } = this.venue;
    if (what === 'leave' && follower.raw !== undefined) {
      await this.catchUp(follower);
      await follower.raw.close();
      follower.raw = undefined;
    } else if (what === 'read' && follower.raw === undefined && follower.read === undefined) {
      follower.read = view.seq;
    } else if (what === 'join' && follower.raw === undefined) {
      follower.book = new FoldedBook();
      const after = follower.read;
      if (after !== undefined) this.#readState(follower);
      follower.read = undefined;
      await this.#subscribe(follower, after);
    } else if (what === 'return' && follower.raw === undefined && follower.book.seq >= 0) {
      await this.#subscribe(follower, follower.book.seq);
    }
  }

  /** Reads the book as a query would. */
  #readState(follower: Follower): void {
    const { bids, asks } = this.picture();
    const level = (line: string) => {
      const [price = 0, shares = 0, count = 0] = line.split(':').map(Number);
      return { priceBps: price, shares: shares / 1e6, orderCount: count };
    };
    const seq = String(this.venue.view.market(0)?.bookSeq);
    const shown = { bids: bids.slice(0, follower.depth).map(level), asks: asks.slice(0, follower.depth).map(level) };
    const copy = new FoldedBook();
    const event = { kind: 'SNAPSHOT', seq, prevSeq: seq, ...shown };
    try {
      copy.take({ ...event, checksum: '' });
    } catch {
      follower.book.take({ ...event, checksum: copy.checksum() });
    }
  }

  async #subscribe(follower: Follower, after: number | undefined): Promise<void> {
    follower.raw = await RawClient.ready(this.venue.url);
    follower.isResuming = after !== undefined;
    const { depth } = follower;
    follower.raw.subscribe('b', BOOK, { id: idOf(0), depth, ...(after === undefined ? {} : { after: String(after) }) });
    this.#take(follower, await follower.raw.event());
    await this.catchUp(follower);
  }

  async catchUp(follower: Follower): Promise<void> {
    const { raw } = follower;
    if (raw === undefined) return;
    await raw.settled();
    while (raw.received.length > 0) this.#take(follower, await raw.event());
    const { bids, asks } = this.picture();
    const { depth, book } = follower;
    expect(book.picture()).toEqual({ bids: bids.slice(0, depth), asks: asks.slice(0, depth) });
  }

  #take(follower: Follower, event: BookEvent): void {
    const { book, depth } = follower;
    const outcome = book.take(event);
    tally[outcome] += 1;
    if (outcome === 'applied' && follower.isResuming) tally.resumed += 1;
    if (outcome === 'applied' && !this.pictures.has(book.seq)) tally.unseen += 1;
    if (follower.isResuming) expect(event.kind).toBe('DELTA');
    if (outcome === 'old') expect(follower.isResuming).toBe(true);
    if (outcome !== 'applied') return;
    const real = this.pictures.get(book.seq);
    if (real === undefined) return;
    expect(book.picture()).toEqual({ bids: real.bids.slice(0, depth), asks: real.asks.slice(0, depth) });
  }
}

describe('a book built from snapshot and deltas', () => {
  it('equals the book of the exchange after each delta while subscribers join, leave and resume', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const venue = await Venue.open();
        try {
          const play = new Play(venue);
          for (let account = 1; account <= 3; account += 1) await venue.account();
          await venue.market();
          for (const client of [0, 3]) await play.move({ do: 'join', client });
          for (const each of steps) {
            if (each.do === 'commands') await play.commands(each.list);
            else await play.move(each);
          }
          for (const follower of play.followers) await play.catchUp(follower);
          expect(venue.errors).toEqual([]);
        } finally {
          await venue.close();
        }
      }),
      { numRuns: runs(60), examples: [[MET]] },
    );
    expect(Math.min(tally.applied, tally.old, tally.resumed)).toBeGreaterThan(0);
    expect(tally.unseen).toBe(0);
  }, 120_000);
});
