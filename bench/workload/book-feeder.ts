/**
 * A venue with books only, in a child process: `book-feeder.ts [first number]`. Sends changes of all subscribed books
 * in turn, at the requested rate. `at` is the time of sending.
 */
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type WebSocket, WebSocketServer } from 'ws';
import { bookChecksum, formatChecksum, Ladder } from '../../src/book/index.ts';
import { seededRandom } from '../../src/clock/index.ts';
import { listen } from './child.ts';

/** A request to this program, which replies after the last change. */
export interface FeedRequest {
  readonly perSecond: number;
  readonly seconds: number;
  /** Share of the changes that remove or restore the best level. Default 0. */
  readonly moving?: number;
  /** Number of markets that change. The others change rarely, so that none is stale. Default: all. */
  readonly markets?: number;
  /** Maximum number of changes at once, so that a delayed feeder catches up slowly. Default: unlimited. */
  readonly atOnce?: number;
}

/** A message that removes all bids of a book except the lowest in one frame, or restores them. */
export interface BidsRequest {
  /** Id of the market. */
  readonly market: string;
  readonly bids: 'remove' | 'restore';
}

const SHARE = 1e6;
const LEVELS = 50;
const TICK_BPS = 10;
const SECOND_MS = 1_000;
const MILLION = 1_000_000;
/** Every 11th change is of any market. A prime, so that all markets are visited. */
const ANY_MARKET_EVERY = 11;
const FIRST_SEQ = Number(process.argv[2] ?? 1);
/** The market without bids. Only its asks change. */
let marketWithoutBids: string | undefined;

/** A subscription of a book. */
interface Feed {
  readonly web: WebSocket;
  readonly id: string;
}

class Book {
  readonly id: string;
  readonly feeds = new Set<Feed>();
  readonly #ladder = new Ladder(TICK_BPS);
  #seq = FIRST_SEQ;
  /** Whether the best level of each side is removed. */
  readonly #isBestRemoved = [false, false];

  constructor(id: string) {
    this.id = id;
    for (let step = 1; step <= LEVELS; step += 1) {
      this.#ladder.set(0, 5_000 - TICK_BPS * step, 100 * SHARE);
      this.#ladder.set(1, 5_000 + TICK_BPS * step, 100 * SHARE);
    }
  }

  snapshot(): object {
    const side = (name: 'bid' | 'ask') =>
      this.#ladder
        .depth(name, LEVELS)
        .map(({ price, shares }) => ({ priceBps: price, shares: shares / SHARE, orderCount: 1 }));
    return { ...this.#frame('SNAPSHOT', this.#seq), bids: side('bid'), asks: side('ask') };
  }

  /** Changes the size of one level. */
  change(side: number, step: number, shares: number): object {
    const price = side === 0 ? 5_000 - TICK_BPS * step : 5_000 + TICK_BPS * step;
    this.#ladder.set(side, price, shares * SHARE);
    const before = this.#seq;
    this.#seq += 3;
    const level = [{ priceBps: price, shares, orderCount: 2 }];
    return { ...this.#frame('DELTA', before), bids: side === 0 ? level : [], asks: side === 1 ? level : [] };
  }

  /** Removes or restores the best level. */
  move(side: number): object {
    const isRemoved = this.#isBestRemoved[side] === true;
    this.#isBestRemoved[side] = !isRemoved;
    return this.change(side, 1, isRemoved ? LEVELS : 0);
  }

  /** Removes or restores all bids except the lowest in one frame. */
  changeBids(bids: BidsRequest['bids']): object {
    const before = this.#seq;
    this.#seq += 3;
    this.#isBestRemoved[0] = false;
    const shares = bids === 'restore' ? 100 : 0;
    const levels = Array.from({ length: LEVELS - 1 }, (_, at) => {
      const priceBps = 5_000 - TICK_BPS * (at + 1);
      this.#ladder.set(0, priceBps, shares * SHARE);
      return { priceBps, shares, orderCount: bids === 'restore' ? 1 : 0 };
    });
    return { ...this.#frame('DELTA', before), bids: levels, asks: [] };
  }

  #frame(kind: string, prevSeq: number) {
    return {
      kind,
      marketId: this.id,
      seq: String(this.#seq),
      prevSeq: String(prevSeq),
      checksum: formatChecksum(bookChecksum(this.#ladder)),
      at: new Date().toISOString(),
    };
  }
}

const books = new Map<string, Book>();
const random = seededRandom(1);
const CONFIG = {
  betting: {
    minBetCents: 10,
    spreadBps: 0,
    maxBatchOrders: 20,
    maxBatchCancels: 200,
    minHeartbeatMs: 1_000,
    maxHeartbeatMs: 300_000,
    maxClockSkewMs: 3,
    feeRateBps: 0,
  },
  market: { maxExposurePerMarketCents: 1, maxBetPerMarketCents: 1, tickSizeBps: 10 },
};

function send(web: WebSocket, id: string, data: object): void {
  web.send(JSON.stringify({ id, type: 'next', payload: { data } }));
}

function unsubscribe(matches: (feed: Feed) => boolean): void {
  for (const { feeds } of books.values()) for (const feed of feeds) if (matches(feed)) feeds.delete(feed);
}

/** Sends to all subscribers of a book. During a reconnection, a client has an old and a new socket. */
function publish(book: Book, event: object): void {
  for (const { web, id } of book.feeds) send(web, id, { orderBookUpdated: event });
}

function feed({
  perSecond,
  seconds,
  moving = 0,
  markets = books.size,
  atOnce = perSecond * seconds,
}: FeedRequest): void {
  const start = performance.now();
  const total = perSecond * seconds;
  const all = [...books.values()];
  let sent = 0;
  const sendDue = (): void => {
    const due = Math.min(total, sent + atOnce, Math.floor(((performance.now() - start) * perSecond) / SECOND_MS));
    for (; sent < due; sent += 1) {
      const book = all[sent % (sent % ANY_MARKET_EVERY === 0 ? all.length : markets)];
      if (book === undefined) throw new Error('Invariant: no book has a subscriber');
      const hasNoBids = book.id === marketWithoutBids;
      const firstStep = moving > 0 ? 2 : 1;
      if (moving > 0 && !hasNoBids && random.int(MILLION) < moving * MILLION) publish(book, book.move(random.int(2)));
      else {
        const step = firstStep + random.int(LEVELS + 1 - firstStep);
        publish(book, book.change(hasNoBids ? 1 : random.int(2), step, 1 + random.int(500)));
      }
    }
    if (sent < total) setTimeout(sendDue, 1);
    else process.send?.({ sent });
  };
  sendDue();
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const pageInfo = { hasNextPage: false, endCursor: null };
    const health = { status: 'OK', mode: 'NORMAL', version: '', serverTime: new Date().toISOString() };
    // No market has bet limits, so each requested field (`b0`, …) is null.
    const bets = Object.fromEntries([...body.matchAll(/\b(b\d+):/g)].map(([, alias]) => [alias, null]));
    const data = body.includes('markets(') ? { markets: { edges: [], pageInfo, totalCount: 0 } } : { health, ...bets };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (web) => {
  web.on('close', () => {
    unsubscribe((feed) => feed.web === web);
  });
  web.on('message', (text) => {
    const { type, id, payload } = JSON.parse(String(text));
    if (type === 'connection_init') web.send('{"type":"connection_ack"}');
    if (type === 'complete') unsubscribe((feed) => feed.web === web && feed.id === id);
    if (type !== 'subscribe') return;
    if (payload.query.includes('{orderBookUpdated')) {
      const { marketId } = payload.variables;
      const book = books.get(marketId) ?? new Book(marketId);
      books.set(marketId, book);
      book.feeds.add({ web, id });
      send(web, id, { orderBookUpdated: book.snapshot() });
    } else if (payload.query.includes('{venueStatusChanged')) {
      const { betting: bettingConfig, market: marketConfig } = CONFIG;
      const at = new Date().toISOString();
      send(web, id, { venueStatusChanged: { mode: 'NORMAL', bettingConfig, marketConfig, at } });
    }
  });
});
process.on('message', (request: FeedRequest | BidsRequest) => {
  if (!('bids' in request)) {
    feed(request);
    return;
  }
  marketWithoutBids = request.bids === 'restore' ? undefined : request.market;
  const book = books.get(request.market);
  if (book !== undefined) publish(book, book.changeBids(request.bids));
});
process.on('disconnect', () => process.exit());
process.send?.({ port: await listen(server) });
