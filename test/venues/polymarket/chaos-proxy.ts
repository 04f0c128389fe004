/**
 * A proxy between the adapter and the embedded venue, with the faults of a bad network. Requests and responses are
 * late, lost, doubled or replaced by an error of the proxy. Sockets are cut, lists are stale, and balances lack some
 * dust. The trades of one taker with several own orders become one trade, whose parts arrive separately.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { Random } from '../../../src/clock/index.ts';

export interface ProxyOptions {
  /** Base URL of the venue's Polymarket API. */
  readonly base: string;
  readonly random: Random;
  /** The trades of one taker have one id. */
  readonly isGrouped: boolean;
  /** Micro-shares by which every token balance is reduced. */
  readonly dust: number;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any kind
type Json = any;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const REFUSED = JSON.stringify({ error: 'rate limit exceeded', retry_after_seconds: 1 });
/** Faults of a request. With those before the `|`, the request does not reach the venue. */
const FAULTS = ['lost', '408', '502', '429', '|', 'lost', '408', '502', 'twice'] as const;
const STATUS_ORDER = ['MATCHED', 'RETRYING', 'MINED', 'CONFIRMED', 'FAILED'];
/** Orders and cancels, and the factor by which faults are more likely for them. */
const [ORDER_REQUEST, ORDER_FAULT_FACTOR] = [/^(POST|DELETE) \/orders?$/, 3];
const PAGE_SIZE = 7;
const MICRO = 1_000_000;

export class ChaosProxy {
  /** Probability of a fault per request. */
  rate = 0;
  /** Maximum delay of a request and of a response, ms. Frames are delayed by at most a tenth of it. */
  delayMs = 0;
  /** Maximum delay of balance requests, ms. */
  balanceMs = 0;
  /** Maximum age of the list of open orders, ms. */
  staleMs = 0;
  /** Descriptions of violated rules. */
  readonly violations: string[] = [];
  /** Hashes of orders whose cancel was answered. */
  readonly cancelAnswered = new Set<string>();
  /** Hashes of orders that the venue accepted. */
  readonly accepted = new Set<string>();
  readonly #options: ProxyOptions;
  readonly #server = createServer((request, response) => void this.#request(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #pairs = new Set<readonly [WebSocket, WebSocket]>();
  #isDead = false;
  #orders: { readonly at: number; readonly rows: readonly Json[] } = { at: 0, rows: [] };

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server.on('upgrade', (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#connect(client, request.url ?? '')),
    );
  }

  static async open(options: ProxyOptions): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends every connection. */
  cut(): void {
    this.#server.closeAllConnections();
    for (const [client, venue] of this.#pairs) {
      client.terminate();
      venue.terminate();
    }
  }

  /** Simulates the end of the client process. Its earlier requests still reach the venue. */
  kill(): void {
    this.#isDead = true;
    this.#server.close();
    this.cut();
  }

  #delay(maxMs = this.delayMs): Promise<void> {
    const drawn = this.#options.random.uniform();
    const ms = drawn * drawn * maxMs;
    return ms < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    const { random } = this.#options;
    const body = Buffer.concat(parts).toString();
    const method = request.method ?? 'GET';
    if (method === 'POST') this.#checkAge(request.url ?? '', body);
    const rate = ORDER_REQUEST.test(`${method} ${request.url}`) ? ORDER_FAULT_FACTOR * this.rate : this.rate;
    const fault = random.uniform() < rate ? random.int(FAULTS.length) : FAULTS.length;
    const name = FAULTS[fault];
    const end = (answer: Answer): void => {
      if (this.#isDead || response.destroyed) return;
      if (method === 'DELETE' && answer.status === 200) this.#recordCancels(answer.text);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    };
    const answerOfProxy = (): void => {
      if (name === 'lost') request.socket.destroy();
      else end({ status: Number(name), text: name === '429' ? REFUSED : `<h1>${name}</h1>` });
    };
    await this.#delay(request.url?.startsWith('/balance') ? Math.max(this.delayMs, this.balanceMs) : this.delayMs);
    if (fault < FAULTS.indexOf('|')) return answerOfProxy();
    try {
      let answer = await this.#forward(request, method, body);
      if (name === 'twice') answer = await this.#forward(request, method, body);
      await this.#delay();
      if (name === 'lost' || name === '408' || name === '502') answerOfProxy();
      else end(answer);
    } catch {
      request.socket.destroy();
    }
  }

  /** Checks that no order is sent too long after it was signed. */
  #checkAge(url: string, body: string): void {
    if (!/^\/orders?$/.test(url)) return;
    for (const { order } of [JSON.parse(body)].flat()) {
      const age = Date.now() - Number(order.timestamp);
      if (age > MAX_AGE_MS) this.violations.push(`an order was sent ${age} ms after it was signed`);
    }
  }

  #recordCancels(text: string): void {
    const { canceled, not_canceled: not }: Json = JSON.parse(text);
    for (const hash of [...canceled, ...Object.keys(not)]) this.cancelAnswered.add(hash);
  }

  async #forward(request: IncomingMessage, method: string, body: string): Promise<Answer> {
    const url = new URL(`${this.#options.base}${request.url}`);
    const headers = Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
      /^(poly_|content-type)/.test(key) ? [[key, String(value)]] : [],
    );
    const path = url.pathname.slice(new URL(this.#options.base).pathname.length);
    if (path === '/data/orders' || path === '/data/trades') return this.#list(path, url, headers);
    const answer = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
    const text = await answer.text();
    if (method === 'POST' && /^\/orders?$/.test(path) && answer.status === 200)
      for (const { orderID: hash } of [JSON.parse(text)].flat()) this.accepted.add(hash);
    if (path !== '/balance-allowance' || url.searchParams.get('asset_type') !== 'CONDITIONAL')
      return { status: answer.status, text };
    const json: Json = JSON.parse(text);
    return { status: answer.status, text: JSON.stringify({ ...json, balance: this.#dusty(json.balance) }) };
  }

  #dusty(balance: string): string {
    return String(Math.max(0, Number(balance) - this.#options.dust));
  }

  /** Reads all pages of the venue and returns a page of its own size. */
  async #list(path: string, { searchParams: query }: URL, headers: [string, string][]): Promise<Answer> {
    const isTrades = path === '/data/trades';
    const rows = isTrades ? this.#trades(await this.#all(path, headers), query) : await this.#openOrders(headers);
    const cursor = query.get('next_cursor') ?? '';
    const from = /^\d+$/.test(cursor) ? Number(cursor) : 0;
    const next = from + PAGE_SIZE < rows.length ? String(from + PAGE_SIZE) : 'LTE=';
    return { status: 200, text: JSON.stringify({ data: rows.slice(from, from + PAGE_SIZE), next_cursor: next }) };
  }

  async #openOrders(headers: [string, string][]): Promise<readonly Json[]> {
    const now = Date.now();
    if (now - this.#orders.at > this.staleMs)
      this.#orders = { at: now, rows: await this.#all('/data/orders', headers) };
    return this.#orders.rows;
  }

  async #all(path: string, headers: [string, string][]): Promise<readonly Json[]> {
    const rows: Json[] = [];
    for (let cursor = 'MA=='; cursor !== 'LTE='; ) {
      const answer = await fetch(`${this.#options.base}${path}?next_cursor=${cursor}`, { headers });
      const page: Json = await answer.json();
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  }

  #trades(rows: readonly Json[], query: URLSearchParams): readonly Json[] {
    const groups = new Map<string, Json>();
    for (const row of rows.map((each) => this.#withGroupId(each))) {
      const known = groups.get(row.id);
      groups.set(row.id, known === undefined ? row : this.#merged(known, row));
    }
    const after = Number(query.get('after') ?? 0);
    const id = query.get('id');
    return [...groups.values()].filter((row) => Number(row.match_time) >= after && (id === null || id === row.id));
  }

  /** Merges two parts of one trade. */
  #merged(first: Json, second: Json): Json {
    if (first.status !== second.status && [first.status, second.status].includes('FAILED'))
      this.violations.push(`the test is wrong: parts of trade ${first.id} are ${first.status} and ${second.status}`);
    return {
      ...first,
      size: String((Math.round(Number(first.size) * MICRO) + Math.round(Number(second.size) * MICRO)) / MICRO),
      status: STATUS_ORDER.indexOf(first.status) < STATUS_ORDER.indexOf(second.status) ? first.status : second.status,
      maker_orders: [...first.maker_orders, ...second.maker_orders],
    };
  }

  /** Gives all maker trades of one taker order the same id. */
  #withGroupId(trade: Json): Json {
    if (!this.#options.isGrouped || trade.trader_side !== 'MAKER') return trade;
    return { ...trade, id: `group-${trade.taker_order_id.slice(2, 34)}` };
  }

  #connect(client: WebSocket, url: string): void {
    const venue = new WebSocket(`${this.#options.base.replace('http', 'ws')}${url}`);
    const pair = [client, venue] as const;
    this.#pairs.add(pair);
    const isOpen = new Promise<void>((resolve) => void venue.once('open', () => resolve()));
    this.#relay(client, async (text) => {
      await isOpen;
      venue.send(text);
    });
    this.#relay(venue, (text) => {
      if (client.readyState === WebSocket.OPEN) client.send(text);
      return Promise.resolve();
    });
    for (const [socket, other] of [pair, [venue, client] as const]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.terminate();
      });
    }
  }

  /** Relays frames in order, each with a delay. */
  #relay(from: WebSocket, send: (text: string) => Promise<void>): void {
    let last = Promise.resolve();
    from.on('message', (data) => {
      const text = this.#frame(String(data));
      last = last.then(() => this.#delay(this.delayMs / 10)).then(() => send(text));
    });
  }

  #frame(text: string): string {
    if (!text.includes('"trade"')) return text;
    const rename = (event: Json): Json => (event.event_type === 'trade' ? this.#withGroupId(event) : event);
    const json: Json = JSON.parse(text);
    return JSON.stringify(Array.isArray(json) ? json.map(rename) : rename(json));
  }
}

/** An order may be resent for 10 s after it was signed. */
const MAX_AGE_MS = 11_500;
