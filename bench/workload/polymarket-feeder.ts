/**
 * The public half of Polymarket, in a child process: `polymarket-feeder.ts <markets>`. Gamma lists the markets, and the
 * market channel sends changes of their books in turn, at the requested rate. `timestamp` is the time of sending.
 */
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type WebSocket, WebSocketServer } from 'ws';
import { seededRandom } from '../../src/clock/index.ts';
import type { FeedRequest } from './book-feeder.ts';
import { listen } from './child.ts';

/** A message of this program. */
export interface FeederReply {
  readonly port: number;
  /** Number of messages that the request sent to subscribers. */
  readonly delivered: number;
}

const LEVELS = 40;
const HASH = '9'.repeat(40);
const SECOND_MS = 1_000;
const random = seededRandom(1);

const priceText = (cents: number): string => String(cents / 100);

/** A market whose book is around 50 cents. Changes are behind the best prices, as most are at the venue. */
class Market {
  readonly condition: string;
  readonly tokens: readonly [yes: string, no: string];
  readonly #number: number;
  readonly #sizes = [new Map<number, number>(), new Map<number, number>()] as const;

  constructor(number: number) {
    this.#number = number;
    this.condition = `0x${number.toString(16).padStart(64, '0')}`;
    this.tokens = [`1${String(number).padStart(75, '0')}`, `2${String(number).padStart(75, '0')}`];
    for (let step = 1; step <= LEVELS; step += 1)
      for (const [side, sizes] of this.#sizes.entries()) sizes.set(side === 0 ? 50 - step : 50 + step, 100);
  }

  get terms(): object {
    const t = this.tokens.map((token, at) => ({ t: token, o: at === 0 ? 'Yes' : 'No' }));
    return { c: this.condition, t, mts: 0.01, mos: 5, nr: false, ao: true, fd: { r: 0, e: 1, to: true } };
  }

  get listing(): object {
    return {
      ...{ id: String(this.#number), conditionId: this.condition, slug: `bench-${this.#number}`, question: 'Rain?' },
      ...{ outcomes: '["Yes","No"]', clobTokenIds: JSON.stringify(this.tokens), version: 'v1', active: true },
      ...{ closed: false, acceptingOrders: true, negRisk: false, orderPriceMinTickSize: 0.01 },
    };
  }

  book(): object {
    const [bids, asks] = this.#sizes.map((sizes) =>
      [...sizes].map(([price, size]) => ({ price: priceText(price), size: String(size) })),
    );
    const head = { event_type: 'book', market: this.condition, asset_id: this.tokens[0], hash: HASH };
    return { ...head, timestamp: String(Date.now()), bids, asks };
  }

  /** Changes the size of a level, reported for both tokens, as the venue does. */
  change(): object {
    const side = random.int(2) === 0 ? 0 : 1;
    const [step, size] = [1 + random.int(LEVELS), 1 + random.int(500)];
    const price = side === 0 ? 50 - step : 50 + step;
    this.#sizes[side].set(price, size);
    const common = { size: String(size), hash: HASH, best_bid: '0.49', best_ask: '0.51' };
    const [yes, no] = this.tokens;
    const changes = [
      { asset_id: yes, price: priceText(price), side: side === 0 ? 'BUY' : 'SELL', ...common },
      { asset_id: no, price: priceText(100 - price), side: side === 0 ? 'SELL' : 'BUY', ...common },
    ];
    const head = { event_type: 'price_change', market: this.condition };
    return { ...head, timestamp: String(Date.now()), price_changes: changes };
  }
}

const markets = Array.from({ length: Number(process.argv[2]) }, (_, at) => new Market(at));
const byToken = new Map(markets.map((market) => [market.tokens[0], market]));
const subscribers = new Map<Market, Set<WebSocket>>(markets.map((market) => [market, new Set()]));

function feed({ perSecond, seconds }: FeedRequest): void {
  const start = performance.now();
  const total = perSecond * seconds;
  let [sent, delivered] = [0, 0];
  const sendDue = (): void => {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / SECOND_MS));
    for (; sent < due; sent += 1) {
      const market = markets[sent % markets.length];
      if (market === undefined) throw new Error('Invariant: there is no market');
      const text = JSON.stringify(market.change());
      for (const socket of subscribers.get(market) ?? []) {
        socket.send(text);
        delivered += 1;
      }
    }
    if (sent < total) setTimeout(sendDue, 1);
    else process.send?.({ port, delivered } satisfies FeederReply);
  };
  sendDue();
}

function answerTo(path: string, query: URLSearchParams, body: string): unknown {
  if (path === '/time') return Math.floor(Date.now() / SECOND_MS);
  if (path === '/books')
    return JSON.parse(body).map(({ token_id: token }: { token_id: string }) => byToken.get(token)?.book());
  if (path.startsWith('/clob-markets/')) return markets.find(({ condition }) => path.endsWith(condition))?.terms;
  const first = Number(query.get('after_cursor') ?? 0);
  const next = first + 100;
  const listed = markets.slice(first, next).map(({ listing }) => listing);
  return { markets: listed, ...(next < markets.length ? { next_cursor: String(next) } : {}) };
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerTo(pathname, searchParams, body)));
  });
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('close', () => {
    for (const sockets of subscribers.values()) sockets.delete(socket);
  });
  socket.on('message', (data) => {
    const text = String(data);
    if (text === 'PING') {
      socket.send('PONG');
      return;
    }
    const { operation, assets_ids: assets } = JSON.parse(text);
    for (const asset of assets) {
      const market = byToken.get(asset);
      if (market === undefined) continue;
      if (operation === 'unsubscribe') subscribers.get(market)?.delete(socket);
      else {
        subscribers.get(market)?.add(socket);
        socket.send(JSON.stringify(market.book()));
      }
    }
  });
});
process.on('message', feed);
process.on('disconnect', () => process.exit());
const port = await listen(server);
process.send?.({ port, delivered: 0 } satisfies FeederReply);
