/** A venue with scripted answers, over HTTP and WebSocket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { afterThisTest } from '../../../cleanup.ts';

export interface ClientMessage {
  readonly id: string;
  readonly type: string;
  readonly payload: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
}

/** One client's connection, from the venue's side. */
export class Connection {
  readonly socket: WebSocket;
  readonly received: ClientMessage[] = [];
  init: unknown;
  /** Sent messages wait for `thaw`. */
  isFrozen = false;
  readonly #held: string[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Ids of subscriptions to a field, oldest first. */
  subscriptionIds(field: string): readonly string[] {
    return this.received
      .filter(({ type, payload }) => type === 'subscribe' && payload.query.includes(`{${field}`))
      .map(({ id }) => id);
  }

  send(message: object): void {
    const text = JSON.stringify(message);
    if (this.isFrozen) this.#held.push(text);
    else this.socket.send(text);
  }

  next(id: string, data: object | null, errors?: readonly object[]): void {
    this.send({ id, type: 'next', payload: { data, ...(errors === undefined ? {} : { errors }) } });
  }

  thaw(): void {
    this.isFrozen = false;
    for (const text of this.#held.splice(0)) this.socket.send(text);
  }
}

export class ScriptedVenue {
  readonly connections: Connection[] = [];
  readonly requests: {
    readonly body: { readonly query: string; readonly variables: object };
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  /** Answers to HTTP requests, in order; the last one repeats. */
  answers: ((response: ServerResponse) => void)[] = [];
  /** Called for each message of a client. */
  onMessage: (connection: Connection, message: ClientMessage) => void = () => {};
  isAcknowledging = true;
  /** Status with which upgrades are refused. */
  refusesWith: number | undefined;
  /** Number of refused upgrades. */
  refusals = 0;
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
        this.refusals += 1;
        socket.on('error', () => undefined);
        socket.end(`HTTP/1.1 ${this.refusesWith} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#connect(client));
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
    for (const { socket } of this.connections) socket.terminate();
    this.#http.close();
    this.#http.closeAllConnections();
  }

  #connect(socket: WebSocket): void {
    const connection = new Connection(socket);
    this.connections.push(connection);
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const message: ClientMessage = JSON.parse(String(data));
      if (message.type === 'connection_init') {
        connection.init = message.payload;
        if (this.isAcknowledging) connection.send({ type: 'connection_ack' });
        return;
      }
      connection.received.push(message);
      this.onMessage(connection, message);
    });
  }
}

/** Creates an HTTP answer with a JSON body. */
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
