/**
 * One connection to Polymarket's market channel (docs/spec/polymarket.md#market-stream). Passes frames on, and reconnects
 * until `close`.
 */
import { WebSocket } from 'ws';
import { type Clock, type Random, repeatEvery } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';

/** Largest number of tokens of one connection. Beyond 500 the venue sends no first books (unverified). */
export const MAX_ASSETS = 200;

const PING_MS = 10_000;
/** Silence after which a connection is dead, because the venue answers each ping. */
const SILENCE_MS = 30_000;
const CONNECT_MS = 10_000;
const MAX_FRAME_BYTES = 16 * 1_048_576;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export interface MarketStreamOptions {
  /** `wss://…/ws/market` */
  readonly url: string;
  readonly clock: Clock;
  /** Spreads the reconnections of many streams. */
  readonly random: Random;
  /** Receives each frame as text, without answers to pings. */
  readonly onFrame: (text: string, at: EpochMs) => void;
  /** The connection is open, and the tokens are subscribed to. */
  readonly onOpen?: () => void;
  /** The connection ended, or an attempt failed. @param lastAt time of the connection's last frame, if there was one */
  readonly onLost: (problem: string, lastAt: EpochMs | undefined) => void;
}

export class MarketStream {
  readonly #options: MarketStreamOptions;
  readonly #assets = new Set<string>();
  readonly #stopPing: () => void;
  #web: WebSocket | undefined;
  #cancelRetry = (): void => {};
  #retryMs = FIRST_RETRY_MS;
  #lastMessageAt: EpochMs;
  #lastFrameAt: EpochMs | undefined;
  #problem = '';
  #isClosed = false;

  constructor(options: MarketStreamOptions) {
    this.#options = options;
    this.#lastMessageAt = options.clock.now();
    this.#stopPing = repeatEvery(options.clock, PING_MS, () => this.#ping());
  }

  get assets(): ReadonlySet<string> {
    return this.#assets;
  }

  get isOpen(): boolean {
    return this.#web?.readyState === WebSocket.OPEN;
  }

  /** Subscribes to more tokens; the first call connects. At most `MAX_ASSETS` in all. */
  add(assets: readonly string[]): void {
    for (const asset of assets) this.#assets.add(asset);
    if (this.#web === undefined) this.#connect();
    else this.#send({ operation: 'subscribe', assets_ids: assets, custom_feature_enabled: true });
  }

  remove(assets: readonly string[]): void {
    for (const asset of assets) this.#assets.delete(asset);
    this.#send({ operation: 'unsubscribe', assets_ids: assets });
  }

  /** Makes the venue send the books of these tokens again. A closed connection gets all books when it opens. */
  resubscribe(assets: readonly string[]): void {
    this.#send({ operation: 'unsubscribe', assets_ids: assets });
    this.#send({ operation: 'subscribe', assets_ids: assets, custom_feature_enabled: true });
  }

  renew(problem: string): void {
    if (!this.isOpen) return;
    this.#problem = problem;
    this.#web?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopPing();
    this.#cancelRetry();
    this.#web?.terminate();
  }

  #connect(): void {
    const { url, clock, onFrame } = this.#options;
    const web = new WebSocket(url, {
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: CONNECT_MS,
      followRedirects: false,
      perMessageDeflate: false,
    });
    this.#web = web;
    this.#lastMessageAt = clock.now();
    this.#lastFrameAt = undefined;
    this.#problem = 'the venue closed the connection';
    web.on('open', () => {
      this.#send({ type: 'market', assets_ids: [...this.#assets], custom_feature_enabled: true });
      this.#options.onOpen?.();
    });
    web.on('message', (data, isBinary) => {
      this.#lastMessageAt = clock.now();
      const text = isBinary ? '' : String(data);
      if (!/^\s*[[{]/.test(text) || this.#isClosed) return;
      this.#retryMs = FIRST_RETRY_MS;
      this.#lastFrameAt = this.#lastMessageAt;
      onFrame(text, this.#lastMessageAt);
    });
    web.on('error', ({ message }) => {
      this.#problem = message;
    });
    web.on('close', () => this.#onLost());
  }

  #send(message: object): void {
    if (this.isOpen) this.#web?.send(JSON.stringify(message));
  }

  #onLost(): void {
    const { clock, random, onLost } = this.#options;
    if (this.#isClosed) return;
    onLost(this.#problem, this.#lastFrameAt);
    const wait = Math.round(this.#retryMs * (0.5 + random.uniform()));
    this.#cancelRetry = clock.schedule(timeAfter(clock.now(), wait), () => this.#connect());
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  #ping(): void {
    const web = this.#web;
    if (web?.readyState !== WebSocket.OPEN) return;
    if (this.#options.clock.now() - this.#lastMessageAt <= SILENCE_MS) {
      web.send('PING');
      return;
    }
    this.#problem = `no message for ${SILENCE_MS / 1_000} s`;
    web.terminate();
  }
}
