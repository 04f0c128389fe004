/**
 * The WebSocket channel of the account's orders and trades (docs/spec/polymarket.md#user-stream). The venue repeats no event,
 * so `AccountPoller` reads afterwards what changed during a disconnection.
 */
import { WebSocket } from 'ws';
import { type Clock, type Random, repeatEvery } from '../../clock/index.ts';
import { type EpochMs, InputFault, timeAfter, unchecked } from '../../domain/index.ts';
import { NETWORK_LIMITS, tryParseJson } from '../../network/index.ts';
import { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { OrderRecord, OwnTrade } from './own-event-translator.ts';
import type { PolymarketCredentials } from './rest-client.ts';

export interface UserChannelOptions {
  /** `wss://…/ws/user` */
  readonly url: string;
  readonly credentials: PolymarketCredentials;
  readonly clock: Clock;
  readonly random: Random;
  /** @param at time of the event by the venue's clock */
  readonly onOrder: (order: OrderRecord, at: EpochMs) => void;
  readonly onTrade: (trade: OwnTrade, at: EpochMs) => void;
  /** Called when the channel is open, so that later events arrive. */
  readonly onOpened: () => void;
  readonly onLost: (problem: string) => void;
}

const PING_MS = 5_000;
/** Silence after which a connection is dead, because the venue answers each ping. */
const SILENCE_MS = 12_000;
const CONNECT_MS = 10_000;
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [250, 10_000];

export class UserChannel {
  readonly #options: UserChannelOptions;
  readonly #stopPing: () => void;
  #web: WebSocket | undefined;
  #cancelRetry = (): void => {};
  #retryMs = FIRST_RETRY_MS;
  #lastMessageAt: EpochMs;
  #isSignedIn = false;
  #problem = '';
  #isClosed = false;

  constructor(options: UserChannelOptions) {
    this.#options = options;
    this.#lastMessageAt = options.clock.now();
    this.#stopPing = repeatEvery(options.clock, PING_MS, () => this.#ping());
  }

  /** Whether the venue has accepted the sign-in. */
  get isOpen(): boolean {
    return this.#isSignedIn && this.#web?.readyState === WebSocket.OPEN;
  }

  connect(): void {
    const { url, credentials, clock, onOpened } = this.#options;
    const { apiKey, secret, passphrase } = credentials;
    const web = new WebSocket(url, {
      maxPayload: NETWORK_LIMITS.messageBytes,
      handshakeTimeout: CONNECT_MS,
      followRedirects: false,
      perMessageDeflate: false,
    });
    this.#web = web;
    this.#lastMessageAt = clock.now();
    this.#isSignedIn = false;
    this.#problem = 'the venue closed the user channel';
    web.on('open', () => {
      // A subscription without a list of markets covers all markets.
      web.send(JSON.stringify({ auth: { apiKey, secret, passphrase }, type: 'user' }));
      // The answer to this ping confirms that the venue has accepted the sign-in.
      web.send('PING');
    });
    web.on('message', (data, isBinary) => {
      if (this.#isClosed || web !== this.#web) return;
      this.#lastMessageAt = clock.now();
      if (!this.#isSignedIn) {
        this.#isSignedIn = true;
        this.#retryMs = FIRST_RETRY_MS;
        onOpened();
      }
      const text = isBinary ? '' : String(data);
      if (/^\s*[[{]/.test(text)) this.#read(text);
    });
    web.on('error', ({ message }) => {
      this.#problem = message;
    });
    web.on('close', () => this.#onClosed(web));
  }

  /** Drops the connection and connects again. */
  renew(problem: string): void {
    this.#problem = problem;
    this.#web?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopPing();
    this.#cancelRetry();
    this.#web?.terminate();
  }

  #read(text: string): void {
    const json = tryParseJson(text);
    for (const event of Array.isArray(json) ? json : [json]) {
      try {
        this.#readEvent(event);
      } catch (error) {
        if (!(error instanceof InputFault)) throw error;
        // The poll after the reconnection reads the order or trade of this event.
        this.renew(`an event of the user channel cannot be read: ${error.message}`);
        return;
      }
    }
  }

  #readEvent(event: unknown): void {
    const { clock, onOrder, onTrade } = this.#options;
    const type: unknown = Reflect.get(Object(event), 'event_type');
    const timestamp = Number(Reflect.get(Object(event), 'timestamp'));
    const now = clock.now();
    // A time that is a minute or more ahead is ignored, because no clock skew explains such a lead.
    const at = timestamp > 0 && timestamp < now + 60_000 ? unchecked.time(Math.floor(timestamp)) : now;
    if (type === 'order') onOrder(readPolymarketOrderRecord(event), at);
    else if (type === 'trade') onTrade(readPolymarketOwnTrade(event), at);
  }

  #onClosed(web: WebSocket): void {
    const { clock, random, onLost } = this.#options;
    if (this.#isClosed || web !== this.#web) return;
    onLost(this.#problem);
    const wait = Math.round(this.#retryMs * (0.5 + random.uniform()));
    this.#cancelRetry = clock.schedule(timeAfter(clock.now(), wait), () => this.connect());
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  #ping(): void {
    if (this.#web?.readyState !== WebSocket.OPEN) return;
    if (this.#options.clock.now() - this.#lastMessageAt <= SILENCE_MS) this.#web.send('PING');
    else this.renew(`the user channel was silent for ${SILENCE_MS / 1_000} s`);
  }
}
