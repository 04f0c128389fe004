/** A venue that says what a test asks for, over HTTP and WebSocket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { afterThisTest } from '../../../cleanup.ts';

export interface Heard {
  readonly id: string;
  readonly type: string;
  readonly payload: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
}

/** One client's connection, from the venue's side. */
export class Line {
  readonly web: WebSocket;
  readonly received: Heard[] = [];
  init: unknown;
  /** What is said meanwhile waits. */
  isFrozen = false;
  readonly #held: string[] = [];

  constructor(web: WebSocket) {
    this.web = web;
  }

  /** Ids of subscriptions to a field, oldest first. */
  ids(field: string): readonly string[] {
    return this.received
      .filter(({ type, payload }) => type === 'subscribe' && payload.query.includes(`{${field}`))
      .map(({ id }) => id);
  }

  say(message: object): void {
    const text = JSON.stringify(message);
    if (this.isFrozen) this.#held.push(text);
    else this.web.send(text);
  }

  next(id: string, data: object | null, errors?: readonly object[]): void {
    this.say({ id, type: 'next', payload: { data, ...(errors === undefined ? {} : { errors }) } });
  }

  thaw(): void {
    this.isFrozen = false;
    for (const text of this.#held.splice(0)) this.web.send(text);
  }
}

export class ScriptedVenue {
  readonly lines: Line[] = [];
  readonly requests: {
    readonly body: { readonly query: string; readonly variables: object };
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  /** Answers to HTTP, in order; the last one stays. */
  answers: ((response: ServerResponse) => void)[] = [];
  /** Called for each message of a client. */
  onMessage: (line: Line, message: Heard) => void = () => {};
  isAcknowledging = true;
  /** Status with which upgrades are refused. */
  refusesWith: number | undefined;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor() {
    this.#http = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        this.requests.push({ body: JSON.parse(body), headers: request.headers });
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        answer?.(response);
      });
    });
    this.#http.on('upgrade', (request, socket, head) => {
      if (this.refusesWith !== undefined) {
        socket.end(`HTTP/1.1 ${this.refusesWith} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (web) => this.#joined(web));
    });
  }

  static async open(): Promise<ScriptedVenue> {
    const venue = new ScriptedVenue();
    await new Promise<void>((resolve) => void venue.#http.listen(0, '127.0.0.1', resolve));
    afterThisTest.add(() => venue.close());
    return venue;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  close(): void {
    for (const { web } of this.lines) web.terminate();
    this.#http.close();
    this.#http.closeAllConnections();
  }

  #joined(web: WebSocket): void {
    const line = new Line(web);
    this.lines.push(line);
    web.on('error', () => undefined);
    web.on('message', (data) => {
      const message: Heard = JSON.parse(String(data));
      if (message.type === 'connection_init') {
        line.init = message.payload;
        if (this.isAcknowledging) line.say({ type: 'connection_ack' });
        return;
      }
      line.received.push(message);
      this.onMessage(line, message);
    });
  }
}

/** An HTTP answer of JSON. */
export function json(body: object, status = 200): (response: ServerResponse) => void {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function page(status: number): (response: ServerResponse) => void {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'text/html', 'retry-after': '0' })
      .end('<!doctype html><h1>No</h1>');
}
