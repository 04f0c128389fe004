/**
 * Mixed load on a venue, from outside: traders with signed orders, cancels, merges and queries; subscribers of every kind that
 * come and go; one that never reads. What the venue may refuse is counted; anything else that goes wrong is a fault.
 */
import { WebSocket } from 'ws';
import { type Random, seededRandom, wallClock } from '../../src/clock/index.ts';
import { keyOf, login, queryVenue, Refusal, readyOrder, type SigningTools } from './trader.ts';

export interface LoadOptions {
  readonly url: string;
  readonly tools: SigningTools;
  /** UUIDs of markets that are open. */
  readonly markets: readonly string[];
  readonly traders: number;
  readonly subscribers: number;
  readonly seed: number;
}

/** What was done so far, by what it was. */
export type LoadCounts = Readonly<Record<string, number>>;

const SHARES = 1_000_000;
/** Beyond so many open orders a trader takes all of a market out. */
const MAX_OPEN = 60;
/** Enough to fill what two kernels hold for a connection, in less time than a server waits for the answer to a ping. */
const DEAF_STREAMS = 75;
const DEAF_MS = 12_000;
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

/** To be stopped. */
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

  /** Sockets that are open, or on their way. */
  get sockets(): number {
    return this.#sockets.size;
  }

  /** Logs everybody in and opens the sockets. */
  async start(): Promise<void> {
    const { traders, subscribers } = this.#options;
    for (let no = 0; no < traders; no += 1) this.#tokens[no] = await this.#login(no);
    for (let no = 0; no < subscribers; no += 1) this.#subscribe(no, 20 + this.#random.int(400));
    if (subscribers > 0) this.#subscribe(0, Number.POSITIVE_INFINITY, DEAF_STREAMS);
  }

  /** Has all traders work until so many things are done. */
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
        await this.#act(no, random, open);
      } catch (error) {
        await this.#recover(no, error);
      }
    }
  }

  async #act(no: number, random: Random, open: string[]): Promise<void> {
    const { url, markets } = this.#options;
    const token = this.#tokens[no];
    const marketId = markets[random.int(markets.length)] ?? '';
    const ask = (query: string, variables = {}) => queryVenue(url, token, query, variables);
    const draw = random.int(100);
    if (open.length > MAX_OPEN) {
      for (const market of markets)
        await ask('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: market });
      open.length = 0;
      this.#count('cancelMarketOrders');
    } else if (draw < 60) await this.#place(no, random, { marketId, open });
    else if (draw < 80) {
      const id = open.splice(random.int(Math.max(1, open.length)), 1)[0];
      if (id !== undefined) await ask('mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled } } }', { id });
      this.#count('cancelOrder');
    } else if (draw < 85) {
      await ask(`mutation { mergePosition(marketId: "${marketId}", sets: "${SHARES}") { rejection { reason } } }`);
      this.#count('mergePosition');
    } else {
      await ask(QUERIES[random.int(QUERIES.length)] ?? '');
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
    const { input } = readyOrder(tools, keyOf(tools, no + 1), request, salt);
    const { placeOrder } = await queryVenue(url, this.#tokens[no], PLACE, { i: input });
    if (!placeOrder.accepted) this.#count(`refused ${placeOrder.rejection.reason}`);
    else {
      this.#count('placeOrder');
      if (placeOrder.order.status !== 'FILLED') open.push(placeOrder.order.id);
    }
  }

  /** A session lasts a quarter of an hour, a bucket of requests less: a client that gets this error logs in again, or waits. */
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
   * @param most messages until it goes and another one comes
   * @param deaf so many times the same streams, of which nothing is read: it hangs up after a while, as it receives nothing
   */
  #subscribe(no: number, most: number, deaf = 0): void {
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
        for (let time = 0; time < Math.max(1, deaf); time += 1) {
          for (const [at, query] of streams.entries()) {
            socket.send(JSON.stringify({ id: `${time} ${at}`, type: 'subscribe', payload: { query } }));
          }
        }
        if (deaf > 0) {
          socket.pause();
          setTimeout(() => socket.terminate(), DEAF_MS).unref();
        }
        return;
      }
      this.#count('message');
      const { type, payload } = JSON.parse(String(data));
      if (type === 'error' && !/UNAUTHORIZED|rate limited/.test(JSON.stringify(payload)))
        this.faults.push(String(data));
      if (received > most) socket.close(1000);
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.#sockets.delete(socket);
      this.#count(`closed ${code}`);
      // Not at once: a venue that refuses connections is asked again in a while.
      setTimeout(() => this.#subscribe(no, most, deaf), 50).unref();
    });
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
}
