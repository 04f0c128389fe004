/** All books, trades and states of the chosen markets, from subscriptions to rows. */
import { column, Fault, fitsTick, type MarketNo, timeAfter } from '../../../domain/index.ts';
import type { MarketFieldsFragment, VenueMode } from '../../../protocol/index.ts';
import { type LinkState, measureClock, type Transport } from '../transport/index.ts';
import { heardAt } from './lateness.ts';
import {
  type BookAge,
  MARKET_DATA_DEFAULTS,
  type MarketData,
  type MarketDataOptions,
  type MarketDataSettings,
  type MarketDataSink,
} from './market-data-port.ts';
import { type Followed, halt, MarketFeed, someOf } from './market-feed.ts';
import { type LineHost, MarketLine } from './market-line.ts';
import { OwnBook } from './own-book.ts';
import type { OwnFacts } from './own-orders-port.ts';
import { Recent } from './prints.ts';
import { RowWriter } from './row-writer.ts';
import type { Selected, VenueTerms } from './selection-port.ts';
import { Silence } from './silence.ts';
import { type BetTerms, limitsOf, sameLimits } from './venue-terms.ts';
import { type MarketNews, VenueWatch } from './venue-watch.ts';
import { Waits } from './waits.ts';

/** Between two looks at ages, and at trades that may be ours. ms. */
const WATCH_MS = 250;
const START_MS = 30_000;
const RECENT_TRADES = 8_192;

/** Subscribes to nothing yet. */
export function createMarketData(options: MarketDataOptions): MarketData {
  return new VenueMarketData(options);
}

class VenueMarketData implements MarketData {
  readonly own: OwnFacts;
  readonly #transport: Transport;
  readonly #settings: MarketDataSettings;
  readonly #silence: Silence;
  readonly #rows: RowWriter;
  readonly #own: OwnBook;
  readonly #followed = new Map<MarketNo, Followed>();
  readonly #byId = new Map<string, MarketNo>();
  readonly #told = new Recent<number>(RECENT_TRADES);
  /** Lines with prints that wait. */
  readonly #waiting = new Set<MarketLine>();
  readonly #host: LineHost;
  readonly #waits: Waits;
  #forgetLink: (() => void) | undefined;
  #terms: VenueTerms;
  #watch: VenueWatch | undefined;
  #sink: MarketDataSink | undefined;
  #isFrozen = false;
  #isModeKnown = true;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #toldState = '';
  #willFlush = false;
  #isClosed = false;

  constructor({ transport, terms, settings }: MarketDataOptions) {
    this.#transport = transport;
    this.#settings = { ...MARKET_DATA_DEFAULTS, ...settings };
    this.#silence = new Silence(this.#settings);
    this.#terms = terms;
    this.#waits = new Waits(transport.clock);
    this.#rows = new RowWriter((block, from, to) => this.#sink?.rows(block, from, to));
    this.#own = new OwnBook({
      line: (market) => this.#followed.get(market)?.feed.line,
      guard: (run) => this.#guard(run),
      changed: () => this.#flushPrints(),
    });
    this.own = this.#own;
    this.#host = {
      rows: this.#rows,
      now: () => transport.clock.now(),
      heard: (at, now) => heardAt(at, now, transport.offset, this.#settings.staleMs),
      resync: (line, problem, isOffGrid) => this.#resync(line, problem, isOffGrid),
      isNews: (seq) => this.#told.add(seq),
      isOwn: (id) => this.#own.isOwn(id),
      waiting: (line) => this.#wait(line),
    };
  }

  /** HALTED where nobody can tell. */
  get mode(): VenueMode {
    return this.#isModeKnown ? this.#terms.mode : 'HALTED';
  }

  get link(): 'UP' | 'DOWN' {
    return this.#transport.isOpen && !this.#isFrozen ? 'UP' : 'DOWN';
  }

  async start(markets: readonly Selected[], sink: MarketDataSink, timeoutMs: number = START_MS): Promise<void> {
    if (this.#sink !== undefined) throw new Error('Invariant: market data starts once');
    const { clock } = this.#transport;
    this.#sink = sink;
    this.#forgetLink = this.#transport.onLink((state) => this.#linkChanged(state));
    this.#watch = new VenueWatch(this.#transport, {
      ids: () => [...this.#byId.keys()],
      state: (news) => this.#guard(() => this.#stateTold(news)),
      terms: (terms, at) => this.#guard(() => this.#termsTold(terms, at)),
      market: (market, bet) => this.#guard(() => this.#marketRead(market, bet)),
      modeUnknown: () => {
        this.#isModeKnown = false;
        this.#tellVenue(clock.now());
      },
      statesUnknown: (forMs, ids) =>
        this.#guard(() => {
          const some = ids?.flatMap((id) => this.#byId.get(id) ?? []);
          halt(this.#followed, timeAfter(clock.now(), forMs), some);
        }),
    });
    for (const market of markets) this.#follow(market);
    this.#waits.every(WATCH_MS, () => this.#look());
    this.#waits.every(this.#settings.clockMs, () => void measureClock(this.#transport));
    await Promise.all([this.#allSynced(timeAfter(clock.now(), timeoutMs)), measureClock(this.#transport)]);
    await this.#watch.read();
    this.#tellVenue(clock.now());
  }

  async add(market: Selected): Promise<void> {
    const { clock } = this.#transport;
    const { line } = this.#follow(market);
    await this.#waits.until(
      () => line.isSynced,
      timeAfter(clock.now(), START_MS),
      () => `the book of ${line.info.slug}`,
    );
    await this.#watch?.read();
  }

  remove(market: MarketNo): void {
    const followed = this.#followed.get(market);
    if (followed === undefined) return;
    const { line } = followed.feed;
    this.#followed.delete(market);
    this.#byId.delete(line.info.id);
    this.#waiting.delete(line);
    followed.feed.end();
    // What the core has is a book of the past from here on.
    this.#guard(() => {
      line.standing.trust(false);
      line.tellStanding(0);
    });
  }

  async refresh(): Promise<void> {
    await this.#watch?.refresh();
  }

  ages(): readonly BookAge[] {
    const now = this.#transport.clock.now();
    return [...this.#followed].map(([market, { feed }]) => {
      const { heardAt, isSynced, seq, resyncs } = feed.line;
      return { market, ageMs: now - heardAt, isSynced, seq, resyncs };
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#forgetLink?.();
    this.#watch?.end();
    for (const { feed } of this.#followed.values()) feed.end();
    this.#waits.end();
  }

  #follow(selected: Selected): MarketFeed {
    const { market, id } = selected.setup.info;
    if (this.#followed.has(market)) throw new Error(`Invariant: market ${market} is followed already`);
    const line = new MarketLine(selected, this.#host);
    const { depth, prices } = this.#settings;
    const feed = new MarketFeed(line, this.#transport, depth, (run) => this.#guard(run));
    if (prices) feed.watchPrices((told, at) => this.#sink?.pricesTold?.(market, told, column.time(at)));
    this.#followed.set(market, { feed, limits: selected.setup.limits });
    this.#byId.set(id, market);
    return feed;
  }

  #allSynced(deadline: number): Promise<void> {
    const missing = () => [...this.#followed.values()].filter(({ feed }) => !feed.line.isSynced);
    return this.#waits.until(
      () => missing().length === 0,
      deadline,
      () => `the books of ${someOf(missing().map(({ feed }) => feed.line.info.slug))}`,
    );
  }

  /** Ages, and prints whose doubt has passed. */
  #look(): void {
    const now = this.#transport.clock.now();
    const feeds = [...this.#followed.values()].map(({ feed }) => feed);
    const { stale, silent, isFrozen } = this.#silence.judge(feeds, now);
    this.#guard(() => {
      for (const { line } of stale) {
        if (!line.standing.isTrusted) continue;
        this.#transport.log.warn({ market: line.info.slug, ageMs: now - line.heardAt }, 'venue: a book is stale');
        line.standing.trust(false);
        line.tellStanding(0);
      }
    });
    if (isFrozen) {
      if (now - this.#renewedAt > this.#settings.silenceMs) {
        this.#renewedAt = now;
        this.#transport.renew(`most books have not been heard of for ${this.#settings.silenceMs} ms`);
      }
    } else {
      for (const feed of silent) feed.resync();
    }
    if (isFrozen !== this.#isFrozen) {
      this.#isFrozen = isFrozen;
      this.#tellVenue(now);
    }
    this.#flushPrints();
    this.#waits.look();
  }

  #linkChanged({ problem }: LinkState): void {
    if (problem !== undefined) this.#transport.log.warn({ problem }, 'venue: the connection is lost');
    this.#tellVenue(this.#transport.clock.now());
  }

  #tellVenue(at: number): void {
    const { mode, link } = this;
    const state = `${mode} ${link}`;
    if (this.#sink === undefined || state === this.#toldState) return;
    this.#toldState = state;
    this.#guard(() => this.#sink?.venueChanged({ mode, link }, column.time(at)));
  }

  #termsTold(terms: VenueTerms, at: number): void {
    this.#terms = terms;
    this.#isModeKnown = true;
    this.#sink?.termsChanged?.(terms);
    this.#tellVenue(at);
  }

  #stateTold({ id, status, acceptingOrders, at }: MarketNews): void {
    const market = this.#byId.get(id);
    const line = market === undefined ? undefined : this.#followed.get(market)?.feed.line;
    if (line === undefined) return;
    line.standing.learn(status, acceptingOrders, at);
    line.tellStanding(at);
  }

  #marketRead(market: MarketFieldsFragment, bet: BetTerms | undefined): void {
    const no = this.#byId.get(market.id);
    const followed = no === undefined ? undefined : this.#followed.get(no);
    if (no === undefined || followed === undefined) return;
    const { grid, slug } = followed.feed.line.info;
    if (!fitsTick(grid, market.tickSizeBps)) {
      const before = grid.type === 'tick' ? `${grid.tickBps}` : "that of the configuration's prices";
      const problem = `the tick of ${slug} is ${market.tickSizeBps} bps now, not ${before}`;
      this.remove(no);
      this.#sink?.marketFailed(no, new Fault('TICK_CHANGED', `${problem}. Remove the market and add it again`));
      return;
    }
    const at = Date.parse(market.updatedAt);
    this.#stateTold({ id: market.id, status: market.status, acceptingOrders: market.acceptingOrders, at });
    const { minOrderShares, feeRateBps } = market;
    const limits = limitsOf(this.#terms, { minOrderShares, feeRateBps, bet });
    if (sameLimits(limits, followed.limits)) return;
    followed.limits = limits;
    this.#sink?.limitsChanged(no, limits, column.time(at));
  }

  #resync(line: MarketLine, problem: string, isOffGrid: boolean): void {
    if (isOffGrid) void this.refresh();
    this.#followed.get(line.info.market)?.feed.lost(problem);
  }

  #wait(line: MarketLine): void {
    this.#waiting.add(line);
    if (this.#willFlush) return;
    this.#willFlush = true;
    // When this burst of frames is over.
    queueMicrotask(() => {
      this.#willFlush = false;
      this.#flushPrints();
    });
  }

  #flushPrints(): void {
    if (this.#waiting.size === 0) return;
    this.#guard(() => {
      for (const line of this.#waiting) if (!line.flushPrints(this.#own.seq)) this.#waiting.delete(line);
    });
  }

  /** What the sink throws ends it all, and is told once. */
  #guard(run: () => void): void {
    if (this.#isClosed) return;
    try {
      run();
    } catch (error) {
      this.close();
      this.#sink?.failed(error);
    }
  }
}
