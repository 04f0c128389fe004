/**
 * Polls terms and states of markets, because the market stream does not announce that a market stops accepting orders.
 *
 * A market is resolved when the CLOB names a winner and the stream or Gamma names the same winner
 * (docs/spec/polymarket.md#fees). A closed market may still be unresolved.
 */
import type { Clock } from '../../clock/index.ts';
import { type MarketStatus, timeAfter } from '../../domain/index.ts';
import { ReportLimiter } from '../../network/index.ts';
import type { PolymarketTradingTerms } from '../../protocol/polymarket/index.ts';
import { batches, type Log, Timers } from '../base/index.ts';
import type { BookFeed } from './book-feed.ts';
import type { ClobReader } from './clob-reader.ts';
import type { PolymarketMarket } from './market.ts';

export interface MarketWatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly clob: Pick<ClobReader, 'terms' | 'state'>;
  readonly pollMs: number;
  feeds(): readonly BookFeed[];
  /** The winner that Gamma names: a token, or `split`. @throws Fault LINK, VENUE */
  readWinner(condition: string): Promise<string | undefined>;
  onTerms(feed: BookFeed, terms: PolymarketTradingTerms): void;
  /** Runs work that writes rows, and handles its errors. */
  readonly guard: (work: () => void) => void;
}

const CONCURRENCY = 8;
/** Failed reads in a row after which a market halts. */
const MAX_FAILURES = 3;
const REPORT_INTERVAL_MS = 60_000;

export class MarketWatch {
  readonly #deps: MarketWatchDeps;
  readonly #timers: Timers;
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  readonly #failures = new Map<string, number>();
  /** Winners that the stream named, by condition id: a token, or `split`. */
  readonly #streamWinners = new Map<string, string>();
  #reading: Promise<void> | undefined;
  #isReadRequested = false;

  constructor(deps: MarketWatchDeps) {
    this.#deps = deps;
    this.#timers = new Timers(deps.clock);
    this.#timers.every(deps.pollMs, () => void this.refresh());
  }

  /** Reads all markets. A call during a read causes a second read. Never rejects. */
  refresh(): Promise<void> {
    this.#isReadRequested = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** @param winner the token that the stream named; undefined if no token wins alone */
  onResolved(condition: string, winner: string | undefined): void {
    this.#streamWinners.set(condition, winner ?? 'split');
    void this.refresh();
  }

  close(): void {
    this.#timers.close();
  }

  async #readAll(): Promise<void> {
    while (this.#isReadRequested && !this.#timers.isClosed) {
      this.#isReadRequested = false;
      for (const feeds of batches(this.#deps.feeds(), CONCURRENCY)) {
        if (this.#timers.isClosed) return;
        await Promise.all(feeds.map((feed) => this.#read(feed)));
      }
    }
  }

  async #read(feed: BookFeed): Promise<void> {
    const { clob, clock, log, pollMs, guard } = this.#deps;
    const { condition, info } = feed.market;
    try {
      const terms = await clob.terms(condition);
      const isOpen = terms?.acceptsOrders === true;
      const status = isOpen ? 'OPEN' : await readStatus(feed.market, this.#deps, this.#streamWinners.get(condition));
      if (this.#timers.isClosed) return;
      this.#failures.delete(condition);
      guard(() => {
        if (terms !== undefined) this.#deps.onTerms(feed, terms);
        feed.updateState(status, isOpen);
      });
    } catch (error) {
      if (this.#timers.isClosed) return;
      const failures = (this.#failures.get(condition) ?? 0) + 1;
      this.#failures.set(condition, failures);
      const suppressed = this.#reports.count('read', clock.now());
      if (suppressed !== undefined)
        log.warn({ market: info.slug, err: error, suppressed }, 'polymarket: the state of a market cannot be read');
      // The last known state is too old to quote on.
      if (failures >= MAX_FAILURES) guard(() => feed.halt(timeAfter(clock.now(), 2 * pollMs)));
    }
  }
}

/**
 * Reads the status of a market that accepts no orders.
 * @param streamWinner the winner that the stream named
 * @throws Fault LINK, VENUE
 */
export async function readStatus(
  { condition, tokens: [yes, no], info }: PolymarketMarket,
  { clob, log, readWinner }: Pick<MarketWatchDeps, 'log' | 'readWinner'> & { readonly clob: Pick<ClobReader, 'state'> },
  streamWinner?: string,
): Promise<MarketStatus> {
  const state = await clob.state(condition);
  if (state?.isClosed !== true) return 'OPEN';
  const { winner } = state;
  if (winner === undefined) return 'PENDING_RESOLUTION';
  const otherWinner = streamWinner ?? (await readWinner(condition));
  if (otherWinner !== winner) {
    if (otherWinner !== undefined)
      log.error({ market: info.slug, winner, otherWinner }, 'polymarket: two sources name different winners');
    return 'PENDING_RESOLUTION';
  }
  if (winner === 'split') return 'RESOLVED_UNCERTAIN';
  return winner === yes ? 'RESOLVED_YES' : winner === no ? 'RESOLVED_NO' : 'PENDING_RESOLUTION';
}
