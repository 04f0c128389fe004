/** A client on a bare socket that queues what it receives, so that nothing is missed; it sends only what a test asks for. */
import { WebSocket } from 'ws';

export interface PriceLevel {
  readonly priceBps: number;
  readonly shares: number;
  readonly orderCount: number;
}

/** An event of any stream: what a test asked for is there. */
export interface Told {
  readonly kind: string;
  readonly seq: string;
  readonly prevSeq: string;
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
  readonly checksum: string;
  readonly mode: string;
  readonly status: string;
  readonly availableMicros: string;
}

interface WireError {
  readonly message: string;
  readonly path: readonly string[];
}

export interface Message {
  readonly type: string;
  readonly id?: string;
  /** Of `next` an answer, of `error` a list. */
  readonly payload: readonly WireError[] & {
    readonly data: Readonly<Record<string, Told>>;
    readonly errors: readonly WireError[];
  };
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export class RawClient {
  readonly web: WebSocket;
  readonly closed: Promise<Closed>;
  readonly #heard: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];
  #isClosed = false;

  private constructor(web: WebSocket) {
    this.web = web;
    web.on('message', (data) => {
      const message = JSON.parse(String(data));
      const next = this.#waiting.shift();
      if (next === undefined) this.#heard.push(message);
      else next(message);
    });
    this.closed = new Promise((resolve) => {
      web.on('close', (code, reason) => {
        this.#isClosed = true;
        resolve({ code, reason: String(reason) });
      });
    });
    web.on('error', () => undefined);
  }

  /** @param protocol empty for none */
  static async open(url: string, protocol = 'graphql-transport-ws', headers = {}): Promise<RawClient> {
    const web = new WebSocket(url, protocol === '' ? [] : [protocol], { headers, perMessageDeflate: false });
    const client = new RawClient(web);
    await new Promise<void>((resolve, reject) => {
      web.on('open', resolve);
      web.on('error', reject);
    });
    return client;
  }

  /** Opened, and acknowledged. */
  static async ready(url: string, payload?: object): Promise<RawClient> {
    const client = await RawClient.open(url);
    client.send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
    const { type } = await client.next();
    if (type !== 'connection_ack') throw new Error(`no acknowledgement but ${type}`);
    return client;
  }

  /** Messages that were not taken yet. */
  get received(): readonly Message[] {
    return this.#heard;
  }

  send(message: object): void {
    this.web.send(JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables: object = {}): void {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
  }

  next(): Promise<Message> {
    const message = this.#heard.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#isClosed) return Promise.reject(new Error('closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      void this.closed.then(({ code, reason }) => reject(new Error(`closed ${code} ${reason}`)));
    });
  }

  /** `data` of a `next` message, by its only field. */
  async event(): Promise<Told> {
    const message = await this.next();
    if (message.type !== 'next' || message.payload.errors !== undefined) {
      throw new Error(`no event but ${JSON.stringify(message)}`);
    }
    const [reported] = Object.values(message.payload.data);
    if (reported === undefined) throw new Error('an answer without a field');
    return reported;
  }

  /** A ping's answer: whatever the server had to say before is here then. */
  async settled(): Promise<void> {
    const answered = new Promise((resolve) => this.web.once('pong', resolve));
    this.web.ping();
    await answered;
  }

  close(): Promise<Closed> {
    this.web.close(1000);
    return this.closed;
  }
}
