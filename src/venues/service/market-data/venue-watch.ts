/**
 * Mode, configuration and states of all markets: what `venueStatusChanged` and `marketStatusChanged` report, and what
 * has to be read because streams of states begin with news only.
 */
import { ReportLimiters } from '../../../network/index.ts';
import {
  type BettingConfigFieldsFragment,
  type MarketConfigFieldsFragment,
  type MarketFieldsFragment,
  type MarketStatus,
  OPERATIONS,
} from '../../../protocol/index.ts';
import { type BadMarket, Timers } from '../../base/index.ts';
import type { StreamHandle, Transport } from '../transport/index.ts';
import { readMarkets } from './select-markets.ts';
import { type BetTerms, readBetTerms, readTerms, termsOf, type VenueTerms } from './venue-terms.ts';

/** A market's state, as an event or a page has it. */
export interface MarketStateUpdate {
  readonly id: string;
  readonly status: MarketStatus;
  readonly acceptingOrders: boolean;
  /** Venue's time, epoch ms. */
  readonly at: number;
}

export interface WatchHost {
  /** Ids of the markets of interest. */
  ids(): readonly string[];
  state(news: MarketStateUpdate): void;
  terms(terms: VenueTerms, at: number): void;
  /** A market as it was read. */
  market(market: MarketFieldsFragment, bet: BetTerms | undefined): void;
  /** Mode and configuration have changed, to what is unknown; `terms` is called when it is known. */
  modeUnknown(problem: string): void;
  /**
   * States have changed, and cannot be read: they may be any for this time, ms.
   * @param ids of these markets; of all where left out
   */
  statesUnknown(forMs: number, ids?: readonly string[]): void;
}

/** Fields of an event that are read. */
interface VenueEvent {
  readonly mode: VenueTerms['mode'];
  readonly bettingConfig: BettingConfigFieldsFragment;
  readonly marketConfig: MarketConfigFieldsFragment;
  readonly at: string;
}

/** Changes that could not be understood. */
type Unknown = 'states' | 'terms';

/** Between two reads of it, ms. */
const RETRY_MS = 1_000;
/** Markets stay halted for so long after a read that failed, ms. */
const UNKNOWN_MS = 60_000;
const REPORT_MS = 1_000;

export class VenueWatch {
  readonly #transport: Transport;
  readonly #host: WatchHost;
  readonly #streams: readonly StreamHandle[];
  /** Running requests. */
  #reading: Promise<void> | undefined;
  #isWanted = false;
  readonly #timers: Timers;
  readonly #reports = new ReportLimiters(REPORT_MS);
  readonly #unknown = new Map<Unknown, 'wanted' | 'reading'>();

  constructor(transport: Transport, host: WatchHost) {
    this.#transport = transport;
    this.#host = host;
    this.#timers = new Timers(transport.clock);
    const { log } = transport;
    // First the news, then the stream that opens with the present state: when that has come, news are on their way.
    const states = transport.subscribe(OPERATIONS.marketStatusChanged, () => ({ marketIds: null }), {
      next: (data) => {
        const event = data?.marketStatusChanged;
        if (event === null || event === undefined) return;
        const { market, status, at } = event;
        host.state({ id: market.id, status, acceptingOrders: market.acceptingOrders, at: Date.parse(at) });
      },
      malformed: (problem) => {
        this.#report(problem, 'venue: the state of a market is invalid; reading all states again');
        void this.#readUntilKnown('states');
      },
      refused: (errors) => log.error({ errors }, 'venue: the subscription to states of markets was refused'),
    });
    const venue = transport.subscribe(
      OPERATIONS.venueStatusChanged,
      () => ({}),
      {
        next: (data) => {
          if (data !== null) this.#venueChanged(data.venueStatusChanged);
        },
        malformed: (problem) => {
          this.#report(problem, 'venue: its mode and limits cannot be read: nothing is quoted until they can be');
          host.modeUnknown(problem);
          void this.#readUntilKnown('terms');
        },
        refused: (errors) => log.error({ errors }, 'venue: the subscription to its mode was refused'),
      },
      { opens: true },
    );
    this.#streams = [states, venue];
  }

  /** Reads all markets, once at a time. Resolves when what was read from now on was handed on. */
  read(): Promise<void> {
    if (this.#reading === undefined) this.#reading = this.#readAll();
    else this.#isWanted = true;
    return this.#reading;
  }

  /** The same. Never rejects. */
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
        this.#isWanted = false;
        const ids = this.#host.ids();
        const [{ markets, bad }, bets] = await Promise.all([
          readMarkets(this.#transport, ids),
          readBetTerms(this.#transport, ids),
        ]);
        if (this.#timers.isClosed) return;
        const good = markets.filter(({ id }) => !bets.bad.has(id));
        for (const market of good) this.#host.market(market, bets.terms.get(market.id));
        this.#unreadable(ids, good, [...bad, ...[...bets.bad].map(([id, problem]) => ({ id, problem }))]);
      } while (this.#isWanted);
    } finally {
      this.#reading = undefined;
    }
  }

  /** Markets that cannot be read halt until they can be read again. */
  #unreadable(ids: readonly string[], good: readonly { readonly id: string }[], bad: readonly BadMarket[]): void {
    const [first] = bad;
    if (first === undefined) return;
    const known = new Set(good.map(({ id }) => id));
    const some = bad.some(({ id }) => id === undefined) ? ids : ids.filter((id) => bad.some((each) => each.id === id));
    const halted = some.filter((id) => !known.has(id));
    this.#report(`${first.id ?? 'a market'}: ${first.problem}`, 'venue: a market cannot be read, and halts');
    this.#host.statesUnknown(UNKNOWN_MS, halted);
    this.#timers.after(UNKNOWN_MS / 2, () => void this.refresh());
  }

  end(): void {
    this.#timers.close();
    for (const stream of this.#streams) stream.end();
  }

  /**
   * Reads what changed and could not be understood, until that succeeds. While it fails, markets may be in any state.
   * Never rejects.
   */
  async #readUntilKnown(what: Unknown): Promise<void> {
    const isReading = this.#unknown.has(what);
    this.#unknown.set(what, 'wanted');
    if (isReading) return;
    while (this.#unknown.get(what) === 'wanted' && !this.#timers.isClosed) {
      this.#unknown.set(what, 'reading');
      try {
        await (what === 'states' ? this.read() : this.#readTerms());
      } catch (error) {
        if (this.#timers.isClosed) return;
        this.#report(error instanceof Error ? error.message : String(error), 'venue: what changed could not be read');
        this.#host.statesUnknown(UNKNOWN_MS);
        this.#unknown.set(what, 'wanted');
      }
      if (this.#unknown.get(what) === 'wanted') await this.#timers.pause(RETRY_MS);
    }
    this.#unknown.delete(what);
  }

  async #readTerms(): Promise<void> {
    const { clock } = this.#transport;
    const terms = await readTerms(this.#transport);
    if (!this.#timers.isClosed) this.#host.terms(terms, clock.now());
  }

  #report(problem: string, message: string): void {
    const { clock, log } = this.#transport;
    const suppressed = this.#reports.count(message, clock.now());
    if (suppressed !== undefined) log.warn({ problem, suppressed }, message);
  }

  #venueChanged({ mode, bettingConfig, marketConfig, at }: VenueEvent): void {
    this.#host.terms(termsOf(mode, bettingConfig, marketConfig), Date.parse(at));
    void this.refresh();
  }
}
