/** The streams of one market, and what is done when its book falls silent or loses its thread. */
import type { Clock } from '../../../clock/index.ts';
import { type MarketLimits, type MarketNo, payoutBps, timeAfter } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import { type DataOf, OPERATIONS } from '../../../protocol/index.ts';
import type { RetailPrices } from '../../../state/index.ts';
import type { StreamHandle, Transport } from '../transport/index.ts';
import type { MarketLine } from './market-line.ts';

/** A second snapshot in a row is asked for after this, a third after twice as long. ms. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A book that was right for so long has got over its last fault. ms. */
const CALM_MS = 10_000;

/** Between two reports of what one market's streams got wrong. ms. */
export const REPORT_MS = 1_000;

type PriceNews = NonNullable<DataOf<(typeof OPERATIONS)['priceUpdated']>['priceUpdated']>;

/** A market that is followed. */
export interface Followed {
  readonly feed: MarketFeed;
  limits: MarketLimits;
}

export class MarketFeed {
  readonly line: MarketLine;
  readonly #clock: Clock;
  readonly #book: StreamHandle;
  readonly #trades: StreamHandle;
  readonly #transport: Transport;
  readonly #guard: (run: () => void) => void;
  #prices: StreamHandle | undefined;
  readonly #reports = new ReportLimiter(REPORT_MS);
  #askedAt = Number.NEGATIVE_INFINITY;
  #pause = 0;
  #cancel: (() => void) | undefined;
  #isEnded = false;

  /** Subscribes. @param guard runs what a frame sets going */
  constructor(line: MarketLine, transport: Transport, depth: number, guard: (run: () => void) => void) {
    const { clock, log } = transport;
    const { id: marketId } = line.info;
    this.line = line;
    this.#transport = transport;
    this.#guard = guard;
    this.#clock = clock;
    this.#book = transport.subscribe(
      OPERATIONS.orderBookUpdated,
      () => ({ marketId, depth, ...(line.resumesAt === undefined ? {} : { afterSeq: String(line.resumesAt) }) }),
      {
        next: (data) => {
          const event = data?.orderBookUpdated;
          if (event === null || event === undefined || this.#isEnded) return;
          guard(() => line.book(event));
        },
        malformed: (problem) => {
          if (!this.#isEnded) guard(() => line.malformed(problem));
        },
        refused: (errors) => {
          log.error({ market: marketId, errors }, 'venue: a book is not told');
        },
        begun: () => line.asked(),
        lost: () => guard(() => line.carrierLost()),
      },
      // Each field is looked at by the line.
      { opens: true, isUnchecked: true },
    );
    this.#trades = transport.subscribe(OPERATIONS.tradeExecuted, () => ({ marketId }), {
      next: (data) => {
        const trade = data?.tradeExecuted;
        if (trade === null || trade === undefined || this.#isEnded) return;
        guard(() => line.trade(trade));
      },
      malformed: (problem) => this.#report(problem, 'venue: a trade cannot be read, and is left out'),
      refused: (errors) => log.error({ market: marketId, errors }, 'venue: trades are not told'),
    });
  }

  /** Asks for retail prices, too, and tells each that is another than the one before. @param tell with the venue's time, epoch ms */
  watchPrices(tell: (prices: RetailPrices, at: number) => void): void {
    const { id: marketId } = this.line.info;
    let [yes, no] = [-1, -1];
    const next = (event: PriceNews): void => {
      // Once a market is final they are what it pays.
      const prices = { yes: payoutBps(event.yesPriceBps), no: payoutBps(event.noPriceBps) };
      if (this.#isEnded || (prices.yes === yes && prices.no === no)) return;
      [yes, no] = [prices.yes, prices.no];
      tell(prices, Date.parse(event.at));
    };
    this.#prices = this.#transport.subscribe(
      OPERATIONS.priceUpdated,
      () => ({ marketIds: [marketId] }),
      {
        next: (data) => {
          const event = data?.priceUpdated;
          if (event !== null && event !== undefined) this.#guard(() => next(event));
        },
        malformed: (problem) => this.#report(problem, 'venue: retail prices cannot be read, and are left as they were'),
        refused: (errors) => this.#transport.log.error({ market: marketId, errors }, 'venue: prices are not told'),
      },
      { opens: true },
    );
  }

  /** The book cannot be followed any more. */
  lost(problem: string): void {
    this.#report(problem, 'venue: a book lost its thread');
    this.resync();
  }

  /** Asks for the book anew: at once for a first fault, after a growing pause for one that follows on it. */
  resync(): void {
    if (this.#cancel !== undefined || this.#isEnded) return;
    const now = this.#clock.now();
    if (now - this.#askedAt > CALM_MS) this.#pause = 0;
    if (this.#pause === 0) {
      this.#ask(now);
      return;
    }
    const due = timeAfter(now, this.#pause);
    this.#cancel = this.#clock.schedule(due, () => {
      this.#cancel = undefined;
      if (!this.line.isSynced) this.#ask(due);
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#cancel?.();
    this.#book.end();
    this.#trades.end();
    this.#prices?.end();
  }

  #report(problem: string, message: string): void {
    const suppressed = this.#reports.count(this.#clock.now());
    if (suppressed === undefined) return;
    this.#transport.log.warn({ market: this.line.info.slug, problem, suppressed }, message);
  }

  #ask(now: number): void {
    this.#askedAt = now;
    this.#pause = this.#pause === 0 ? FIRST_PAUSE_MS : Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
    this.#book.again();
  }
}

/** Nobody is to quote on these, or on any of them, until then, by our clock: they may have closed unheard. */
export function halt(
  followed: ReadonlyMap<MarketNo, Followed>,
  until: number,
  some: Iterable<MarketNo> = followed.keys(),
): void {
  for (const market of some) {
    const feed = followed.get(market)?.feed;
    if (feed === undefined) continue;
    feed.line.standing.halt(until);
    feed.line.tellStanding(0);
  }
}

/** The first five names. */
export function someOf(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}
