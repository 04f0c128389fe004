/**
 * Watches the venue's mode and configuration and the states of all markets, by `venueStatusChanged` and
 * `marketStatusChanged`. Reads the initial states, because the stream of states begins with the next change.
 *
 * Invariants: one read of the markets runs at a time. A read that is requested during another read runs next. After an
 * unreadable change, states or terms are read until a read succeeds.
 */
import { errorMessage } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import { type MarketFieldsFragment, type MarketStatus, OPERATIONS } from '../../../protocol/index.ts';
import { type BadMarket, Timers } from '../../base/index.ts';
import type { StreamHandle, Transport } from '../transport/index.ts';
import { readMarkets } from './service-directory.ts';
import { type BetTerms, readBetTerms, readTerms, toVenueTerms, type VenueTerms } from './venue-terms.ts';

export interface MarketStateUpdate {
  readonly id: string;
  readonly status: MarketStatus;
  readonly acceptingOrders: boolean;
  /** Venue's time, epoch ms. */
  readonly at: number;
}

export interface VenueWatchDeps {
  ids(): readonly string[];
  onState(update: MarketStateUpdate): void;
  onTerms(terms: VenueTerms, at: number): void;
  onMarket(market: MarketFieldsFragment, bet: BetTerms | undefined): void;
  /** Called when mode or configuration changed to unknown values. `onTerms` follows when the values are known. */
  onModeUnknown(problem: string): void;
  /** Called when changed states cannot be read, and are unknown for `forMs`. @param ids markets; default: all */
  onStatesUnknown(forMs: number, ids?: readonly string[]): void;
}

const RETRY_MS = 1_000;
/** Time for which states are unknown after a failed read, ms. */
const UNKNOWN_MS = 60_000;
/** Shortest time between two logs of the same problem, ms. */
const REPORT_INTERVAL_MS = 1_000;

export class VenueWatch {
  readonly #transport: Transport;
  readonly #deps: VenueWatchDeps;
  readonly #streams: readonly StreamHandle[];
  #reading: Promise<void> | undefined;
  #isReadRequested = false;
  readonly #timers: Timers;
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  /** Subjects that must be read again, and subjects whose read is running. */
  readonly #unknown = new Map<'states' | 'terms', 'wanted' | 'reading'>();

  constructor(transport: Transport, deps: VenueWatchDeps) {
    this.#transport = transport;
    this.#deps = deps;
    this.#timers = new Timers(transport.clock);
    const { log } = transport;
    // Subscribe to market changes first, so that no change is missed after the venue's stream triggers a read.
    const states = transport.subscribe(OPERATIONS.marketStatusChanged, () => ({ marketIds: null }), {
      next: (data) => {
        const event = data?.marketStatusChanged;
        if (event === null || event === undefined) return;
        const { market, status, at } = event;
        deps.onState({ id: market.id, status, acceptingOrders: market.acceptingOrders, at: Date.parse(at) });
      },
      onMalformed: (problem) => {
        this.#report(problem, 'venue: the state of a market is invalid; reading all states again');
        void this.#readUntilKnown('states');
      },
      onRefused: (errors) => log.error({ errors }, 'venue: the subscription to states of markets was refused'),
    });
    const venue = transport.subscribe(
      OPERATIONS.venueStatusChanged,
      () => ({}),
      {
        next: (data) => {
          if (data === null) return;
          const { mode, bettingConfig, marketConfig, at } = data.venueStatusChanged;
          deps.onTerms(toVenueTerms(mode, bettingConfig, marketConfig), Date.parse(at));
          void this.refresh();
        },
        onMalformed: (problem) => {
          this.#report(problem, 'venue: mode and limits cannot be read; quotes are withdrawn until a read succeeds');
          deps.onModeUnknown(problem);
          void this.#readUntilKnown('terms');
        },
        onRefused: (errors) => log.error({ errors }, "venue: the subscription to the venue's mode was refused"),
      },
      { startsWithEvent: true },
    );
    this.#streams = [states, venue];
  }

  /** Reads all markets, or reads them again after a running read. Resolves after the last read. */
  read(): Promise<void> {
    if (this.#reading === undefined) this.#reading = this.#readAll();
    else this.#isReadRequested = true;
    return this.#reading;
  }

  /** Reads all markets, as `read`. Never rejects. */
  async refresh(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      if (!this.#timers.isClosed) this.#transport.log.error({ err: error }, 'venue: markets could not be read again');
    }
  }

  async #readAll(): Promise<void> {
    try {
      do {
        this.#isReadRequested = false;
        const ids = this.#deps.ids();
        const [{ markets, bad }, bets] = await Promise.all([
          readMarkets(this.#transport, ids),
          readBetTerms(this.#transport, ids),
        ]);
        if (this.#timers.isClosed) return;
        const good = markets.filter(({ id }) => !bets.bad.has(id));
        for (const market of good) this.#deps.onMarket(market, bets.terms.get(market.id));
        this.#haltUnreadable(ids, good, [...bad, ...[...bets.bad].map(([id, problem]) => ({ id, problem }))]);
      } while (this.#isReadRequested);
    } finally {
      this.#reading = undefined;
    }
  }

  #haltUnreadable(ids: readonly string[], good: readonly { readonly id: string }[], bad: readonly BadMarket[]): void {
    const [first] = bad;
    if (first === undefined) return;
    const goodIds = new Set(good.map(({ id }) => id));
    // Any market may be the unreadable one that has no id.
    const hasUnknownId = bad.some(({ id }) => id === undefined);
    const suspects = hasUnknownId ? ids : ids.filter((id) => bad.some((each) => each.id === id));
    const halted = suspects.filter((id) => !goodIds.has(id));
    this.#report(`${first.id ?? 'a market'}: ${first.problem}`, 'venue: a market cannot be read and halts');
    this.#deps.onStatesUnknown(UNKNOWN_MS, halted);
    this.#timers.after(UNKNOWN_MS / 2, () => void this.refresh());
  }

  end(): void {
    this.#timers.close();
    for (const stream of this.#streams) stream.end();
  }

  /** Reads states or terms until a read succeeds. After a failed read, all states are unknown. Never rejects. */
  async #readUntilKnown(subject: 'states' | 'terms'): Promise<void> {
    const isReading = this.#unknown.has(subject);
    this.#unknown.set(subject, 'wanted');
    if (isReading) return;
    while (this.#unknown.get(subject) === 'wanted' && !this.#timers.isClosed) {
      this.#unknown.set(subject, 'reading');
      try {
        await (subject === 'states' ? this.read() : this.#readTerms());
      } catch (error) {
        if (this.#timers.isClosed) return;
        this.#report(errorMessage(error), 'venue: a change could not be read');
        this.#deps.onStatesUnknown(UNKNOWN_MS);
        this.#unknown.set(subject, 'wanted');
      }
      if (this.#unknown.get(subject) === 'wanted') await this.#timers.pause(RETRY_MS);
    }
    this.#unknown.delete(subject);
  }

  async #readTerms(): Promise<void> {
    const terms = await readTerms(this.#transport);
    if (!this.#timers.isClosed) this.#deps.onTerms(terms, this.#transport.clock.now());
  }

  #report(problem: string, message: string): void {
    const { clock, log } = this.#transport;
    const suppressed = this.#reports.count(message, clock.now());
    if (suppressed !== undefined) log.warn({ problem, suppressed }, message);
  }
}
