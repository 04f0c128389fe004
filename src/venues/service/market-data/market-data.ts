/** Converts the subscriptions of the selected markets to rows: books, trades and states. */
import { type MarketNo, timeAfter, unchecked } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import type { MarketFieldsFragment, VenueMode } from '../../../protocol/index.ts';
import type { MarketSetup } from '../../../state/index.ts';
import { type MarketDataSink, RecentKeys, VenueMarketData } from '../../base/index.ts';
import { BLOCKED_REMEDY, type LinkState, measureClock, type Transport } from '../transport/index.ts';
import { type BookFeedDeps, BookFeedHandler, type BookFeedOwner } from './book-feed-handler.ts';
import { BookSubscription } from './book-subscription.ts';
import { type BetTerms, toMarketLimits, type VenueTerms } from './venue-terms.ts';
import { type MarketStateUpdate, VenueWatch } from './venue-watch.ts';

/** Interval of the checks of book ages and waiting prints, ms. */
const CHECK_MS = 250;
const START_TIMEOUT_MS = 30_000;
const RECENT_TRADES = 8_192;
const REPORT_INTERVAL_MS = 60_000;

/** Times in ms. */
const DEFAULTS = {
  /** Levels per side, 10 to 500. */
  depth: 50,
  /** Silence after which a book is stale and requested again. Slightly more than two intervals of idle frames. */
  silenceMs: 12_000,
  /** Silence after which a book is stale. Applies only if shorter than `silenceMs`. */
  staleMs: 12_000,
  /** Time for which a book that missed an update is still trusted. */
  graceMs: 1_000,
  /** Whether to subscribe to retail prices, which adds a frame for each change of a book. */
  prices: false,
  /** Interval of measurements of the venue's clock. */
  clockMs: 30_000,
};
export type MarketDataSettings = Readonly<typeof DEFAULTS>;

export interface MarketDataOptions {
  readonly transport: Transport;
  readonly terms: VenueTerms;
  readonly settings?: Partial<MarketDataSettings>;
}

export class ServiceMarketData extends VenueMarketData implements BookFeedOwner {
  readonly #transport: Transport;
  readonly #settings: MarketDataSettings;
  readonly #subscriptions = new Map<MarketNo, BookSubscription>();
  readonly #byId = new Map<string, BookFeedHandler>();
  readonly #feedDeps: BookFeedDeps;
  #removeLinkListener: (() => void) | undefined;
  #terms: VenueTerms;
  #watch: VenueWatch | undefined;
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor({ transport, terms, settings }: MarketDataOptions) {
    const allSettings = { ...DEFAULTS, ...settings };
    super(transport.clock, transport.log, allSettings);
    this.#transport = transport;
    this.#settings = allSettings;
    this.#terms = terms;
    this.#feedDeps = {
      rows: this.rows,
      clock: transport.clock,
      log: transport.log,
      offset: transport.offset,
      staleMs: this.#settings.staleMs,
      orders: this.orders,
      trades: new RecentKeys(RECENT_TRADES),
      flusher: this.flusher,
      owner: this,
    };
  }

  /** The venue's mode and configuration, as last read. */
  get terms(): VenueTerms {
    return this.#terms;
  }

  protected get reportedMode(): VenueMode {
    return this.#terms.mode;
  }

  protected get isConnected(): boolean {
    return this.#transport.isOpen;
  }

  async start(
    markets: readonly MarketSetup[],
    sink: MarketDataSink,
    timeoutMs: number = START_TIMEOUT_MS,
  ): Promise<void> {
    this.begin(sink);
    const { clock } = this;
    this.#removeLinkListener = this.#transport.onLink((state) => this.#onLink(state));
    this.#watch = new VenueWatch(this.#transport, {
      ids: () => [...this.#byId.keys()],
      onState: (update) => this.guard(() => this.#onState(update)),
      onTerms: (terms, at) => this.guard(() => this.#onTerms(terms, at)),
      onMarket: (market, bet) => this.guard(() => this.#onMarket(market, bet)),
      onModeUnknown: (problem) => {
        this.modeProblem = `mode and limits of the venue cannot be read: ${problem}`;
        this.publishState();
      },
      onStatesUnknown: (forMs, ids = [...this.#byId.keys()]) =>
        this.guard(() => {
          for (const id of ids) this.#byId.get(id)?.halt(timeAfter(clock.now(), forMs));
        }),
    });
    for (const market of markets) this.#follow(market);
    this.timers.every(CHECK_MS, () => this.#checkBooks());
    this.timers.every(this.#settings.clockMs, () => void measureClock(this.#transport));
    const missing = () => this.feeds().filter(({ isSynced }) => !isSynced);
    await Promise.all([this.untilSynced(missing, timeAfter(clock.now(), timeoutMs)), measureClock(this.#transport)]);
    await this.#watch.read();
    this.publishState();
  }

  async add(market: MarketSetup): Promise<void> {
    const { handler } = this.#follow(market);
    await this.untilSynced(() => (handler.isSynced ? [] : [handler]), timeAfter(this.clock.now(), START_TIMEOUT_MS));
    await this.#watch?.read();
  }

  remove(market: MarketNo): void {
    const subscription = this.#subscriptions.get(market);
    if (subscription === undefined) return;
    const { handler } = subscription;
    this.#subscriptions.delete(market);
    this.orders.detach(market);
    this.#byId.delete(handler.info.id);
    this.guard(() => handler.endInGap());
    subscription.end();
  }

  async refresh(): Promise<void> {
    await this.#watch?.refresh();
  }

  override close(): void {
    super.close();
    this.#removeLinkListener?.();
    this.#watch?.end();
    for (const subscription of this.#subscriptions.values()) subscription.end();
  }

  protected feeds(): readonly BookFeedHandler[] {
    return Array.from(this.#subscriptions.values(), ({ handler }) => handler);
  }

  #follow(selected: MarketSetup): BookSubscription {
    const { market, id } = selected.info;
    if (this.#subscriptions.has(market)) throw new Error(`Invariant: market ${market} is followed already`);
    const handler = new BookFeedHandler(selected, this.#feedDeps);
    const { depth, prices } = this.#settings;
    const subscription = new BookSubscription(handler, this.#transport, depth);
    if (prices) {
      subscription.subscribeToPrices((retailPrices, at) =>
        this.guard(() => this.sink?.onPricesChanged?.(market, retailPrices, unchecked.time(at))),
      );
    }
    this.orders.attach(market, handler);
    this.#subscriptions.set(market, subscription);
    this.#byId.set(id, handler);
    return subscription;
  }

  #checkBooks(): void {
    const now = this.clock.now();
    const { toRequest, isFrozen, hasChanged } = this.checkAges(this.feeds(), now);
    if (!isFrozen) for (const { info } of toRequest) this.#subscriptions.get(info.market)?.resync();
    else if (now - this.#renewedAt > this.#settings.silenceMs) {
      this.#renewedAt = now;
      this.#transport.renew(`most books have been silent for ${this.#settings.silenceMs} ms`);
    }
    if (hasChanged) this.publishState(now);
    this.flusher.flush();
  }

  #onLink({ problem, isBlocked = false }: LinkState): void {
    if (problem !== undefined) this.#reportLost(problem, isBlocked);
    this.publishState();
  }

  /** Logs each loss, but refusals once a minute, because the transport goes on trying. */
  #reportLost(problem: string, isBlocked: boolean): void {
    if (!isBlocked) {
      this.log.warn({ problem }, 'venue: the connection is lost');
      return;
    }
    const text = `venue: the connection is lost, and a new one was refused. ${BLOCKED_REMEDY}`;
    const suppressed = this.#reports.count(text, this.clock.now());
    if (suppressed !== undefined) this.log.error({ problem, suppressed }, text);
  }

  #onTerms(terms: VenueTerms, at: number): void {
    this.#terms = terms;
    this.modeProblem = undefined;
    this.publishState(at);
  }

  #onState({ id, status, acceptingOrders, at }: MarketStateUpdate): void {
    const handler = this.#byId.get(id);
    if (handler === undefined) return;
    handler.status.update({ status, acceptingOrders }, at);
    handler.writeStatus(at);
  }

  #onMarket(market: MarketFieldsFragment, bet: BetTerms | undefined): void {
    const handler = this.#byId.get(market.id);
    if (handler === undefined || this.removeIfOffTick(handler.info, market.tickSizeBps)) return;
    const at = Date.parse(market.updatedAt);
    this.#onState({ id: market.id, status: market.status, acceptingOrders: market.acceptingOrders, at });
    const { minOrderShares, feeRateBps } = market;
    this.updateLimits(handler, toMarketLimits(this.#terms, { minOrderShares, feeRateBps, bet }), at);
  }

  onBookLost({ info }: BookFeedHandler, problem: string, isOffGrid: boolean): void {
    if (isOffGrid) void this.refresh();
    this.#subscriptions.get(info.market)?.onBookLost(problem);
  }
}
