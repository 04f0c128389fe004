/** The common market data of all venues: the venue's state, ages of books, and errors of the sink. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock/index.ts';
import {
  Fault,
  fitsTick,
  type MarketInfo,
  type MarketLimits,
  type MarketNo,
  unchecked,
  type VenueMode,
} from '../../domain/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import type { MarketFeed } from './market-feed.ts';
import type { Log, MarketDataSink } from './ports.ts';
import { PrintFlusher } from './prints.ts';
import { RowWriter } from './row-writer.ts';
import { StalenessMonitor, type StalenessSettings } from './staleness-monitor.ts';
import { Timers } from './timers.ts';
import { VenueOrders } from './venue-orders.ts';

const SYNC_PAUSE_MS = 25;
const MAX_NAMES = 5;

/** The public part of market data. */
export type MarketData = Omit<VenueMarketData, 'onFailed'>;

export abstract class VenueMarketData {
  /** Own orders, which are subtracted from the books. */
  readonly orders = new VenueOrders();
  /** Why `mode` is HALTED; undefined if the reported mode is valid. */
  modeProblem: string | undefined;
  protected readonly clock: Clock;
  protected readonly log: Log;
  protected readonly timers: Timers;
  protected readonly rows = new RowWriter();
  protected readonly flusher = new PrintFlusher(this.orders);
  protected sink: MarketDataSink | undefined;
  protected isClosed = false;
  readonly #staleness: StalenessMonitor;
  /** Whether most books are silent. */
  #isFrozen = false;
  #publishedState = '';

  constructor(clock: Clock, log: Log, staleness: StalenessSettings) {
    this.clock = clock;
    this.log = log;
    this.timers = new Timers(clock);
    this.#staleness = new StalenessMonitor(staleness);
  }

  protected abstract readonly reportedMode: VenueMode;
  protected abstract readonly isConnected: boolean;
  protected abstract feeds(): readonly MarketFeed[];

  /** Subscribes. Resolves when every market has its first book. @throws Fault LINK after `timeoutMs` */
  abstract start(markets: readonly MarketSetup[], sink: MarketDataSink, timeoutMs?: number): Promise<void>;

  /** Adds a market. The market's rows may come before `add` resolves. */
  abstract add(market: MarketSetup): Promise<void>;

  /** Removes a market. No more rows of the market follow. */
  abstract remove(market: MarketNo): void;

  /** Reads status, tick and limits of all markets again, such as after an unexpected refusal. Never rejects. */
  abstract refresh(): Promise<void>;

  /** The reported mode, or HALTED while the venue's mode is unknown. */
  get mode(): VenueMode {
    return this.modeProblem === undefined ? this.reportedMode : 'HALTED';
  }

  /** UP while the venue is connected and most books are not silent. */
  get link(): 'UP' | 'DOWN' {
    return this.isConnected && !this.#isFrozen ? 'UP' : 'DOWN';
  }

  /** Returns each book's state. `ageMs`: time since the book was last known to be correct; Infinity before a book. */
  bookStates() {
    const now = this.clock.now();
    return this.feeds().map(({ info, seenAt, isSynced, seq, resyncs }) => ({
      market: info.market,
      ageMs: now - seenAt,
      isSynced,
      seq,
      resyncs,
    }));
  }

  close(): void {
    this.isClosed = true;
    this.timers.close();
  }

  /** Closes market data after an error of the sink, and reports the error once. */
  onFailed(error: unknown): void {
    if (this.isClosed) return;
    this.close();
    this.sink?.onFailed(error);
  }

  protected begin(sink: MarketDataSink): void {
    if (this.sink !== undefined) throw new Error('Invariant: market data starts once');
    this.sink = sink;
    this.rows.sink = sink;
  }

  /** Runs work that calls the sink. An error closes market data. */
  protected guard(work: () => void): void {
    if (this.isClosed) return;
    try {
      work();
    } catch (error) {
      this.onFailed(error);
    }
  }

  protected publishState(at: number = this.clock.now()): void {
    const { mode, link } = this;
    const state = `${mode} ${link}`;
    if (this.sink === undefined || state === this.#publishedState) return;
    this.#publishedState = state;
    this.guard(() => this.sink?.onVenueChanged({ mode, link }, unchecked.time(at)));
  }

  /** Reports the limits of a market if they changed. @param at venue time */
  protected updateLimits(feed: MarketFeed, limits: MarketLimits, at: number): void {
    if (isDeepStrictEqual(limits, feed.limits)) return;
    feed.limits = limits;
    this.sink?.onLimitsChanged(feed.info.market, limits, unchecked.time(at));
  }

  /** Distrusts stale books. Returns books to request again, whether most are silent, and whether that has changed. */
  protected checkAges<Feed extends MarketFeed>(feeds: readonly Feed[], now: number) {
    const { stale, toRequest, isFrozen } = this.#staleness.check(feeds, now);
    this.guard(() => {
      for (const feed of stale) {
        if (!feed.status.isTrusted) continue;
        this.log.warn({ market: feed.info.slug, ageMs: now - feed.seenAt }, 'a book is stale');
        feed.distrust();
      }
    });
    const hasChanged = isFrozen !== this.#isFrozen;
    this.#isFrozen = isFrozen;
    return { toRequest, isFrozen, hasChanged };
  }

  /** Waits until no book is missing. @throws Fault LINK at the deadline, or if market data is closed */
  protected async untilSynced(
    missing: () => readonly { readonly info: MarketInfo }[],
    deadline: number,
  ): Promise<void> {
    if (await this.timers.until(() => missing().length === 0, deadline, SYNC_PAUSE_MS)) return;
    const names = missing().map(({ info }) => info.slug);
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
    const problem = `the books of ${names.slice(0, MAX_NAMES).join(', ')}${more} did not arrive in time`;
    throw new Fault('LINK', `${problem}. Check ws_url, and the venue's health.`, { retryable: true });
  }

  /** Removes a market if its prices do not fit the venue's tick. Returns whether the market was removed. */
  protected removeIfOffTick({ grid, slug, market }: MarketInfo, tickBps: number): boolean {
    if (fitsTick(grid, tickBps)) return false;
    const before = grid.type === 'tick' ? `${grid.tickBps}` : "that of the configuration's prices";
    const problem = `the tick of ${slug} is ${tickBps} bps now, not ${before}`;
    this.remove(market);
    this.sink?.onMarketFailed(market, new Fault('TICK_CHANGED', `${problem}. Remove the market and add it again`));
    return true;
  }
}
