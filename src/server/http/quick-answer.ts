/**
 * HOT: writes answers on keep-alive connections without `ServerResponse.end`. It formats the head as one text, and it sends
 * all answers of one connection in one turn of the event loop (pipelined requests, orders of one commit) with one system
 * call. That call is half the cost of a small query (docs/performance.md, bench/server.ts).
 *
 * As in Node, `finish` ends the response and releases the socket to the connection's next response. Writes stay in order,
 * because they go through the socket's own buffer.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, nextTurn } from '../../clock/index.ts';
import type { HeaderBag } from './headers.ts';

/** An answer with status 200. */
export interface QuickAnswer {
  readonly type: string;
  /** JSON. */
  readonly body: string;
  /** Additional headers, without line ends. */
  readonly headers: HeaderBag;
  readonly requestId: string;
}

/** Counts unsent answers, which a closing server waits for. */
export interface Backlog {
  /** Called when answers start to wait for the end of the turn or for a slow client. */
  onBegin(): void;
  /** Called when the answers were sent or the client disconnected. */
  onEnd(): void;
}

const MS_PER_SECOND = 1_000;
/** Limit of answers of all connections that wait for the end of the turn, because turns are long under load. */
const MAX_WAITING = 64;

export class QuickAnswers {
  readonly #clock: Clock;
  readonly #backlog: Backlog;
  readonly #keepAlive: string;
  #second = Number.NaN;
  #headEnd = '';
  #corked: Socket[] = [];
  #waiting = 0;

  /** @param keepAlive ms until a connection without a request is closed */
  constructor(clock: Clock, keepAlive: number, backlog: Backlog) {
    this.#clock = clock;
    this.#backlog = backlog;
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAlive / MS_PER_SECOND)}\r\n\r\n`;
    this.#updateDate();
  }

  /** @returns false, without sending, when an earlier answer is pending or the connection closes after this one */
  send(response: ServerResponse, { type, body, headers, requestId }: QuickAnswer): boolean {
    const { socket } = response;
    if (socket === null || !socket.writable || !response.shouldKeepAlive || response.headersSent) return false;
    if (socket.writableCorked === 0) this.#cork(socket);
    const size = Buffer.byteLength(body);
    let head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${size}\r\nx-request-id: ${requestId}\r\n`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    // ASCII is copied to the socket without transcoding. Nearly all answers are ASCII.
    socket.write(head + this.#headEnd + body, size === body.length ? 'latin1' : 'utf8');
    response.emit('finish');
    this.#waiting += 1;
    if (this.#waiting === MAX_WAITING) this.#flush();
    return true;
  }

  #cork(socket: Socket): void {
    socket.cork();
    if (this.#corked.push(socket) > 1) return;
    this.#updateDate();
    this.#backlog.onBegin();
    void nextTurn().then(() => this.#flush());
  }

  /** May run more than once in a turn; then the later calls find nothing to send. */
  #flush(): void {
    const sockets = this.#corked;
    this.#corked = [];
    this.#waiting = 0;
    if (sockets.length === 0) return;
    for (const socket of sockets) {
      socket.uncork();
      if (socket.writableLength === 0 || socket.destroyed) continue;
      this.#backlog.onBegin();
      socket.write('', () => this.#backlog.onEnd());
    }
    this.#backlog.onEnd();
  }

  /** Updates the end of the head, which all answers of one second share. */
  #updateDate(): void {
    const second = Math.floor(this.#clock.now() / MS_PER_SECOND);
    if (second === this.#second) return;
    this.#second = second;
    this.#headEnd = `Date: ${new Date(second * MS_PER_SECOND).toUTCString()}\r\n${this.#keepAlive}`;
  }
}
