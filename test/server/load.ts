/**
 * Mixed load on a venue over the network. Traders send signed orders, cancels, merges and queries. Subscribers connect
 * and disconnect, and one subscriber never reads. Allowed refusals are counted; every other error is a fault.
 */
import { WebSocket } from 'ws';
import { type Random, seededRandom, wallClock } from '../../src/clock/index.ts';
import { keyOf, login, queryVenue, Refusal, type SigningTools, signOrder } from './trader.ts';

export interface LoadOptions {
  readonly url: string;
  readonly tools: SigningTools;
  /** UUIDs of open markets. */
  readonly markets: readonly string[];
  readonly traders: number;
  readonly subscribers: number;
  readonly seed: number;
}

/** Number of operations, messages and refusals by name. */
export type LoadCounts = Readonly<Record<string, number>>;

const SHARES = 1_000_000;
/** A trader with more open orders cancels all of them. */
const MAX_OPEN = 60;
/** Enough streams to fill the socket buffers of both sides before the server's ping times out. */
const UNREAD_STREAMS = 75;
const UNREAD_MS = 12_000;
const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted order { id status } rejection { reason } } }`;
const QUERIES = [
  '{ orders(input: { first: 20 }) { totalCount edges { node { id status queueAheadShares } } } }',
  '{ balance { availableMicros reservedMicros } }',
  '{ fills(input: { first: 20 }) { edges { node { id shares } } } }',
  '{ markets(input: { first: 20 }) { edges { node { id yesPriceBps noPriceBps volumeCents } } } }',
  '{ health { status engineSeq } }',
];
const STREAMS = (market: string): readonly string[] => [
  `subscription { orderBookUpdated(marketId: "${market}") { kind seq prevSeq bids { priceBps shares } asks { priceBps shares } checksum } }`,
  `subscription { tradeExecuted(marketId: "${market}") { id priceBps shares } }`,
  `subscription { priceUpdated(marketIds: ["${market}"]) { yesPriceBps noPriceBps } }`,
  'subscription { orderEvents { kind seq prevSeq order { id status } } }',
  'subscription { balanceUpdated { availableMicros } }',
  'subscription { positionUpdated { outcome shares } }',
];

/** Call `stop` when done. */
export class Load {
  readonly faults: string[] = [];
  readonly #options: LoadOptions;
  readonly #random: Random;
  readonly #counts: Record<string, number> = {};
  readonly #clock = wallClock();
  readonly #sockets = new Set<WebSocket>();
  readonly #tokens: string[] = [];
  /** Ids of orders that may be open, by trader. */
  readonly #open: string[][] = [];
  #left = 0;
  #turns = 0;
  #isStopped = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  get counts(): LoadCounts {
    return this.#counts;
  }

  /** Number of open and connecting sockets. */
  get sockets(): number {
    return this.#sockets.size;
  }

  /** Logs all traders in and opens the sockets. */
  async start(): Promise<void> {
    const { traders, subscribers } = this.#options;
    for (let no = 0; no < traders; no += 1) this.#tokens[no] = await this.#login(no);
    for (let no = 0; no < subscribers; no += 1) this.#subscribe(no, 20 + this.#random.int(400));
    if (subscribers > 0) this.#subscribe(0, Number.POSITIVE_INFINITY, UNREAD_STREAMS);
  }

  /** Runs all traders until they have done this many operations. */
  async work(operations: number): Promise<void> {
    this.#left = operations;
    await Promise.all(Array.from({ length: this.#options.traders }, (_, no) => this.#trade(no)));
  }

  /** Resolves when all sockets are closed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.terminate();
    while (this.#sockets.size > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  async #trade(no: number): Promise<void> {
    this.#turns += 1;
    const random = this.#random.fork(`trader ${no} ${this.#turns}`);
    const open = this.#open[no] ?? [];
    this.#open[no] = open;
    while (this.#left > 0 && !this.#isStopped) {
      this.#left -= 1;
      try {
        await this.#runRandomOperation(no, random, open);
      } catch (error) {
        await this.#recover(no, error);
      }
    }
  }

  async #runRandomOperation(no: number, random: Random, open: string[]): Promise<void> {
    const { url, markets } = this.#options;
    const token = this.#tokens[no];
    const marketId = markets[random.int(markets.length)] ?? '';
    const request = (query: string, variables = {}) => queryVenue(url, token, query, variables);
    const draw = random.int(100);
    if (open.length > MAX_OPEN) {
      for (const market of markets)
        await request('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: market });
      open.length = 0;
      this.#count('cancelMarketOrders');
    } else if (draw < 60) await this.#place(no, random, { marketId, open });
    else if (draw < 80) {
      const id = open.splice(random.int(Math.max(1, open.length)), 1)[0];
      if (id !== undefined)
        await request('mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled } } }', { id });
      this.#count('cancelOrder');
    } else if (draw < 85) {
      await request(`mutation { mergePosition(marketId: "${marketId}", sets: "${SHARES}") { rejection { reason } } }`);
      this.#count('mergePosition');
    } else {
      await request(QUERIES[random.int(QUERIES.length)] ?? '');
      this.#count('query');
    }
  }

  async #place(
    no: number,
    random: Random,
    { marketId, open }: { readonly marketId: string; readonly open: string[] },
  ): Promise<void> {
    const { url, tools } = this.#options;
    const request = {
      ...({ marketId, outcome: random.int(2) === 0 ? 'YES' : 'NO', side: 'BUY' } as const),
      priceBps: 4_000 + 100 * random.int(21),
      shares: SHARES * (1 + random.int(20)),
      timestampMs: this.#clock.now(),
    };
    const salt = random.int(4_294_967_296) * 1_048_576 + random.int(1_048_576);
    const { input } = signOrder(tools, keyOf(tools, no + 1), request, salt);
    const { placeOrder } = await queryVenue(url, this.#tokens[no], PLACE, { i: input });
    if (!placeOrder.accepted) this.#count(`refused ${placeOrder.rejection.reason}`);
    else {
      this.#count('placeOrder');
      if (placeOrder.order.status !== 'FILLED') open.push(placeOrder.order.id);
    }
  }

  /** Logs in again when the session has expired and waits when the rate limit is reached. Other errors are faults. */
  async #recover(no: number, error: unknown): Promise<void> {
    const text = String(error);
    if (this.#isStopped) return;
    if (text.includes('UNAUTHORIZED')) {
      this.#tokens[no] = await this.#login(no);
      this.#count('login');
    } else if (error instanceof Refusal && text.includes('rate limited')) {
      this.#count('rate limited');
      await new Promise((resolve) => setTimeout(resolve, 100));
    } else {
      this.faults.push(text);
      if (this.faults.length > 20) this.#left = 0;
    }
  }

  #login(no: number): Promise<string> {
    const { url, tools } = this.#options;
    return login(url, tools, keyOf(tools, no + 1));
  }

  /**
   * @param maxMessages messages until the socket closes and a new one opens
   * @param unreadCopies when above 0, subscribes this many times to all streams, reads nothing and closes after a while
   */
  #subscribe(no: number, maxMessages: number, unreadCopies = 0): void {
    if (this.#isStopped) return;
    const { url, markets, traders } = this.#options;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    this.#sockets.add(socket);
    let received = 0;
    socket.on('open', () => {
      const authorization = `Bearer ${this.#tokens[no % Math.max(1, traders)]}`;
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    });
    socket.on('message', (data) => {
      received += 1;
      if (received === 1) {
        const streams = STREAMS(markets[no % markets.length] ?? '');
        for (let copy = 0; copy < Math.max(1, unreadCopies); copy += 1) {
          for (const [at, query] of streams.entries()) {
            socket.send(JSON.stringify({ id: `${copy} ${at}`, type: 'subscribe', payload: { query } }));
          }
        }
        if (unreadCopies > 0) {
          socket.pause();
          setTimeout(() => socket.terminate(), UNREAD_MS).unref();
        }
        return;
      }
      this.#count('message');
      const { type, payload } = JSON.parse(String(data));
      if (type === 'error' && !/UNAUTHORIZED|rate limited/.test(JSON.stringify(payload)))
        this.faults.push(String(data));
      if (received > maxMessages) socket.close(1000);
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.#sockets.delete(socket);
      this.#count(`closed ${code}`);
      // Waits a little before it reconnects, because the venue may refuse connections.
      setTimeout(() => this.#subscribe(no, maxMessages, unreadCopies), 50).unref();
    });
  }

  #count(name: string): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + 1;
  }
}
