/**
 * The house market maker, which makes retail quotes executable (docs/spec/venue.md#quoted-prices). Checks changed
 * markets at most once per interval. Computes orders during a batch of the command queue, so that the book is current.
 */
import type { Clock } from '../../clock/index.ts';
import { type AccountNo, FULL_BPS, type MicroShares, timeAfter, unchecked } from '../../domain/index.ts';
import {
  acceptsOrders,
  type ExchangeCommand,
  type HouseOrder,
  houseCommand,
  type MarketRecord,
  type OpenOrderView,
  type QuotePolicy,
} from '../../exchange/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Watcher } from '../command-queue-types.ts';
import type { Log } from '../graphql/context.ts';
import { openServiceAccount } from '../service-accounts.ts';

export interface HouseSettings {
  readonly policy: QuotePolicy;
  /** Undefined for the exchange's spread. */
  readonly spreadBps: number | undefined;
  /** Size on each side. */
  readonly shares: MicroShares;
  /** An order is replaced when less than this size remains. */
  readonly refillBelow: MicroShares;
  readonly intervalMs: number;
}

export interface HouseMarketMakerOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly log: Log;
  readonly settings: HouseSettings;
}

/** Keeps a bid and an ask in every open market. */
export class HouseMarketMaker implements Watcher {
  readonly #options: HouseMarketMakerOptions;
  /** Result of `inputKey` at the last quote, by market. */
  readonly #quotedInputs = new Map<number, string>();
  #account: AccountNo | undefined;
  #unwatch: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  #isChecking = false;
  /** Whether the venue changed during the check. */
  #hasVenueChanged = false;

  constructor(options: HouseMarketMakerOptions) {
    this.#options = options;
  }

  /** Opens the account if it does not exist, and checks all markets. */
  async start(): Promise<void> {
    const { queue } = this.#options;
    this.#account = await openServiceAccount(queue, 'house');
    this.#unwatch = queue.watch(this);
    await this.#check();
  }

  /** Cancels all timers. The orders stay open for the next start. */
  close(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  onBatchEnd(): void {
    if (this.#isChecking) this.#hasVenueChanged = true;
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#cancel !== undefined || this.#unwatch === undefined) return;
    const { clock, settings } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), settings.intervalMs), () => {
      this.#cancel = undefined;
      void this.#check();
    });
  }

  async #check(): Promise<void> {
    const { queue, log } = this.#options;
    this.#isChecking = true;
    this.#hasVenueChanged = false;
    try {
      for (const market of queue.view.markets) {
        if (this.#unwatch === undefined) return;
        // Recorded markets get their liquidity from the tape.
        if (market.following !== undefined) continue;
        if (acceptsOrders(market) && this.#quotedInputs.get(market.number) !== inputKey(market))
          await this.#quote(market);
      }
    } catch (error) {
      if (this.#unwatch !== undefined) log.warn({ err: error }, 'house: could not quote');
    } finally {
      this.#isChecking = false;
    }
    // The house's own orders also cause a check, which finds nothing to do.
    if (this.#hasVenueChanged) this.#schedule();
  }

  async #quote(market: Readonly<MarketRecord>): Promise<void> {
    const { queue, log } = this.#options;
    await queue.run<void>({
      command: () => {
        this.#quotedInputs.set(market.number, inputKey(market));
        return this.#createCommand(market);
      },
      answer: (events) => {
        const refused = events.find((event) => event.type === 'refused');
        if (refused !== undefined) log.info({ market: market.id, refused }, 'house: refused');
      },
    });
  }

  #createCommand(market: Readonly<MarketRecord>): ExchangeCommand | undefined {
    const { queue, settings } = this.#options;
    const { view } = queue;
    const book = view.book(market.number);
    if (this.#account === undefined || book === undefined || !acceptsOrders(market)) return undefined;
    const ownOrders = view.openOrders(this.#account, market.number).map(toHouseOrder);
    const fields = { time: queue.now, account: this.#account, credential: unchecked.credential(0) };
    const config = { ...settings, spreadBps: settings.spreadBps ?? view.config.spreadBps };
    return houseCommand(fields, { market: market.number, book, lastTrade: market.lastTrade, ownOrders }, config);
  }
}

/** Returns a text that changes with the inputs of the house's orders: the book, the last trade and the tick. */
function inputKey({ bookSeq, lastTrade, bookEpoch }: Readonly<MarketRecord>): string {
  return `${bookSeq} ${lastTrade} ${bookEpoch}`;
}

/** Converts an open order of the house. Its YES buys are bids, and its NO buys are asks. */
function toHouseOrder({ order, outcome, price, remaining }: OpenOrderView): HouseOrder {
  const isBid = outcome === 'YES';
  return { order: unchecked.order(order), isBid, price: isBid ? price : FULL_BPS - price, remaining };
}
