import { expect } from 'vitest';
import {
  type EpochMs,
  microShares,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  SHARE,
  unchecked,
  type VenueEvent,
} from '../../src/domain/index.ts';
import type { Venue, VenueSession } from '../../src/runtime/index.ts';
import type { AccountState } from '../../src/state/index.ts';

/** A venue under test with one open market and an account without history. */
export interface VenueUnderTest {
  readonly venue: Venue;
  /** The state of the account, built from the reported events. */
  readonly state: AccountState;
  now(): EpochMs;
  /** Adds book levels of other participants, as side, price in YES bps and whole shares: `['bid', 4500, 100]`. */
  show(...levels: readonly (readonly ['bid' | 'ask', number, number])[]): Promise<void>;
  /** Another participant buys or sells YES at a price, so that own orders at that price fill. */
  trade(side: 'buy' | 'sell', price: number, shares: number): Promise<void>;
  /** Waits until the condition holds. @throws Error when it does not hold in time */
  until(condition: () => boolean): Promise<void>;
  /** Waits until no command or event is pending. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export const MARKET = unchecked.market(0);
export const BOT = unchecked.instance(0);

/** Sends commands to a venue and records the events that it reports. */
export class VenueDriver {
  readonly reported: VenueEvent[] = [];
  readonly #subject: VenueUnderTest;
  #session: VenueSession | undefined;
  #isSending = false;
  #orders = 0;

  constructor(subject: VenueUnderTest) {
    this.#subject = subject;
  }

  async connect(): Promise<void> {
    const { venue, state } = this.#subject;
    this.#session = await venue.connect({
      rows: () => expect(this.#isSending).toBe(false),
      event: (event) => {
        expect(this.#isSending).toBe(false);
        expect(event.time).toBeGreaterThanOrEqual(state.now);
        state.apply(event);
        this.reported.push(event);
      },
    });
  }

  /** Returns a place command for YES; `shares` are whole shares. */
  order(side: 'BUY' | 'SELL', price: number, shares: number, more: Partial<PlaceOrder> = {}): PlaceOrder {
    this.#orders += 1;
    return {
      type: 'place',
      order: unchecked.order(this.#orders),
      bot: BOT,
      market: MARKET,
      outcome: 'YES',
      side,
      price: priceBps(price),
      shares: microShares(shares * SHARE),
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
      ...more,
    };
  }

  send(...commands: readonly OrderCommand[]): void {
    const { state } = this.#subject;
    for (const command of commands) state.applyCommand(command, this.#subject.now());
    this.#isSending = true;
    this.#session?.send(commands);
    this.#isSending = false;
  }

  /** Sends commands and waits for `count` more events of own orders and conversions. @returns these events */
  async sendAndWait(count: number, ...commands: readonly OrderCommand[]): Promise<readonly VenueEvent[]> {
    const before = this.own.length;
    this.send(...commands);
    return this.after(before, count);
  }

  async after(before: number, count: number): Promise<readonly VenueEvent[]> {
    await this.#subject.until(() => this.own.length >= before + count);
    await this.#subject.idle();
    return this.own.slice(before);
  }

  /** The reported events of orders and conversions. */
  get own(): readonly VenueEvent[] {
    return this.reported.filter(({ type }) => /^(order|cancel|conver)/.test(type));
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }
}
