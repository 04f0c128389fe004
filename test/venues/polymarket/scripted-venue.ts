/** A venue with scripted responses: one market, its books over REST, and frames of the market channel. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { afterThisTest } from '../../cleanup.ts';

export const CONDITION = `0x${'ab'.repeat(32)}`;
export const [YES, NO] = ['111', '222'];

type Level = readonly [price: string, size: string];

/** Levels in dollars and shares, as decimal text. */
export interface ScriptedBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export class ScriptedVenue {
  readonly url: string;
  /** The book of REST and of new subscriptions. */
  book: ScriptedBook = { bids: [['0.4', '10']], asks: [['0.6', '10']] };
  /** Replaced responses by path. */
  readonly overrides = new Map<string, (response: ServerResponse) => void>();
  /** A new subscription receives a book. */
  beginsWithBook = true;
  /** Changed fields of `/clob-markets`, `/markets` and Gamma. */
  readonly terms: Record<string, unknown> = {};
  readonly state: Record<string, unknown> = {};
  readonly listing: Record<string, unknown> = {};
  /** Messages of clients. */
  readonly received: string[] = [];
  connections = 0;
  readonly #sockets = new Set<WebSocket>();
  #lastAt = 0;

  constructor(url: string) {
    this.url = url;
  }

  /** Closed after the test. */
  static async open(): Promise<ScriptedVenue> {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => venue.#answer(new URL(request.url ?? '/', 'http://local').pathname, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const venue = new ScriptedVenue(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const sockets = new WebSocketServer({ server, path: '/ws/market' });
    sockets.on('connection', (socket) => venue.#connected(socket));
    afterThisTest.add(() => {
      for (const socket of venue.#sockets) socket.terminate();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return venue;
  }

  /** Returns a venue time in ms, later than the previous one. */
  now(): number {
    this.#lastAt = Math.max(this.#lastAt + 1, Date.now());
    return this.#lastAt;
  }

  send(frame: object | string): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    for (const socket of this.#sockets) socket.send(text);
  }

  /** Changes a level of YES in the book and sends the change. @param overrides fields of the change to replace */
  change(
    side: 'BUY' | 'SELL',
    price: string,
    size: string,
    overrides: Record<string, unknown> = {},
    at = this.now(),
  ): object {
    const name = side === 'BUY' ? 'bids' : 'asks';
    const others = this.book[name].filter(([known]) => known !== price);
    this.book = { ...this.book, [name]: size === '0' ? others : [...others, [price, size]] };
    const best = (levels: readonly Level[], pick: (...prices: number[]) => number, none: string): string =>
      levels.length === 0 ? none : String(pick(...levels.map(([each]) => Number(each))));
    const touch = { best_bid: best(this.book.bids, Math.max, '0'), best_ask: best(this.book.asks, Math.min, '1') };
    const change = { asset_id: YES, price, size, side, hash: 'h', ...touch, ...overrides };
    const frame = { event_type: 'price_change', market: CONDITION, timestamp: String(at), price_changes: [change] };
    this.send(frame);
    return frame;
  }

  /** Returns the book as an event. */
  bookEvent(book: ScriptedBook = this.book, at = this.now()): object {
    const levels = (side: readonly Level[]) => side.map(([price, size]) => ({ price, size }));
    return {
      event_type: 'book',
      market: CONDITION,
      asset_id: YES,
      timestamp: String(at),
      bids: levels(book.bids),
      asks: levels(book.asks),
      hash: 'h',
    };
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  #connected(socket: WebSocket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data) => {
      const text = String(data);
      if (text === 'PING') {
        socket.send('PONG');
        return;
      }
      this.received.push(text);
      const { operation, assets_ids: assets } = JSON.parse(text);
      if (operation !== 'unsubscribe' && assets.includes(YES) && this.beginsWithBook)
        socket.send(JSON.stringify(this.bookEvent()));
    });
  }

  #answer(path: string, response: ServerResponse): void {
    const override = this.overrides.get(path);
    if (override !== undefined) {
      override(response);
      return;
    }
    const answers: Readonly<Record<string, () => unknown>> = {
      '/time': () => Math.floor(Date.now() / 1_000),
      '/books': () => [this.bookEvent()],
      [`/clob-markets/${CONDITION}`]: () => this.#terms(),
      [`/markets/${CONDITION}`]: () => this.#state(),
      '/gamma/markets/keyset': () => ({ markets: [this.#listed()] }),
    };
    const body = answers[path]?.();
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'not found' }));
  }

  #terms(): object {
    const t = [
      { t: YES, o: 'Yes' },
      { t: NO, o: 'No' },
    ];
    return { c: CONDITION, t, mts: 0.01, mos: 5, nr: false, ao: true, fd: { r: 0.07, e: 1, to: true }, ...this.terms };
  }

  #state(): object {
    const tokens = [
      { token_id: YES, outcome: 'Yes', winner: false },
      { token_id: NO, outcome: 'No', winner: false },
    ];
    return { condition_id: CONDITION, tokens, closed: false, accepting_orders: true, ...this.state };
  }

  #listed(): object {
    return {
      conditionId: CONDITION,
      slug: 'rain',
      question: 'Rain?',
      outcomes: '["Yes","No"]',
      clobTokenIds: JSON.stringify([YES, NO]),
      version: 'v1',
      active: true,
      closed: false,
      acceptingOrders: true,
      negRisk: false,
      orderPriceMinTickSize: 0.01,
      ...this.listing,
    };
  }
}
