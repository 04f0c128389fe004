/**
 * Mode, configuration and states of all markets: what `venueStatusChanged` and `marketStatusChanged` tell, and what has to be
 * read because streams of states begin with news only.
 */
import {
  type BettingConfigFieldsFragment,
  type MarketConfigFieldsFragment,
  type MarketFieldsFragment,
  type MarketStatus,
  OPERATIONS,
} from '../../../protocol/index.ts';
import type { StreamHandle, Transport } from '../transport/index.ts';
import { readBetTerms } from './bet-limits.ts';
import { readMarkets } from './select-markets.ts';
import type { VenueTerms } from './selection-port.ts';
import { type BetTerms, termsOf } from './venue-terms.ts';

/** A market's state, as an event or a page has it. */
export interface MarketNews {
  readonly id: string;
  readonly status: MarketStatus;
  readonly acceptingOrders: boolean;
  /** Venue's time, epoch ms. */
  readonly at: number;
}

export interface WatchHost {
  /** Ids of the markets of interest. */
  ids(): readonly string[];
  state(news: MarketNews): void;
  terms(terms: VenueTerms, at: number): void;
  /** A market as it was read. */
  market(market: MarketFieldsFragment, bet: BetTerms | undefined): void;
}

/** What of an event is read. */
interface VenueEvent {
  readonly mode: VenueTerms['mode'];
  readonly bettingConfig: BettingConfigFieldsFragment;
  readonly marketConfig: MarketConfigFieldsFragment;
  readonly at: string;
}

export class VenueWatch {
  readonly #transport: Transport;
  readonly #host: WatchHost;
  readonly #streams: readonly StreamHandle[];
  /** What is under way. */
  #reading: Promise<void> | undefined;
  #isWanted = false;
  #isEnded = false;

  constructor(transport: Transport, host: WatchHost) {
    this.#transport = transport;
    this.#host = host;
    const { log } = transport;
    // First the news, then the stream that opens with the present state: when that has come, news are on their way.
    const states = transport.subscribe(OPERATIONS.marketStatusChanged, () => ({ marketIds: null }), {
      next: (data) => {
        const event = data?.marketStatusChanged;
        if (event === null || event === undefined) return;
        const { market, status, at } = event;
        host.state({ id: market.id, status, acceptingOrders: market.acceptingOrders, at: Date.parse(at) });
      },
      refused: (errors) => log.error({ errors }, 'venue: states of markets are not told'),
    });
    const venue = transport.subscribe(
      OPERATIONS.venueStatusChanged,
      () => ({}),
      {
        next: (data) => {
          if (data !== null) this.#venueChanged(data.venueStatusChanged);
        },
        refused: (errors) => log.error({ errors }, 'venue: its mode is not told'),
      },
      { opens: true },
    );
    this.#streams = [states, venue];
  }

  /** Reads all markets, once at a time. Resolves when what was read from now on has been told. */
  read(): Promise<void> {
    if (this.#reading === undefined) this.#reading = this.#readAll();
    else this.#isWanted = true;
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    try {
      do {
        this.#isWanted = false;
        const ids = this.#host.ids();
        const [markets, bets] = await Promise.all([
          readMarkets(this.#transport, ids),
          readBetTerms(this.#transport, ids),
        ]);
        if (this.#isEnded) return;
        for (const market of markets) this.#host.market(market, bets.get(market.id));
      } while (this.#isWanted);
    } finally {
      this.#reading = undefined;
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const stream of this.#streams) stream.end();
  }

  #venueChanged({ mode, bettingConfig, marketConfig, at }: VenueEvent): void {
    this.#host.terms(termsOf(mode, bettingConfig, marketConfig), Date.parse(at));
    this.read().catch((error: unknown) => {
      if (!this.#isEnded) this.#transport.log.error({ err: error }, 'venue: states of markets could not be read');
    });
  }
}
