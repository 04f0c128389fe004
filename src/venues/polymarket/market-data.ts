/** Public market data of Polymarket: writes books, trades and states of the followed markets as rows. */
import type { Clock, Random } from '../../clock/index.ts';
import { Fault, type MarketNo, type MarketStatus, timeAfter, type VenueMode } from '../../domain/index.ts';
import { type HttpClient, ReportLimiter } from '../../network/index.ts';
import type { PolymarketEvent, PolymarketTradingTerms } from '../../protocol/polymarket/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import { ClockOffset, type Log, type MarketDataSink, VenueMarketData } from '../base/index.ts';
import { BookFeed, type BookFeedDeps } from './book-feed.ts';
import { BookRecovery } from './book-recovery.ts';
import { ClobReader } from './clob-reader.ts';
import type { PolymarketDirectory } from './directory.ts';
import { toMarketLimits } from './market.ts';
import type { MarketStream } from './market-stream.ts';
import { MarketStreams } from './market-streams.ts';
import { MarketWatch, readStatus } from './market-watch.ts';
import { OwnPrints } from './own-prints.ts';

/** Times in ms. */
const DEFAULTS = {
  /** Time without an event after which a book is compared with REST. */
  silenceMs: 8_000,
  /** Time without a confirmation after which a book is stale, so that nothing is quoted. */
  staleMs: 20_000,
  /** Interval at which the state of each market is read. */
  pollMs: 30_000,
  /** Interval at which the venue's clock is measured. */
  clockMs: 30_000,
};
export type PolymarketDataSettings = Readonly<typeof DEFAULTS>;

export interface PolymarketMarketDataOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly http: HttpClient;
  /** Such as `https://clob.polymarket.com`. */
  readonly clobUrl: string;
  /** Such as `wss://ws-subscriptions-clob.polymarket.com/ws`. */
  readonly wsUrl: string;
  /** The directory that selected every market that is started or added. */
  readonly directory: Pick<PolymarketDirectory, 'market' | 'readWinner'>;
  readonly settings?: Partial<PolymarketDataSettings>;
}

/** Interval at which stale books, lost books and queued trades are checked, ms. */
const CHECK_MS = 250;
const START_TIMEOUT_MS = 30_000;
/** The middle of a second is at most this far from any time in that second. */
const HALF_SECOND_MS = 500;
const REPORT_INTERVAL_MS = 60_000;

export class PolymarketMarketData extends VenueMarketData {
  readonly ownPrints: OwnPrints;
  /** How far the venue's clock is ahead of this machine's. The uncertainty is at least 500 ms. */
  readonly offset = new ClockOffset();
  readonly #options: PolymarketMarketDataOptions;
  readonly #settings: PolymarketDataSettings;
  readonly #clob: ClobReader;
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  readonly #feeds = new Map<MarketNo, BookFeed>();
  readonly #byCondition = new Map<string, BookFeed>();
  readonly #streams: MarketStreams;
  readonly #feedDeps: BookFeedDeps;
  readonly #recovery: BookRecovery;
  #watch: MarketWatch | undefined;
  protected reportedMode: VenueMode = 'NORMAL';

  constructor(options: PolymarketMarketDataOptions) {
    const { clock, log, http, clobUrl } = options;
    const settings = { ...DEFAULTS, ...options.settings };
    const { silenceMs, staleMs } = settings;
    // No grace, so that a lost book is withdrawn at once.
    super(clock, log, { silenceMs: staleMs, staleMs, graceMs: 0 });
    this.#options = options;
    this.#settings = settings;
    this.#clob = new ClobReader(http, clobUrl);
    this.ownPrints = new OwnPrints(clock);
    this.#recovery = new BookRecovery({
      clock,
      log,
      clob: this.#clob,
      silenceMs,
      requestMarketStates: () => void this.refresh(),
      guard: (work) => this.guard(work),
    });
    this.#streams = new MarketStreams({
      ...options,
      onEvent: (event) => this.#onEvent(event),
      onUnreadable: (stream, problem, condition) => this.#onUnreadable(stream, problem, condition),
      onLink: (stream) => this.#onLink(stream),
      guard: (work) => this.guard(work),
    });
    this.#feedDeps = {
      rows: this.rows,
      clock,
      orders: this.ownPrints,
      offset: this.offset,
      staleMs,
      flusher: this.flusher,
      recovery: this.#recovery,
    };
  }

  protected get isConnected(): boolean {
    return this.sink !== undefined && this.#streams.areOpen;
  }

  /** Sets the mode, which only the venue's answers to orders reveal. */
  setMode(mode: VenueMode): void {
    this.reportedMode = mode;
    this.publishState();
  }

  async start(
    markets: readonly MarketSetup[],
    sink: MarketDataSink,
    timeoutMs: number = START_TIMEOUT_MS,
  ): Promise<void> {
    this.begin(sink);
    const { clock, log, directory } = this.#options;
    const { pollMs, clockMs } = this.#settings;
    const deadline = timeAfter(clock.now(), timeoutMs);
    // Checks of event times need the venue's clock.
    await this.measureClock();
    if (this.isClosed) throw new Fault('STOPPED', 'market data was closed while it started');
    this.#watch = new MarketWatch({
      clock,
      log,
      clob: this.#clob,
      pollMs,
      feeds: () => this.feeds(),
      readWinner: (condition) => directory.readWinner(condition),
      onTerms: (feed, terms) => this.#onTerms(feed, terms),
      guard: (work) => this.guard(work),
    });
    // A market of an earlier run that is not listed any more has no known tokens.
    for (const market of markets) if (directory.market(market.info.id) !== undefined) this.#follow(market);
    this.timers.every(CHECK_MS, () => this.#check());
    this.timers.every(clockMs, () => void this.measureClock());
    await this.#waitForBooks(this.feeds(), deadline);
    await this.#watch.refresh();
    this.publishState();
  }

  async add(selected: MarketSetup): Promise<void> {
    const feed = this.#follow(selected);
    await this.#waitForBooks([feed], timeAfter(this.clock.now(), START_TIMEOUT_MS));
    await this.refresh();
  }

  remove(marketNo: MarketNo): void {
    const feed = this.#feeds.get(marketNo);
    if (feed === undefined) return;
    const { stream, market } = feed;
    this.#feeds.delete(marketNo);
    this.#byCondition.delete(market.condition);
    this.orders.detach(marketNo);
    stream.remove(market.tokens);
    this.guard(() => feed.endInGap());
  }

  async refresh(): Promise<void> {
    await this.#watch?.refresh();
  }

  /** Reads the status of a selected market. @param id internal id @throws Fault LINK, VENUE */
  async readStatus(id: string): Promise<MarketStatus> {
    const { directory, log } = this.#options;
    const market = directory.market(id);
    if (market === undefined) return 'OPEN';
    return readStatus(market, { clob: this.#clob, log, readWinner: (condition) => directory.readWinner(condition) });
  }

  /** Measures the venue's clock, which it shows rounded **down** to seconds. Never rejects. */
  async measureClock(): Promise<void> {
    const sentAt = this.clock.now();
    try {
      const middle = (await this.#clob.time()) * 1_000 + HALF_SECOND_MS;
      // Widens the round trip on each side by the largest error of `middle`.
      this.offset.sample(sentAt - HALF_SECOND_MS, this.clock.now() + HALF_SECOND_MS, middle);
    } catch (error) {
      const suppressed = this.#reports.count('time', this.clock.now());
      if (suppressed !== undefined)
        this.log.warn({ err: error, suppressed }, "polymarket: the venue's clock cannot be measured");
    }
  }

  override close(): void {
    super.close();
    this.#watch?.close();
    this.#recovery.close();
    this.#streams.close();
  }

  protected feeds(): readonly BookFeed[] {
    return [...this.#feeds.values()];
  }

  #follow(selected: MarketSetup): BookFeed {
    const { market: marketNo, id } = selected.info;
    const market = this.#options.directory.market(id);
    if (market === undefined) throw new Error(`Invariant: market ${id} was not selected from Polymarket`);
    if (this.#feeds.get(marketNo) !== undefined) throw new Error(`Invariant: market ${marketNo} is followed already`);
    const feed = new BookFeed(selected, market, this.#streams.getStreamWithRoom(), this.#feedDeps);
    this.orders.attach(marketNo, feed);
    this.#feeds.set(marketNo, feed);
    this.#byCondition.set(market.condition, feed);
    this.#recovery.onSubscribed([feed]);
    feed.stream.add(market.tokens);
    return feed;
  }

  #feedsOn(stream: MarketStream): readonly BookFeed[] {
    return this.feeds().filter((feed) => feed.stream === stream);
  }

  #onLink(stream: MarketStream): void {
    if (!stream.isOpen) for (const feed of this.#feedsOn(stream)) feed.onDisconnected({ isSuspect: false });
    else {
      this.#recovery.onSubscribed(this.#feedsOn(stream));
      void this.refresh();
    }
    this.publishState();
  }

  #onEvent(event: PolymarketEvent): void {
    if (event.type === 'unknown' || event.type === 'new_market') return;
    const feed = this.#byCondition.get(event.market);
    if (feed === undefined) return;
    // This is the venue's own grid. The configuration may replace the grid of `feed.info`.
    const { info } = feed.market;
    if (event.type === 'market_resolved') this.#watch?.onResolved(event.market, event.winner);
    else if (event.type === 'tick_size_change') this.removeIfOffTick(info, event.newTickBps);
    else if (event.type !== 'book' || event.tickBps === undefined || !this.removeIfOffTick(info, event.tickBps))
      feed.onEvent(event);
  }

  /** Withdraws the named market's book. If no market is named, requests a check of all books of the connection. */
  #onUnreadable(stream: MarketStream, problem: string, condition: string | undefined): void {
    const named = this.#byCondition.get(condition ?? '');
    if (named !== undefined) named.lose(problem);
    else for (const feed of this.#feedsOn(stream)) this.#recovery.requestCheck(feed);
  }

  /** Distrusts stale books, recovers lost books, writes public trades that waited long enough for own fills. */
  #check(): void {
    const now = this.clock.now();
    const all = this.feeds();
    const withBook = all.filter(({ hasBook }) => hasBook);
    const { isFrozen } = this.checkAges(withBook, now);
    this.guard(() => {
      for (const feed of all) feed.trustAgain();
      this.#recovery.recover(all, now);
      this.flusher.flush();
    });
    if (isFrozen)
      for (const stream of this.#streams.all())
        this.#recovery.renew(stream, `most books have been silent for ${this.#settings.staleMs} ms`);
    this.publishState();
  }

  #onTerms(feed: BookFeed, terms: PolymarketTradingTerms): void {
    const { info } = feed.market;
    if (this.#feeds.get(info.market) !== feed || this.removeIfOffTick(info, terms.tickBps)) return;
    this.updateLimits(feed, toMarketLimits(terms), this.clock.now());
  }

  /** Waits for the books of followed markets. @throws Fault LINK after the deadline, or if market data is closed */
  #waitForBooks(feeds: readonly BookFeed[], deadline: number): Promise<void> {
    const lacksBook = (feed: BookFeed): boolean =>
      feed.hasBook && !feed.isSynced && this.#feeds.get(feed.info.market) === feed;
    return this.untilSynced(() => feeds.filter(lacksBook), deadline);
  }
}
