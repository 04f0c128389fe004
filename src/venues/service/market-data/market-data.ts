/** Converts the subscriptions of the selected markets to rows: books, trades and states. */
import { column, Fault, fitsTick, type MarketNo, timeAfter } from '../../../domain/index.ts';
import type { MarketFieldsFragment, VenueMode } from '../../../protocol/index.ts';
import {
  type BookAge,
  PrintFlusher,
  Recent,
  RowWriter,
  type Selected,
  StalenessMonitor,
  Timers,
  VenueOrders,
} from '../../base/index.ts';
import { type LinkState, measureClock, type Transport } from '../transport/index.ts';
import { type BookFeedDeps, BookFeedHandler, type BookFeedOwner } from './book-feed-handler.ts';
import { BookSubscription, type Followed } from './book-subscription.ts';
import {
  MARKET_DATA_DEFAULTS,
  type MarketDataOptions,
  type MarketDataSettings,
  type ServiceMarketData,
  type ServiceMarketDataSink,
} from './market-data-port.ts';
import { type BetTerms, limitsOf, sameLimits, type VenueTerms } from './venue-terms.ts';
import { type MarketStateUpdate, VenueWatch } from './venue-watch.ts';

/** Interval of the checks of book ages and waiting prints, ms. */
const WATCH_MS = 250;
const [START_MS, SYNC_PAUSE_MS] = [30_000, 25];
const RECENT_TRADES = 8_192;

/** Creates market data. `start` subscribes. */
export function createMarketData(options: MarketDataOptions): ServiceMarketData {
  return new VenueMarketData(options);
}

class VenueMarketData implements ServiceMarketData, BookFeedOwner {
  readonly orders = new VenueOrders();
  readonly #transport: Transport;
  readonly #settings: MarketDataSettings;
  readonly #staleness: StalenessMonitor;
  readonly #rows = new RowWriter();
  readonly #followed = new Map<MarketNo, Followed>();
  readonly #byId = new Map<string, MarketNo>();
  readonly #flusher = new PrintFlusher(this.orders);
  readonly #feed: BookFeedDeps;
  readonly #timers: Timers;
  #removeLinkListener: (() => void) | undefined;
  #terms: VenueTerms;
  #watch: VenueWatch | undefined;
  #sink: ServiceMarketDataSink | undefined;
  #isFrozen = false;
  modeProblem: string | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #published = '';
  #isClosed = false;

  constructor({ transport, terms, settings }: MarketDataOptions) {
    this.#transport = transport;
    this.#settings = { ...MARKET_DATA_DEFAULTS, ...settings };
    this.#staleness = new StalenessMonitor(this.#settings);
    this.#terms = terms;
    this.#timers = new Timers(transport.clock);
    this.#feed = {
      rows: this.#rows,
      clock: transport.clock,
      log: transport.log,
      offset: transport.offset,
      staleMs: this.#settings.staleMs,
      orders: this.orders,
      trades: new Recent(RECENT_TRADES),
      flusher: this.#flusher,
      owner: this,
    };
  }

  /** HALTED while the venue's mode is unknown. */
  get mode(): VenueMode {
    return this.modeProblem === undefined ? this.#terms.mode : 'HALTED';
  }

  get link(): 'UP' | 'DOWN' {
    return this.#transport.isOpen && !this.#isFrozen ? 'UP' : 'DOWN';
  }

  async start(markets: readonly Selected[], sink: ServiceMarketDataSink, timeoutMs: number = START_MS): Promise<void> {
    if (this.#sink !== undefined) throw new Error('Invariant: market data starts once');
    const { clock } = this.#transport;
    this.#sink = sink;
    this.#rows.sink = sink;
    this.#removeLinkListener = this.#transport.onLink((state) => this.#linkChanged(state));
    this.#watch = new VenueWatch(this.#transport, {
      ids: () => [...this.#byId.keys()],
      state: (update) => this.#guard(() => this.#onState(update)),
      terms: (terms, at) => this.#guard(() => this.#onTerms(terms, at)),
      market: (market, bet) => this.#guard(() => this.#onMarket(market, bet)),
      modeUnknown: (problem) => {
        this.modeProblem = `mode and limits of the venue cannot be read: ${problem}`;
        this.#publishVenue(clock.now());
      },
      statesUnknown: (forMs, ids) =>
        this.#guard(() => {
          const some = ids?.flatMap((id) => this.#byId.get(id) ?? []);
          this.#halt(timeAfter(clock.now(), forMs), some);
        }),
    });
    for (const market of markets) this.#follow(market);
    this.#timers.every(WATCH_MS, () => this.#checkBooks());
    this.#timers.every(this.#settings.clockMs, () => void measureClock(this.#transport));
    await Promise.all([this.#allSynced(timeAfter(clock.now(), timeoutMs)), measureClock(this.#transport)]);
    await this.#watch.read();
    this.#publishVenue(clock.now());
  }

  async add(market: Selected): Promise<void> {
    const { clock } = this.#transport;
    const { handler } = this.#follow(market);
    await this.#until(
      () => handler.isSynced,
      timeAfter(clock.now(), START_MS),
      () => `the book of ${handler.info.slug}`,
    );
    await this.#watch?.read();
  }

  remove(market: MarketNo): void {
    const followed = this.#followed.get(market);
    if (followed === undefined) return;
    const { handler } = followed.subscription;
    this.#followed.delete(market);
    this.orders.detach(market);
    this.#byId.delete(handler.info.id);
    this.#guard(() => handler.leave());
    followed.subscription.end();
  }

  async refresh(): Promise<void> {
    await this.#watch?.refresh();
  }

  ages(): readonly BookAge[] {
    const now = this.#transport.clock.now();
    return [...this.#followed].map(([market, { subscription }]) => {
      const { seenAt, isSynced, seq, resyncs } = subscription.handler;
      return { market, ageMs: now - seenAt, isSynced, seq, resyncs };
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#removeLinkListener?.();
    this.#watch?.end();
    for (const { subscription } of this.#followed.values()) subscription.end();
    this.#timers.close();
  }

  #follow(selected: Selected): BookSubscription {
    const { market, id } = selected.setup.info;
    if (this.#followed.has(market)) throw new Error(`Invariant: market ${market} is followed already`);
    const handler = new BookFeedHandler(selected, this.#feed);
    const { depth, prices } = this.#settings;
    const subscription = new BookSubscription(handler, this.#transport, depth);
    if (prices) {
      subscription.watchPrices((now, at) =>
        this.#guard(() => this.#sink?.pricesChanged?.(market, now, column.time(at))),
      );
    }
    this.orders.attach(market, handler);
    this.#followed.set(market, { subscription, limits: selected.setup.limits });
    this.#byId.set(id, market);
    return subscription;
  }

  #allSynced(deadline: number): Promise<void> {
    const missing = () => [...this.#followed.values()].filter(({ subscription }) => !subscription.handler.isSynced);
    return this.#until(
      () => missing().length === 0,
      deadline,
      () => `the books of ${firstFive(missing().map(({ subscription }) => subscription.handler.info.slug))}`,
    );
  }

  /** Checks the ages of books, and flushes waiting prints. */
  #checkBooks(): void {
    const now = this.#transport.clock.now();
    const all = [...this.#followed.values()].map(({ subscription }) => subscription);
    const { stale, silent, isFrozen } = this.#staleness.check(all, now);
    this.#guard(() => {
      for (const { handler } of stale) {
        if (!handler.status.isTrusted) continue;
        this.#transport.log.warn({ market: handler.info.slug, ageMs: now - handler.seenAt }, 'venue: a book is stale');
        handler.distrust();
      }
    });
    if (isFrozen) {
      if (now - this.#renewedAt > this.#settings.silenceMs) {
        this.#renewedAt = now;
        this.#transport.renew(`most books have been silent for ${this.#settings.silenceMs} ms`);
      }
    } else {
      for (const subscription of silent) subscription.resync();
    }
    if (isFrozen !== this.#isFrozen) {
      this.#isFrozen = isFrozen;
      this.#publishVenue(now);
    }
    this.#flusher.flush();
  }

  #linkChanged({ problem }: LinkState): void {
    if (problem !== undefined) this.#transport.log.warn({ problem }, 'venue: the connection is lost');
    this.#publishVenue(this.#transport.clock.now());
  }

  #publishVenue(at: number): void {
    const { mode, link } = this;
    const state = `${mode} ${link}`;
    if (this.#sink === undefined || state === this.#published) return;
    this.#published = state;
    this.#guard(() => this.#sink?.venueChanged({ mode, link }, column.time(at)));
  }

  #onTerms(terms: VenueTerms, at: number): void {
    this.#terms = terms;
    this.modeProblem = undefined;
    this.#sink?.termsChanged?.(terms);
    this.#publishVenue(at);
  }

  #onState({ id, status, acceptingOrders, at }: MarketStateUpdate): void {
    const market = this.#byId.get(id);
    const handler = market === undefined ? undefined : this.#followed.get(market)?.subscription.handler;
    if (handler === undefined) return;
    handler.status.update(status, acceptingOrders, at);
    handler.writeStatus(at);
  }

  #onMarket(market: MarketFieldsFragment, bet: BetTerms | undefined): void {
    const no = this.#byId.get(market.id);
    const followed = no === undefined ? undefined : this.#followed.get(no);
    if (no === undefined || followed === undefined) return;
    const { grid, slug } = followed.subscription.handler.info;
    if (!fitsTick(grid, market.tickSizeBps)) {
      const before = grid.type === 'tick' ? `${grid.tickBps}` : "that of the configuration's prices";
      const problem = `the tick of ${slug} is ${market.tickSizeBps} bps now, not ${before}`;
      this.remove(no);
      this.#sink?.marketFailed(no, new Fault('TICK_CHANGED', `${problem}. Remove the market and add it again`));
      return;
    }
    const at = Date.parse(market.updatedAt);
    this.#onState({ id: market.id, status: market.status, acceptingOrders: market.acceptingOrders, at });
    const { minOrderShares, feeRateBps } = market;
    const limits = limitsOf(this.#terms, { minOrderShares, feeRateBps, bet });
    if (sameLimits(limits, followed.limits)) return;
    followed.limits = limits;
    this.#sink?.limitsChanged(no, limits, column.time(at));
  }

  bookLost({ info }: BookFeedHandler, problem: string, isOffGrid: boolean): void {
    if (isOffGrid) void this.refresh();
    this.#followed.get(info.market)?.subscription.lost(problem);
  }

  /** Closes market data after an error of the receiver. */
  failed(error: unknown): void {
    if (this.#isClosed) return;
    this.close();
    this.#sink?.failed(error);
  }

  /** Halts some or all markets until `until` by our clock, because they may have closed unnoticed. */
  #halt(until: number, some: Iterable<MarketNo> = this.#followed.keys()): void {
    for (const market of some) {
      const handler = this.#followed.get(market)?.subscription.handler;
      handler?.status.halt(until);
      handler?.writeStatus(0);
    }
  }

  /** @param subject for the message @throws Fault LINK at the deadline, or if market data is closed */
  async #until(isDone: () => boolean, deadline: number, subject: () => string): Promise<void> {
    if (await this.#timers.until(isDone, deadline, SYNC_PAUSE_MS)) return;
    const problem = `${subject()} did not arrive in time. Check ws_url, and the venue's health.`;
    throw new Fault('LINK', problem, { retryable: true });
  }

  #guard(run: () => void): void {
    if (this.#isClosed) return;
    try {
      run();
    } catch (error) {
      this.failed(error);
    }
  }
}

function firstFive(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}
