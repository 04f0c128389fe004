/**
 * The subscriptions of one market. Requests the book again if it is silent or has lost an update.
 *
 * Invariants: at most one request waits. After `IDLE_MS` without one, the next is immediate. Then the pauses double.
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
const IDLE_MS = 10_000;
/** Shortest time between two logs of the same problem of a market, ms. */
const REPORT_INTERVAL_MS = 1_000;

export class BookSubscription {
  readonly handler: BookFeedHandler;
  readonly #book: StreamHandle;
  readonly #trades: StreamHandle;
  readonly #transport: Transport;
  #prices: StreamHandle | undefined;
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  #requestedAt = Number.NEGATIVE_INFINITY;
  #pauseMs = 0;
  #cancelRequest: (() => void) | undefined;
  #hasEnded = false;

  /** Subscribes to book and trades. @param depth levels per side */
  constructor(handler: BookFeedHandler, transport: Transport, depth: number) {
    const { id: marketId } = handler.info;
    this.handler = handler;
    this.#transport = transport;
    this.#book = transport.subscribe(
      OPERATIONS.orderBookUpdated,
      () => ({ marketId, depth, ...(handler.resumeSeq === undefined ? {} : { afterSeq: String(handler.resumeSeq) }) }),
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
  subscribeToPrices(publish: (prices: RetailPrices, at: number) => void): void {
    const { id: marketId } = this.handler.info;
    let [lastYes, lastNo] = [-1, -1];
    this.#prices = this.#transport.subscribe(
      OPERATIONS.priceUpdated,
      () => ({ marketIds: [marketId] }),
      {
        next: (data) => {
          const event = data?.priceUpdated;
          if (event === null || event === undefined || this.#hasEnded) return;
          // The prices of a final market are its payouts.
          const prices = { yes: payoutBps(event.yesPriceBps), no: payoutBps(event.noPriceBps) };
          if (prices.yes === lastYes && prices.no === lastNo) return;
          [lastYes, lastNo] = [prices.yes, prices.no];
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

  /** Requests the book again: at once after `IDLE_MS` without a request, otherwise after a growing pause. */
  resync(): void {
    if (this.#cancelRequest !== undefined || this.#hasEnded) return;
    const { clock } = this.#transport;
    const now = clock.now();
    if (now - this.#requestedAt > IDLE_MS) this.#pauseMs = 0;
    if (this.#pauseMs === 0) {
      this.#request(now);
      return;
    }
    const requestAt = timeAfter(now, this.#pauseMs);
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
    this.#pauseMs = this.#pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    this.#book.resubscribe();
  }
}
