import { type EpochMs, InputFault, unchecked } from '../../domain/index.ts';
import { NETWORK_LIMITS, tryParseJson } from '../../network/index.ts';
import { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { OrderRecord, OwnTrade } from './own-event-translator.ts';
import { ReconnectingSocket, type SocketDeps } from './reconnecting-socket.ts';
import type { PolymarketCredentials } from './rest-client.ts';

/** `url` ends in `/ws/user`. */
export interface UserChannelOptions extends SocketDeps {
  readonly credentials: PolymarketCredentials;
  /** @param at time of the event by the venue's clock */
  readonly onOrder: (order: OrderRecord, at: EpochMs) => void;
  readonly onTrade: (trade: OwnTrade, at: EpochMs) => void;
  /** Called when the channel is open, so that later events arrive. */
  readonly onOpened: () => void;
  readonly onLost: (problem: string) => void;
}

const SETTINGS = { name: 'user channel', pingMs: 5_000, silenceMs: 12_000, retryMs: [250, 10_000] } as const;

/**
 * The channel of the account's orders and trades (docs/spec/polymarket.md#user-stream). The venue repeats no event, so
 * `AccountPoller` reads afterwards what changed during a disconnection.
 */
export class UserChannel extends ReconnectingSocket {
  readonly #options: UserChannelOptions;
  #isSignedIn = false;

  constructor(options: UserChannelOptions) {
    super({ ...options, ...SETTINGS, maxFrameBytes: NETWORK_LIMITS.messageBytes });
    this.#options = options;
  }

  /** Whether the venue has accepted the sign-in. */
  override get isOpen(): boolean {
    return this.#isSignedIn && super.isOpen;
  }

  protected onOpen(): void {
    const { apiKey, secret, passphrase } = this.#options.credentials;
    // A subscription without a list of markets covers all markets.
    this.send(JSON.stringify({ auth: { apiKey, secret, passphrase }, type: 'user' }));
    // The answer to this ping confirms that the venue has accepted the sign-in.
    this.send('PING');
  }

  protected onMessage(text: string): void {
    if (!this.#isSignedIn) {
      this.#isSignedIn = true;
      this.resetRetry();
      this.#options.onOpened();
    }
    this.#read(text);
  }

  protected onLost(problem: string): void {
    this.#isSignedIn = false;
    this.#options.onLost(problem);
  }

  #read(text: string): void {
    // The answer to a ping is no JSON, and has no type.
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
}
