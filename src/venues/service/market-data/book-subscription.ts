/**
 * The subscriptions of one market. Requests the book again if it is silent or has lost an update.
 *
 * Invariants: at most one request waits. The first request after a calm time is immediate. Then the pauses double.
 */
import { payoutBps, timeAfter } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import type { RetailPrices } from '../../../state/index.ts';
import type { StreamHandle, Transport } from '../transport/index.ts';
import type { BookFeedHandler } from './book-feed-handler.ts';

/** Pause before the second request in a row, ms. Later pauses double up to the maximum. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [200, 5_000];
/** Time since the last request after which the next request is immediate, ms. */
const CALM_MS = 10_000;
/** Shortest time between two logs of the same problem of a market, ms. */
const REPORT_MS = 1_000;

export class BookSubscription {
  readonly handler: BookFeedHandler;
  readonly #book: StreamHandle;
  readonly #trades: StreamHandle;
  readonly #transport: Transport;
  #prices: StreamHandle | undefined;
  readonly #reports = new ReportLimiter(REPORT_MS);
  #requestedAt = Number.NEGATIVE_INFINITY;
  #pause = 0;
  #cancelRequest: (() => void) | undefined;
  #hasEnded = false;

  /** Subscribes to book and trades. @param depth levels per side */
  constructor(handler: BookFeedHandler, transport: Transport, depth: number) {
    const { id: marketId } = handler.info;
    this.handler = handler;
    this.#transport = transport;
    this.#book = transport.subscribe(
      OPERATIONS.orderBookUpdated,
      () => ({ marketId, depth, ...(handler.resumesAt === undefined ? {} : { afterSeq: String(handler.resumesAt) }) }),
      handler,
      // The handler checks each field.
      { startsWithEvent: true, isUnchecked: true },
    );
    this.#trades = transport.subscribe(OPERATIONS.tradeExecuted, () => ({ marketId }), {
      next: (data) => {
        const trade = data?.tradeExecuted;
        if (trade !== null && trade !== undefined) handler.onTrade(trade);
      },
      onMalformed: (problem) => this.#report(problem, 'venue: a trade cannot be read and is skipped'),
      onRefused: (errors) =>
        transport.log.error({ market: marketId, errors }, 'venue: the trade subscription was refused'),
    });
  }

  /** Subscribes to retail prices. @param publish called on each change, with the venue time, epoch ms */
  watchPrices(publish: (prices: RetailPrices, at: number) => void): void {
    const { id: marketId } = this.handler.info;
    let [yes, no] = [-1, -1];
    this.#prices = this.#transport.subscribe(
      OPERATIONS.priceUpdated,
      () => ({ marketIds: [marketId] }),
      {
        next: (data) => {
          const event = data?.priceUpdated;
          if (event === null || event === undefined || this.#hasEnded) return;
          // The prices of a final market are its payouts.
          const prices = { yes: payoutBps(event.yesPriceBps), no: payoutBps(event.noPriceBps) };
          if (prices.yes === yes && prices.no === no) return;
          [yes, no] = [prices.yes, prices.no];
          publish(prices, Date.parse(event.at));
        },
        onMalformed: (problem) => this.#report(problem, 'venue: retail prices cannot be read and stay unchanged'),
        onRefused: (errors) =>
          this.#transport.log.error({ market: marketId, errors }, 'venue: the price subscription was refused'),
      },
      { startsWithEvent: true },
    );
  }

  onBookLost(problem: string): void {
    this.#report(problem, 'venue: requesting a book again');
    this.resync();
  }

  /** Requests the book again: at once after a calm time, otherwise after a growing pause. */
  resync(): void {
    if (this.#cancelRequest !== undefined || this.#hasEnded) return;
    const { clock } = this.#transport;
    const now = clock.now();
    if (now - this.#requestedAt > CALM_MS) this.#pause = 0;
    if (this.#pause === 0) {
      this.#request(now);
      return;
    }
    const requestAt = timeAfter(now, this.#pause);
    this.#cancelRequest = clock.schedule(requestAt, () => {
      this.#cancelRequest = undefined;
      if (!this.handler.isSynced) this.#request(requestAt);
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.handler.end();
    this.#cancelRequest?.();
    this.#book.end();
    this.#trades.end();
    this.#prices?.end();
  }

  #report(problem: string, message: string): void {
    const { clock, log } = this.#transport;
    const suppressed = this.#reports.count(message, clock.now());
    if (suppressed !== undefined) log.warn({ market: this.handler.info.slug, problem, suppressed }, message);
  }

  #request(now: number): void {
    this.#requestedAt = now;
    this.#pause = this.#pause === 0 ? FIRST_PAUSE_MS : Math.min(2 * this.#pause, MAX_PAUSE_MS);
    this.#book.resubscribe();
  }
}
