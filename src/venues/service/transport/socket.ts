/**
 * A client connection of graphql-transport-ws (enisdenjo/graphql-ws, PROTOCOL.md).
 *
 * HOT: every frame and every order passes here (bench/tick-to-order.ts). A frame takes one parse and one lookup by id,
 * and its route is called at once. The protocol is implemented on the bare `ws` (docs/decisions).
 *
 * States: connecting -> acknowledged -> closed. Invariants: an id is used once. `onClosed` is called once, after all
 * unanswered requests were reported as `lost`.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Clock } from '../../../clock/index.ts';
import { type Retained, timeAfter, unchecked } from '../../../domain/index.ts';
import { isRedirect, NETWORK_LIMITS, redirectText, tryParseJson } from '../../../network/index.ts';
import type { WireError } from '../../../protocol/index.ts';
import type { LostAnswer } from './answer.ts';
import { frameStart, type GraphqlResult, readMessage, type ServerMessage } from './answer-codec.ts';
import { addRequest, ClientFrame, type RequestText } from './client-frame.ts';

/** Receives the messages of one id as soon as they arrive. */
export interface Route {
  next(result: GraphqlResult): void;
  /** Called for a message without a GraphQL result. */
  malformed(problem: string): void;
  error(errors: readonly WireError[]): void;
  complete(): void;
  /** Called when the socket is lost or the time limit has passed. Only for requests with a time limit. */
  lost?(lost: LostAnswer): void;
}

export interface SocketOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Payload of `connection_init`. */
  readonly payload: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly openTimeoutMs: number;
  /** Called with each frame before it is read. Must not throw or keep the bytes. */
  readonly onFrame?: ((frame: Buffer) => void) | undefined;
}

export interface Closing {
  readonly problem: string;
  /** Whether the handshake was refused and a retry may not help, as with HTTP 403. */
  readonly isBlocked: boolean;
}

export interface SocketOwner {
  onAcknowledged(): void;
  onClosed(closing: Closing): void;
}

const PROTOCOL = 'graphql-transport-ws';
const NORMAL_CLOSURE = 1000;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

export class GraphqlSocket {
  readonly #options: SocketOptions;
  readonly #owner: SocketOwner;
  readonly #webSocket: WebSocket;
  /** Stream below `ws`. Both write whole frames only. */
  #stream: Socket | undefined;
  readonly #frame = new ClientFrame();
  readonly #routes = new Map<string, Route>();
  /** Requests with a time limit by id, oldest first. */
  readonly #pending = new Map<string, { readonly route: Route; readonly deadline: number }>();
  #lastId = 0;
  readonly #retained: Retained = { last: undefined };
  #isAcknowledged = false;
  /** Reason to close the socket once no request is pending. */
  #retireReason: string | undefined;
  #isClosed = false;
  #cancelTimer: (() => void) | undefined;
  /** Time at which the timer fires; Infinity without a timer. */
  #timerAt = Number.POSITIVE_INFINITY;
  #cancelOpening: () => void;
  #closing: Closing | undefined;

  constructor(options: SocketOptions, owner: SocketOwner) {
    const { url, headers, clock, openTimeoutMs } = options;
    this.#options = options;
    this.#owner = owner;
    this.#webSocket = new WebSocket(url, PROTOCOL, {
      headers,
      followRedirects: false,
      // A compressed frame ends the connection.
      perMessageDeflate: false,
      // All messages are JSON, and JSON.parse refuses anything else.
      skipUTF8Validation: true,
      maxPayload: NETWORK_LIMITS.messageBytes,
      maxHeaderSize: NETWORK_LIMITS.headerBytes,
    });
    this.#cancelOpening = clock.schedule(timeAfter(clock.now(), openTimeoutMs), () => {
      this.#fail(`no acknowledgement within ${openTimeoutMs} ms`);
    });
    this.#webSocket.on('upgrade', (response) => {
      this.#stream = response.socket;
    });
    this.#webSocket.on('open', () => {
      if (!this.#isClosed) this.#webSocket.send(JSON.stringify({ type: 'connection_init', payload: options.payload }));
    });
    this.#webSocket.on('message', (data: Buffer) => this.#onMessage(data));
    this.#webSocket.on('unexpected-response', (_request, response) => this.#onUnexpectedResponse(response));
    this.#webSocket.on('error', (error) => this.#fail(error.message));
    this.#webSocket.on('close', (code, reason) => {
      const why = reason.toString();
      this.#end(this.#closing ?? { problem: `closed with ${code}${why === '' ? '' : ` (${why})`}`, isBlocked: false });
    });
  }

  /** Whether the socket is acknowledged and not closed. */
  get isOpen(): boolean {
    return this.#isAcknowledged && !this.#isClosed && this.#webSocket.readyState === WebSocket.OPEN;
  }

  /** Begins an operation and returns its id. @param timeoutMs time after which an unanswered request is `lost` */
  subscribe(request: RequestText, route: Route, timeoutMs?: number): string {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#routes.set(id, route);
    if (timeoutMs !== undefined) {
      const deadline = this.#options.clock.now() + timeoutMs;
      this.#pending.set(id, { route, deadline });
      if (deadline < this.#timerAt) this.#setTimer(deadline);
    }
    addRequest(this.#frame, id, request);
    this.#write(this.#frame.finish());
    return id;
  }

  /** Ends an operation. Its route receives nothing more. */
  complete(id: string): void {
    if (!this.#routes.delete(id) || !this.isOpen) return;
    this.#webSocket.send(`{"id":"${id}","type":"complete"}`);
  }

  /** Closes at once, or with a handshake if the socket is open. */
  close(problem: string): void {
    if (this.#isClosed) return;
    if (this.#webSocket.readyState === WebSocket.OPEN) this.#webSocket.close(NORMAL_CLOSURE);
    else this.#webSocket.terminate();
    this.#end({ problem, isBlocked: false });
  }

  /** Closes once every request was answered or timed out. The caller sends no more requests. */
  retire(problem: string): void {
    this.#retireReason = problem;
    this.#closeIfAnswered();
  }

  #write(frame: Buffer): void {
    const stream = this.#stream;
    if (stream === undefined || this.#webSocket.readyState !== WebSocket.OPEN) return;
    stream.write(frame);
    if (stream.writableLength === 0) return;
    this.#frame.release();
    this.#checkUnsent();
  }

  /** Returns false and terminates the connection when too many bytes are unsent. */
  #checkUnsent(): boolean {
    const waiting = this.#stream?.writableLength ?? 0;
    if (waiting <= NETWORK_LIMITS.unsentBytes) return true;
    // Lost requests are reported on `close`, not during a call of the owner.
    this.#closing ??= { problem: `the venue does not read: ${waiting} bytes wait to be sent`, isBlocked: false };
    this.#webSocket.terminate();
    return false;
  }

  #onMessage(data: Buffer): void {
    if (this.#isClosed) return;
    this.#options.onFrame?.(data);
    const message = readMessage(tryParseJson(data));
    if (message === undefined) {
      this.#fail(`a frame is not a message: ${frameStart(data)}`);
      return;
    }
    this.#retained.last = message;
    if (message.type === 'next' || message.type === 'malformed') {
      // A completed operation has no route.
      const route = this.#routes.get(message.id);
      if (route === undefined) return;
      if (this.#pending.size > 0) this.#pending.delete(message.id);
      if (message.type === 'next') route.next(message.result);
      else route.malformed(`a message that holds no GraphQL result: ${frameStart(data)}`);
    } else this.#onOtherMessage(message);
    if (this.#retireReason !== undefined) this.#closeIfAnswered();
  }

  #closeIfAnswered(): void {
    if (this.#retireReason !== undefined && this.#pending.size === 0) this.close(this.#retireReason);
  }

  #onOtherMessage(message: Exclude<ServerMessage, { readonly type: 'next' | 'malformed' }>): void {
    if (message.type === 'error' || message.type === 'complete') {
      const route = this.#routes.get(message.id);
      const pending = this.#pending.get(message.id);
      this.#remove(message.id);
      if (message.type === 'error') {
        route?.error(message.errors);
        return;
      }
      // A pending request has no answer yet, and a later answer would be ignored.
      pending?.route.lost?.({ type: 'lost', problem: 'the socket ended a request without its answer', isSent: true });
      route?.complete();
    } else if (message.type === 'ping') {
      if (this.#checkUnsent()) this.#webSocket.send('{"type":"pong"}');
    } else if (message.type === 'connection_ack') {
      this.#cancelOpening();
      this.#isAcknowledged = true;
      this.#owner.onAcknowledged();
    }
  }

  #remove(id: string): void {
    this.#routes.delete(id);
    this.#pending.delete(id);
  }

  /** Sets one timer for the earliest deadline. Requests do not reset the timer, because most are answered in time. */
  #setTimer(firesAt: number): void {
    this.#cancelTimer?.();
    this.#timerAt = firesAt;
    this.#cancelTimer = this.#options.clock.schedule(unchecked.time(firesAt), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      const now = this.#options.clock.now();
      let nextDeadline = Number.POSITIVE_INFINITY;
      for (const [id, { route, deadline }] of [...this.#pending]) {
        if (deadline > now) nextDeadline = Math.min(nextDeadline, deadline);
        else {
          this.#remove(id);
          route.lost?.({ type: 'lost', problem: 'no answer over the socket within the time limit', isSent: true });
        }
      }
      if (!this.#isClosed && nextDeadline < this.#timerAt) this.#setTimer(nextDeadline);
    });
  }

  #onUnexpectedResponse(response: IncomingMessage): void {
    const { statusCode: status = 0, headers } = response;
    const { url } = this.#options;
    const why = isRedirect(status) ? redirectText(status, headers.location, url) : `refused it with HTTP ${status}`;
    const problem = `the WebSocket of ${url.host}${url.pathname}: the server ${why}`;
    this.#webSocket.terminate();
    // A redirect is treated as an outage, as over HTTP, because proxies redirect during maintenance.
    this.#end({ problem, isBlocked: !isRedirect(status) && status < SERVER_ERROR && status !== TOO_MANY_REQUESTS });
  }

  #fail(problem: string): void {
    if (this.#isClosed) return;
    this.#webSocket.terminate();
    this.#end({ problem, isBlocked: false });
  }

  #end(closing: Closing): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelOpening();
    this.#cancelTimer?.();
    this.#routes.clear();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { route } of pending)
      route.lost?.({ type: 'lost', problem: `the socket was lost: ${closing.problem}`, isSent: true });
    this.#owner.onClosed(closing);
  }
}
