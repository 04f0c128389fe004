import { WebSocket } from 'ws';
import { type Clock, type Random, repeatEvery } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export interface SocketDeps {
  readonly url: string;
  readonly clock: Clock;
  /** Spreads the reconnections of many sockets. */
  readonly random: Random;
}

interface SocketSettings {
  /** For messages, such as `user channel`. */
  readonly name: string;
  readonly maxFrameBytes: number;
  readonly pingMs: number;
  /** Silence after which a connection is dead, because the venue answers each ping. */
  readonly silenceMs: number;
  /** The first and the longest mean wait before a reconnection, ±50 % at random. Waits double until `resetRetry`. */
  readonly retryMs: readonly [first: number, longest: number];
}

/** A WebSocket to a channel of Polymarket. Sends pings, and reconnects from the first `connect` until `close`. */
export abstract class ReconnectingSocket {
  readonly #options: SocketDeps & SocketSettings;
  readonly #stopPing: () => void;
  #webSocket: WebSocket | undefined;
  #cancelRetry = (): void => {};
  #retryMs: number;
  #lastMessageAt: EpochMs;
  #problem = '';
  #isClosed = false;

  constructor(options: SocketDeps & SocketSettings) {
    this.#options = options;
    [this.#retryMs] = options.retryMs;
    this.#lastMessageAt = options.clock.now();
    this.#stopPing = repeatEvery(options.clock, options.pingMs, () => this.#ping());
  }

  protected abstract onOpen(): void;

  /** Receives each message as text; '' for a binary message. */
  protected abstract onMessage(text: string, at: EpochMs): void;

  /** The connection ended, or an attempt failed. */
  protected abstract onLost(problem: string): void;

  get isOpen(): boolean {
    return this.#webSocket?.readyState === WebSocket.OPEN;
  }

  /** Connects, unless `connect` was called before. */
  connect(): void {
    if (this.#webSocket === undefined && !this.#isClosed) this.#connect();
  }

  /** Drops an open connection and connects again. */
  renew(problem: string): void {
    if (this.#webSocket?.readyState !== WebSocket.OPEN) return;
    this.#problem = problem;
    this.#webSocket.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopPing();
    this.#cancelRetry();
    this.#webSocket?.terminate();
  }

  protected send(text: string): void {
    if (this.#webSocket?.readyState === WebSocket.OPEN) this.#webSocket.send(text);
  }

  /** Makes the next reconnection wait briefly, because the venue accepted this connection. */
  protected resetRetry(): void {
    [this.#retryMs] = this.#options.retryMs;
  }

  #connect(): void {
    const { url, clock, name, maxFrameBytes } = this.#options;
    const webSocket = new WebSocket(url, {
      maxPayload: maxFrameBytes,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      followRedirects: false,
      perMessageDeflate: false,
    });
    this.#webSocket = webSocket;
    this.#lastMessageAt = clock.now();
    this.#problem = `the venue closed the ${name}`;
    webSocket.on('open', () => {
      // The silence limit counts from here, because a slow handshake can take most of the time.
      this.#lastMessageAt = clock.now();
      this.onOpen();
    });
    webSocket.on('message', (data, isBinary) => {
      if (this.#isClosed) return;
      this.#lastMessageAt = clock.now();
      this.onMessage(isBinary ? '' : String(data), this.#lastMessageAt);
    });
    webSocket.on('error', ({ message }) => {
      this.#problem = message;
    });
    webSocket.on('close', () => this.#onClosed());
  }

  #onClosed(): void {
    if (this.#isClosed) return;
    this.onLost(this.#problem);
    const { clock, random, retryMs } = this.#options;
    const wait = Math.round(this.#retryMs * (0.5 + random.uniform()));
    this.#cancelRetry = clock.schedule(timeAfter(clock.now(), wait), () => this.#connect());
    this.#retryMs = Math.min(2 * this.#retryMs, retryMs[1]);
  }

  #ping(): void {
    const { clock, name, silenceMs } = this.#options;
    if (clock.now() - this.#lastMessageAt <= silenceMs) this.send('PING');
    else this.renew(`no message on the ${name} for ${silenceMs / 1_000} s`);
  }
}
