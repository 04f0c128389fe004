import type { EpochMs } from '../../domain/index.ts';
import { ReconnectingSocket, type SocketDeps } from './reconnecting-socket.ts';

/** Largest number of tokens of one connection. Beyond 500 the venue sends no first books (unverified). */
export const MAX_TOKENS = 200;

/** `url` ends in `/ws/market`. */
export interface MarketStreamOptions extends SocketDeps {
  /** Receives each frame as text, without answers to pings. */
  readonly onFrame: (text: string, at: EpochMs) => void;
  /** The connection is open, and the tokens are subscribed to. */
  readonly onOpen?: () => void;
  /** The connection ended, or an attempt failed. @param lastAt time of the connection's last frame, if there was one */
  readonly onLost: (problem: string, lastAt: EpochMs | undefined) => void;
}

const SETTINGS = { name: 'connection', pingMs: 10_000, silenceMs: 30_000, retryMs: [1_000, 60_000] } as const;
const MAX_FRAME_BYTES = 16 * 1_048_576;

/** One connection to Polymarket's market channel (docs/spec/polymarket.md#market-stream), which passes frames on. */
export class MarketStream extends ReconnectingSocket {
  readonly #options: MarketStreamOptions;
  readonly #tokens = new Set<string>();
  #lastFrameAt: EpochMs | undefined;

  constructor(options: MarketStreamOptions) {
    super({ ...options, ...SETTINGS, maxFrameBytes: MAX_FRAME_BYTES });
    this.#options = options;
  }

  get tokens(): ReadonlySet<string> {
    return this.#tokens;
  }

  /** Subscribes to more tokens. The first call connects. At most `MAX_TOKENS` in all. */
  add(tokens: readonly string[]): void {
    for (const token of tokens) this.#tokens.add(token);
    this.#send({ operation: 'subscribe', assets_ids: tokens, custom_feature_enabled: true });
    this.connect();
  }

  remove(tokens: readonly string[]): void {
    for (const token of tokens) this.#tokens.delete(token);
    this.#send({ operation: 'unsubscribe', assets_ids: tokens });
  }

  /** Makes the venue send the books of these tokens again. A closed connection gets all books when it opens. */
  resubscribe(tokens: readonly string[]): void {
    this.#send({ operation: 'unsubscribe', assets_ids: tokens });
    this.#send({ operation: 'subscribe', assets_ids: tokens, custom_feature_enabled: true });
  }

  protected onOpen(): void {
    this.#send({ type: 'market', assets_ids: [...this.#tokens], custom_feature_enabled: true });
    this.#options.onOpen?.();
  }

  protected onMessage(text: string, at: EpochMs): void {
    if (!/^\s*[[{]/.test(text)) return;
    this.resetRetry();
    this.#lastFrameAt = at;
    this.#options.onFrame(text, at);
  }

  protected onLost(problem: string): void {
    const lastAt = this.#lastFrameAt;
    this.#lastFrameAt = undefined;
    this.#options.onLost(problem, lastAt);
  }

  #send(message: object): void {
    this.send(JSON.stringify(message));
  }
}
