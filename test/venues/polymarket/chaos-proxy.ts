/**
 * Stands between one life of the adapter and the embedded venue, as a bad network and a proxy do: requests and answers are late
 * or lost, come twice, or are answered by the proxy; sockets are cut; lists are old; balances have dust; the trades of one taker
 * with several orders of ours are one trade, whose parts come one by one. All by chance, from a source of its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { Random } from '../../../src/clock/index.ts';

export interface LineOptions {
  /** Base of the dialect. */
  readonly base: string;
  readonly random: Random;
  /** Trades of one taker are shown as one. */
  readonly isGrouped: boolean;
  /** Micro-shares that every balance of tokens is lower by. */
  readonly dust: number;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any kind
type Json = any;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const REFUSED = JSON.stringify({ error: 'rate limit exceeded', retry_after_seconds: 1 });
/** What a faulty request meets. Those before the `|` never come to the venue. */
const FAULTS = ['lost', '408', '502', '429', '|', 'lost', '408', '502', 'twice'] as const;
const RANK = ['MATCHED', 'RETRYING', 'MINED', 'CONFIRMED', 'FAILED'];
/** Where most is at risk, faults are so many times as likely. */
const [ENGINE, ENGINE_TIMES] = [/^(POST|DELETE) \/orders?$/, 3];
const PAGE = 7;
const MICRO = 1_000_000;

export class ChaosProxy {
  /** Chance of a fault, of each request. */
  rate = 0;
  /** Longest delay of a request, and of an answer; frames are late by a tenth at most. ms */
  delayMs = 0;
  /** Balances are read so much later at most, ms: trades go on meanwhile. */
  balanceMs = 0;
  /** The list of open orders may be so old, ms. */
  staleMs = 0;
  /** What contradicts the rules of the adapter, in words. */
  readonly broken: string[] = [];
  /** Orders whose cancel was answered, by hash. */
  readonly answered = new Set<string>();
  /** Orders that the venue said it has taken, by hash. */
  readonly taken = new Set<string>();
  readonly #options: LineOptions;
  readonly #server = createServer((request, response) => void this.#request(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #pairs = new Set<readonly [WebSocket, WebSocket]>();
  #isDead = false;
  #orders: { readonly at: number; readonly rows: readonly Json[] } = { at: 0, rows: [] };

  private constructor(options: LineOptions) {
    this.#options = options;
    this.#server.on('upgrade', (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#join(client, request.url ?? '')),
    );
  }

  static async open(options: LineOptions): Promise<ChaosProxy> {
    const line = new ChaosProxy(options);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Every connection ends. */
  cut(): void {
    this.#server.closeAllConnections();
    for (const [client, venue] of this.#pairs) {
      client.terminate();
      venue.terminate();
    }
  }

  /** The process at this end is gone: what it sent before still comes to the venue. */
  kill(): void {
    this.#isDead = true;
    this.#server.close();
    this.cut();
  }

  #delay(mostMs = this.delayMs): Promise<void> {
    const drawn = this.#options.random.uniform();
    const ms = drawn * drawn * mostMs;
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
    if (method === 'POST') this.#look(request.url ?? '', body);
    const rate = ENGINE.test(`${method} ${request.url}`) ? ENGINE_TIMES * this.rate : this.rate;
    const fault = random.uniform() < rate ? random.int(FAULTS.length) : FAULTS.length;
    const name = FAULTS[fault];
    const end = (answer: Answer): void => {
      if (this.#isDead || response.destroyed) return;
      if (method === 'DELETE' && answer.status === 200) this.#noteCancels(answer.text);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    };
    const answerOfProxy = (): void => {
      if (name === 'lost') request.socket.destroy();
      else end({ status: Number(name), text: name === '429' ? REFUSED : `<h1>${name}</h1>` });
    };
    await this.#delay(request.url?.startsWith('/balance') ? Math.max(this.delayMs, this.balanceMs) : this.delayMs);
    if (fault < FAULTS.indexOf('|')) return answerOfProxy();
    try {
      let answer = await this.#ask(request, method, body);
      if (name === 'twice') answer = await this.#ask(request, method, body);
      await this.#delay();
      if (name === 'lost' || name === '408' || name === '502') answerOfProxy();
      else end(answer);
    } catch {
      request.socket.destroy();
    }
  }

  /** An order comes from the adapter. */
  #look(url: string, body: string): void {
    if (!/^\/orders?$/.test(url)) return;
    for (const { order } of [JSON.parse(body)].flat()) {
      const age = Date.now() - Number(order.timestamp);
      if (age > OLD_MS) this.broken.push(`an order was sent ${age} ms after it was signed`);
    }
  }

  #noteCancels(text: string): void {
    const { canceled, not_canceled: not }: Json = JSON.parse(text);
    for (const hash of [...canceled, ...Object.keys(not)]) this.answered.add(hash);
  }

  async #ask(request: IncomingMessage, method: string, body: string): Promise<Answer> {
    const url = new URL(`${this.#options.base}${request.url}`);
    const headers = Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
      /^(poly_|content-type)/.test(key) ? [[key, String(value)]] : [],
    );
    const path = url.pathname.slice(new URL(this.#options.base).pathname.length);
    if (path === '/data/orders' || path === '/data/trades') return this.#list(path, url, headers);
    const answer = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
    const text = await answer.text();
    if (method === 'POST' && /^\/orders?$/.test(path) && answer.status === 200)
      for (const { orderID: hash } of [JSON.parse(text)].flat()) this.taken.add(hash);
    if (path !== '/balance-allowance' || url.searchParams.get('asset_type') !== 'CONDITIONAL')
      return { status: answer.status, text };
    const json: Json = JSON.parse(text);
    return { status: answer.status, text: JSON.stringify({ ...json, balance: this.#dusty(json.balance) }) };
  }

  #dusty(balance: string): string {
    return String(Math.max(0, Number(balance) - this.#options.dust));
  }

  /** Reads all pages, and answers in pages of its own. */
  async #list(path: string, { searchParams: query }: URL, headers: [string, string][]): Promise<Answer> {
    const isTrades = path === '/data/trades';
    const rows = isTrades ? this.#trades(await this.#all(path, headers), query) : await this.#openOrders(headers);
    const cursor = query.get('next_cursor') ?? '';
    const from = /^\d+$/.test(cursor) ? Number(cursor) : 0;
    const next = from + PAGE < rows.length ? String(from + PAGE) : 'LTE=';
    return { status: 200, text: JSON.stringify({ data: rows.slice(from, from + PAGE), next_cursor: next }) };
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
    for (const row of rows.map((each) => this.#renamed(each))) {
      const known = groups.get(row.id);
      groups.set(row.id, known === undefined ? row : this.#joined(known, row));
    }
    const after = Number(query.get('after') ?? 0);
    const id = query.get('id');
    return [...groups.values()].filter((row) => Number(row.match_time) >= after && (id === null || id === row.id));
  }

  /** Two parts of one trade. */
  #joined(one: Json, other: Json): Json {
    if (one.status !== other.status && [one.status, other.status].includes('FAILED'))
      this.broken.push(`the test is wrong: parts of trade ${one.id} are ${one.status} and ${other.status}`);
    return {
      ...one,
      size: String((Math.round(Number(one.size) * MICRO) + Math.round(Number(other.size) * MICRO)) / MICRO),
      status: RANK.indexOf(one.status) < RANK.indexOf(other.status) ? one.status : other.status,
      maker_orders: [...one.maker_orders, ...other.maker_orders],
    };
  }

  /** A trade in which we are makers has the name of its taker's order. */
  #renamed(trade: Json): Json {
    if (!this.#options.isGrouped || trade.trader_side !== 'MAKER') return trade;
    return { ...trade, id: `group-${trade.taker_order_id.slice(2, 34)}` };
  }

  #join(client: WebSocket, url: string): void {
    const venue = new WebSocket(`${this.#options.base.replace('http', 'ws')}${url}`);
    const pair = [client, venue] as const;
    this.#pairs.add(pair);
    const isOpen = new Promise<void>((resolve) => void venue.once('open', () => resolve()));
    this.#pass(client, async (text) => {
      await isOpen;
      venue.send(text);
    });
    this.#pass(venue, (text) => {
      if (client.readyState === WebSocket.OPEN) client.send(text);
      return Promise.resolve();
    });
    for (const [one, other] of [pair, [venue, client] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#pairs.delete(pair);
        other.terminate();
      });
    }
  }

  /** In order, each a little late. */
  #pass(from: WebSocket, send: (text: string) => Promise<void>): void {
    let last = Promise.resolve();
    from.on('message', (data) => {
      const text = this.#frame(String(data));
      last = last.then(() => this.#delay(this.delayMs / 10)).then(() => send(text));
    });
  }

  #frame(text: string): string {
    if (!text.includes('"trade"')) return text;
    const rename = (event: Json): Json => (event.event_type === 'trade' ? this.#renamed(event) : event);
    const json: Json = JSON.parse(text);
    return JSON.stringify(Array.isArray(json) ? json.map(rename) : rename(json));
  }
}

/** After it was signed, an order may be sent again for 10 s. */
const OLD_MS = 11_500;
