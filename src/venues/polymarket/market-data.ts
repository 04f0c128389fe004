/** Public market data of Polymarket: writes books, trades and states of the followed markets as rows. */
import { Fault, type MarketNo, type MarketStatus, timeAfter, type VenueMode } from '../../domain/index.ts';
import type { PolymarketEvent, PolymarketTradingTerms } from '../../protocol/polymarket/index.ts';
import {
  type BookAge,
  type ClockOffset,
  type MarketData,
  type MarketDataSink,
  PrintFlusher,
  RowWriter,
  type Selected,
  StalenessMonitor,
  Timers,
  VenueOrders,
} from '../base/index.ts';
import { BookFeed, type BookFeedDeps } from './book-feed.ts';
import { BookRecovery } from './book-recovery.ts';
import { ClobReader } from './clob-reader.ts';
import { FollowedMarket, FollowedMarkets, faultOfMissing } from './followed-markets.ts';
import {
  POLYMARKET_DATA_DEFAULTS,
  type PolymarketDataSettings,
  type PolymarketMarketDataOptions,
} from './market-data-options.ts';
import type { MarketStream } from './market-stream.ts';
import { MarketStreams } from './market-streams.ts';
import { MarketWatch, statusOf } from './market-watch.ts';
import { OwnPrints } from './own-prints.ts';
import { VenueClock } from './venue-clock.ts';

/** Interval at which stale books, lost books and queued trades are checked, ms. */
const CHECK_MS = 250;
const [START_MS, SYNC_PAUSE_MS] = [30_000, 25];

export class PolymarketMarketData implements MarketData {
  readonly orders = new VenueOrders();
  /** Matches own fills with public trades. */
  readonly ownPrints: OwnPrints;
  /** How far the venue's clock is ahead of ours. The error is at least 500 ms. */
  readonly offset: ClockOffset;
  readonly #options: PolymarketMarketDataOptions;
  readonly #settings: PolymarketDataSettings;
  readonly #clob: ClobReader;
  readonly #clock: VenueClock;
  readonly #staleness: StalenessMonitor;
  readonly #rows = new RowWriter();
  readonly #followed = new FollowedMarkets();
  readonly #streams: MarketStreams;
  readonly #flusher = new PrintFlusher(this.orders);
  readonly #feed: BookFeedDeps;
  readonly #timers: Timers;
  readonly #recovery: BookRecovery;
  #watch: MarketWatch | undefined;
  #sink: MarketDataSink | undefined;
  #mode: VenueMode = 'NORMAL';
  modeProblem: string | undefined;
  #isFrozen = false;
  #published = '';
  #isClosed = false;

  /** Opens no connection: `start` does. */
  constructor(options: PolymarketMarketDataOptions) {
    const { clock, log, http, clobUrl } = options;
    this.#options = options;
    this.#settings = { ...POLYMARKET_DATA_DEFAULTS, ...options.settings };
    const { silenceMs, staleMs } = this.#settings;
    this.#clob = new ClobReader(http, clobUrl);
    this.#clock = new VenueClock({ clob: this.#clob, clock, log });
    this.offset = this.#clock.offset;
    // Without grace: a lost book is withdrawn at once.
    this.#staleness = new StalenessMonitor({ silenceMs: staleMs, staleMs, graceMs: 0 });
    this.#timers = new Timers(clock);
    this.ownPrints = new OwnPrints(clock);
    this.#recovery = new BookRecovery({
      clock,
      log,
      clob: this.#clob,
      silenceMs,
      requestMarketStates: () => void this.refresh(),
      guard: (work) => this.#guard(work),
    });
    this.#streams = new MarketStreams({
      ...options,
      onEvent: (event) => this.#onEvent(event),
      onUnreadable: (...unreadable) => this.#onUnreadable(...unreadable),
      onLink: (stream) => this.#onLink(stream),
      guard: (work) => this.#guard(work),
    });
    this.#feed = {
      rows: this.#rows,
      clock,
      orders: this.ownPrints,
      offset: this.offset,
      staleMs,
      flusher: this.#flusher,
      owner: this.#recovery,
    };
  }

  /** The mode of the venue; HALTED while it is unknown. */
  get mode(): VenueMode {
    return this.modeProblem === undefined ? this.#mode : 'HALTED';
  }

  /** UP while all connections are open and most books are not stale. */
  get link(): 'UP' | 'DOWN' {
    if (this.#sink === undefined || this.#isFrozen) return 'DOWN';
    return this.#streams.areOpen ? 'UP' : 'DOWN';
  }

  /** Sets the mode, which only answers to orders show. @param problem why the mode is unknown */
  setMode(mode: VenueMode, problem?: string): void {
    this.#mode = mode;
    this.modeProblem = problem;
    this.#publish();
  }

  async start(markets: readonly Selected[], sink: MarketDataSink, timeoutMs: number = START_MS): Promise<void> {
    if (this.#sink !== undefined) throw new Error('Invariant: market data starts once');
    const { clock, log, directory } = this.#options;
    const { pollMs, clockMs } = this.#settings;
    this.#sink = sink;
    this.#rows.sink = sink;
    const deadline = timeAfter(clock.now(), timeoutMs);
    // Checks of event times need the venue's clock.
    await this.measureClock();
    if (this.#isClosed) throw new Fault('STOPPED', 'market data was closed while it started');
    this.#watch = new MarketWatch({
      clock,
      log,
      clob: this.#clob,
      pollMs,
      markets: () => this.#followed.all(),
      winnerOf: (condition) => directory.winnerOf(condition),
      terms: (followed, terms) => this.#onTerms(followed, terms),
      guard: (work) => this.#guard(work),
    });
    // A market of an earlier run that is not listed any more has no known tokens.
    for (const market of markets) if (directory.market(market.setup.info.id) !== undefined) this.#follow(market);
    this.#timers.every(CHECK_MS, () => this.#check());
    this.#timers.every(clockMs, () => void this.measureClock());
    await this.#allSynced(this.#followed.all(), deadline);
    await this.#watch.refresh();
    this.#publish();
  }

  async add(selected: Selected): Promise<void> {
    const followed = this.#follow(selected);
    await this.#allSynced([followed], timeAfter(this.#options.clock.now(), START_MS));
    await this.refresh();
  }

  remove(no: MarketNo): void {
    const followed = this.#followed.byNumber(no);
    if (followed === undefined) return;
    const { feed, stream, market } = followed;
    this.#followed.remove(followed);
    this.orders.detach(no);
    stream.remove(market.tokens);
    this.#guard(() => feed.leave());
  }

  async refresh(): Promise<void> {
    await this.#watch?.refresh();
  }

  /** Reads the status of a selected market. @param id our id of the market. @throws Fault LINK, VENUE */
  async statusOf(id: string): Promise<MarketStatus> {
    const { directory, log } = this.#options;
    const market = directory.market(id);
    if (market === undefined) return 'OPEN';
    return statusOf(market, { clob: this.#clob, log, winnerOf: (condition) => directory.winnerOf(condition) });
  }

  /** Never rejects. */
  measureClock(): Promise<void> {
    return this.#clock.measure();
  }

  ages(): readonly BookAge[] {
    return this.#followed.ages(this.#options.clock.now());
  }

  close(): void {
    this.#isClosed = true;
    this.#watch?.end();
    this.#recovery.close();
    this.#streams.close();
    this.#timers.close();
  }

  #follow(selected: Selected): FollowedMarket {
    const { market: no, id } = selected.setup.info;
    const market = this.#options.directory.market(id);
    if (market === undefined) throw new Error(`Invariant: market ${id} was not selected from Polymarket`);
    if (this.#followed.byNumber(no) !== undefined) throw new Error(`Invariant: market ${no} is followed already`);
    const feed = new BookFeed(selected, market, this.#feed);
    const followed = new FollowedMarket(market, feed, this.#streams.withRoom());
    this.orders.attach(no, feed);
    this.#followed.add(followed);
    this.#recovery.subscribed([feed]);
    followed.stream.add(market.tokens);
    return followed;
  }

  #onLink(stream: MarketStream): void {
    if (!stream.isOpen) for (const { feed } of this.#followed.on(stream)) feed.disconnected(false);
    else {
      this.#recovery.subscribed(this.#followed.on(stream).map(({ feed }) => feed));
      void this.refresh();
    }
    this.#publish();
  }

  #onEvent(event: PolymarketEvent): void {
    if (event.type === 'unknown' || event.type === 'new_market') return;
    const followed = this.#followed.byCondition(event.market);
    if (followed === undefined) return;
    if (event.type === 'market_resolved') this.#watch?.resolved(event.market, event.winner);
    else if (event.type === 'tick_size_change') this.#failsTick(followed, event.newTickBps);
    else if (event.type !== 'book' || event.tickBps === undefined || !this.#failsTick(followed, event.tickBps))
      followed.onEvent(event);
  }

  /** Withdraws the book of the named market, or has all books of the connection compared. */
  #onUnreadable(stream: MarketStream, problem: string, condition: string | undefined): void {
    const followed = this.#followed.byCondition(condition ?? '');
    if (followed !== undefined) followed.feed.malformed(problem);
    else for (const { feed } of this.#followed.on(stream)) this.#recovery.requestCheck(feed);
  }

  /** Distrusts stale books, recovers lost ones, and writes public trades that need not wait for own fills any more. */
  #check(): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    const all = this.#followed.all();
    const { stale, isFrozen } = this.#staleness.check(
      all.filter(({ hasBook }) => hasBook).map(({ feed }) => ({ handler: feed })),
      now,
    );
    this.#guard(() => {
      for (const { handler } of stale) {
        if (!handler.status.isTrusted) continue;
        log.warn({ market: handler.info.slug, ageMs: now - handler.seenAt }, 'polymarket: a book is stale');
        handler.distrust();
      }
      for (const { feed } of all) feed.trustAgain();
      this.#recovery.work(all, now);
      this.#flusher.flush();
    });
    if (isFrozen)
      for (const stream of this.#streams.all())
        this.#recovery.renew(stream, `most books have been silent for ${this.#settings.staleMs} ms`);
    this.#isFrozen = isFrozen;
    this.#publish();
  }

  #onTerms(followed: FollowedMarket, terms: PolymarketTradingTerms): void {
    if (this.#followed.byNumber(followed.no) !== followed || this.#failsTick(followed, terms.tickBps)) return;
    const limits = followed.updateLimits(terms);
    if (limits !== undefined) this.#sink?.limitsChanged(followed.no, limits, this.#options.clock.now());
  }

  /** Removes a market whose tick has changed. @returns whether it did */
  #failsTick(followed: FollowedMarket, tickBps: number): boolean {
    const fault = followed.faultOfTick(tickBps);
    if (fault === undefined) return false;
    this.remove(followed.no);
    this.#sink?.marketFailed(followed.no, fault);
    return true;
  }

  #publish(): void {
    const { mode, link } = this;
    const state = `${mode} ${link}`;
    if (this.#sink === undefined || state === this.#published) return;
    this.#published = state;
    const venueTime = this.#options.clock.now();
    this.#guard(() => this.#sink?.venueChanged({ mode, link }, venueTime));
  }

  /** Waits until the markets have books. @throws Fault LINK after the deadline, or if market data is closed */
  async #allSynced(some: readonly FollowedMarket[], deadline: number): Promise<void> {
    const missing = (): readonly FollowedMarket[] => this.#followed.withoutBook(some);
    if (!(await this.#timers.until(() => missing().length === 0, deadline, SYNC_PAUSE_MS)))
      throw faultOfMissing(missing());
  }

  /** Runs work that calls the sink. An error closes market data and is reported once. */
  #guard(work: () => void): void {
    if (this.#isClosed) return;
    try {
      work();
    } catch (error) {
      this.close();
      this.#sink?.failed(error);
    }
  }
}
