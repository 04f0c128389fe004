/**
 * HOT: writes answers on keep-alive connections without `ServerResponse.end`. Formats the head as one text. Sends all
 * answers that one connection gets in one event-loop turn (pipelined requests, orders of one commit) with one system
 * call. This call is half the cost of a small query (docs/performance.md, bench/server.ts).
 *
 * As in Node, the event `finish` ends the response and releases the socket to the connection's next response. Writes
 * stay in order, because they pass through the socket's own buffer.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, nextEventLoopTurn } from '../../clock/index.ts';
import type { HeaderBag } from './headers.ts';

/** An answer with status 200. */
interface QuickAnswer {
  readonly type: string;
  /** JSON text. */
  readonly body: string;
  /** Additional headers. Values contain no line ends. */
  readonly headers: HeaderBag;
  readonly requestId: string;
}

/** Counts groups of unsent answers. A closing server waits until no group is left. */
export interface UnsentTracker {
  /** Called when answers begin to wait for the end of the event-loop turn, or for a slow client. */
  onBegin(): void;
  /** Called when these answers are sent or the client has disconnected. */
  onEnd(): void;
}

const MS_PER_SECOND = 1_000;
/** Number of unsent answers that are sent before the event-loop turn ends, because turns are long under load. */
const MAX_UNSENT = 64;

export class QuickAnswers {
  readonly #clock: Clock;
  readonly #tracker: UnsentTracker;
  readonly #connectionHeaders: string;
  #second = Number.NaN;
  #headEnd = '';
  #corked: Socket[] = [];
  #unsentCount = 0;

  /** @param keepAliveMs time after which the server closes a connection without a request */
  constructor(clock: Clock, keepAliveMs: number, tracker: UnsentTracker) {
    this.#clock = clock;
    this.#tracker = tracker;
    const timeout = Math.floor(keepAliveMs / MS_PER_SECOND);
    this.#connectionHeaders = `Connection: keep-alive\r\nKeep-Alive: timeout=${timeout}\r\n\r\n`;
    this.#updateDate();
  }

  /** @returns false, without sending, if an earlier answer is pending or the connection closes after this answer */
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
    this.#unsentCount += 1;
    if (this.#unsentCount === MAX_UNSENT) this.#flush();
    return true;
  }

  #cork(socket: Socket): void {
    socket.cork();
    if (this.#corked.push(socket) > 1) return;
    this.#updateDate();
    this.#tracker.onBegin();
    void nextEventLoopTurn().then(() => this.#flush());
  }

  /** Sends all unsent answers. A later call in the same event-loop turn may find none. */
  #flush(): void {
    const sockets = this.#corked;
    this.#corked = [];
    this.#unsentCount = 0;
    if (sockets.length === 0) return;
    for (const socket of sockets) {
      socket.uncork();
      if (socket.writableLength === 0 || socket.destroyed) continue;
      this.#tracker.onBegin();
      socket.write('', () => this.#tracker.onEnd());
    }
    this.#tracker.onEnd();
  }

  /** Updates the end of the head, which is equal for all answers of one second. */
  #updateDate(): void {
    const second = Math.floor(this.#clock.now() / MS_PER_SECOND);
    if (second === this.#second) return;
    this.#second = second;
    this.#headEnd = `Date: ${new Date(second * MS_PER_SECOND).toUTCString()}\r\n${this.#connectionHeaders}`;
  }
}
