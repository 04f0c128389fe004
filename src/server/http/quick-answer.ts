/**
 * HOT: answers on a connection that stays open, past `ServerResponse.end`: the head is one text made here, and what one
 * connection is answered in one turn of the event loop (requests written ahead, orders that one commit made durable)
 * goes out by one call of the system instead of by one each. That call is half of what a small query costs
 * (docs/performance.md, bench/server.ts).
 *
 * The response ends as in Node itself, by `finish`: it releases the socket, and the next response of the connection
 * gets it. All writes stay in order because they go through the socket's own buffer.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, nextTurn } from '../../clock/index.ts';
import type { HeaderBag } from './cors.ts';

/** An answer with status 200. */
export interface QuickAnswer {
  readonly type: string;
  /** JSON. */
  readonly body: string;
  /** Further ones of its own, without line ends. */
  readonly headers: HeaderBag;
  readonly requestId: string;
}

/** Counts answers that are not sent yet: a closing server waits for them. */
export interface Backlog {
  /** Some wait in this process: for the end of the turn, or for a client to read. */
  began(): void;
  /** They are gone, or the client is. */
  ended(): void;
}

const MS_PER_SECOND = 1_000;
/** Answers that wait for the end of the turn, of all connections: under load a turn is long, and the first wait the longest. */
const MAX_WAITING = 64;

/** Answers of one server. */
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
    this.#look();
  }

  /** @returns whether it was queued; false when earlier answers are missing or the connection closes after this one */
  send(response: ServerResponse, { type, body, headers, requestId }: QuickAnswer): boolean {
    const { socket } = response;
    if (socket === null || !socket.writable || !response.shouldKeepAlive || response.headersSent) return false;
    if (socket.writableCorked === 0) this.#cork(socket);
    const size = Buffer.byteLength(body);
    let head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${size}\r\nx-request-id: ${requestId}\r\n`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    // Pure ASCII, which nearly all answers are, is copied to the socket without being transcoded.
    socket.write(head + this.#headEnd + body, size === body.length ? 'latin1' : 'utf8');
    response.emit('finish');
    this.#waiting += 1;
    if (this.#waiting === MAX_WAITING) this.#flush();
    return true;
  }

  #cork(socket: Socket): void {
    socket.cork();
    if (this.#corked.push(socket) > 1) return;
    this.#look();
    this.#backlog.began();
    void nextTurn().then(() => this.#flush());
  }

  /** More than once in a turn at times: what was flushed then has left nothing. */
  #flush(): void {
    const sockets = this.#corked;
    this.#corked = [];
    this.#waiting = 0;
    if (sockets.length === 0) return;
    for (const socket of sockets) {
      socket.uncork();
      if (socket.writableLength === 0 || socket.destroyed) continue;
      this.#backlog.began();
      socket.write('', () => this.#backlog.ended());
    }
    this.#backlog.ended();
  }

  /** At the time, once a turn. The end of the head is the same for all answers of one second. */
  #look(): void {
    const second = Math.floor(this.#clock.now() / MS_PER_SECOND);
    if (second === this.#second) return;
    this.#second = second;
    this.#headEnd = `Date: ${new Date(second * MS_PER_SECOND).toUTCString()}\r\n${this.#keepAlive}`;
  }
}
