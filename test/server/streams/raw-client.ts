/** A WebSocket client that queues all received messages and sends nothing on its own. */
import { WebSocket } from 'ws';

export interface PriceLevel {
  readonly priceBps: number;
  readonly shares: number;
  readonly orderCount: number;
}

/** An event of any stream. Only the requested fields are present. */
export interface StreamEvent {
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
  /** A GraphQL result in `next`, a list of errors in `error`. */
  readonly payload: readonly WireError[] & {
    readonly data: Readonly<Record<string, StreamEvent>>;
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
  readonly #received: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];
  #isClosed = false;

  private constructor(web: WebSocket) {
    this.web = web;
    web.on('message', (data) => {
      const message = JSON.parse(String(data));
      const next = this.#waiting.shift();
      if (next === undefined) this.#received.push(message);
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

  /** Opens a socket. @param protocol sub-protocol; empty for none */
  static async open(url: string, protocol = 'graphql-transport-ws', headers = {}): Promise<RawClient> {
    const web = new WebSocket(url, protocol === '' ? [] : [protocol], { headers, perMessageDeflate: false });
    const client = new RawClient(web);
    await new Promise<void>((resolve, reject) => {
      web.on('open', resolve);
      web.on('error', reject);
    });
    return client;
  }

  /** Opens a socket and waits for the acknowledgement. */
  static async ready(url: string, payload?: object): Promise<RawClient> {
    const client = await RawClient.open(url);
    client.send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
    const { type } = await client.next();
    if (type !== 'connection_ack') throw new Error(`expected connection_ack, received ${type}`);
    return client;
  }

  /** Messages that `next` has not returned yet. */
  get received(): readonly Message[] {
    return this.#received;
  }

  send(message: object): void {
    this.web.send(JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables: object = {}): void {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
  }

  next(): Promise<Message> {
    const message = this.#received.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#isClosed) return Promise.reject(new Error('closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      void this.closed.then(({ code, reason }) => reject(new Error(`closed ${code} ${reason}`)));
    });
  }

  /** Waits for a `next` message. @returns the value of its only field */
  async event(): Promise<StreamEvent> {
    const message = await this.next();
    if (message.type !== 'next' || message.payload.errors !== undefined) {
      throw new Error(`expected an event, received ${JSON.stringify(message)}`);
    }
    const [reported] = Object.values(message.payload.data);
    if (reported === undefined) throw new Error('the event has no field');
    return reported;
  }

  /** Waits for a pong, which follows all earlier messages of the server. */
  async settle(): Promise<void> {
    const ponged = new Promise((resolve) => this.web.once('pong', resolve));
    this.web.ping();
    await ponged;
  }

  close(): Promise<Closed> {
    this.web.close(1000);
    return this.closed;
  }
}
