/** Finds the markets of a service venue. */
import { type MarketInfo, parseTime } from '../../../domain/index.ts';
import type { MarketCandidate } from '../../../runtime/index.ts';
import type { KnownMarkets, MarketDirectory, Selected, Selection, SelectionNumbers } from '../../base/index.ts';
import type { Transport } from '../transport/index.ts';
import {
  isMarketId,
  readMarkets,
  readOpenMarkets,
  type ServiceMarket,
  selectedOf,
  selectMarkets,
} from './select-markets.ts';
import type { VenueTerms } from './venue-terms.ts';

const MICROS_PER_CENT = 10_000;

export class ServiceDirectory implements MarketDirectory {
  readonly #transport: Transport;
  readonly #terms: VenueTerms;

  constructor(transport: Transport, terms: VenueTerms) {
    this.#transport = transport;
    this.#terms = terms;
  }

  select(selection: Selection, numbers?: SelectionNumbers): Promise<readonly Selected[]> {
    return selectMarkets(this.#transport, this.#terms, selection, numbers);
  }

  async known(markets: readonly MarketInfo[]): Promise<KnownMarkets> {
    const numbers = new Map(markets.map(({ id, market }) => [String(id), market]));
    const { markets: read, bad } = await readMarkets(this.#transport, [...numbers.keys()]);
    const found = read.flatMap((market) => {
      const no = numbers.get(market.id);
      return no === undefined ? [] : [selectedOf(market, no, this.#terms, undefined)];
    });
    return { found, bad };
  }

  async candidates(
    filter: Parameters<MarketDirectory['candidates']>[0],
    alsoIds: Iterable<string> = [],
  ): Promise<readonly MarketCandidate[]> {
    const open = await readOpenMarkets(this.#transport, filter);
    const isRead = new Set(open.map(({ id }) => id));
    const also = await readMarkets(
      this.#transport,
      [...alsoIds].filter((id) => !isRead.has(id)),
    );
    return [...open, ...also.markets].map(candidateOf);
  }

  isId(text: string): boolean {
    return isMarketId(text);
  }
}

function candidateOf(market: ServiceMarket): MarketCandidate {
  const { id, slug, status, acceptingOrders, category, topics, volumeCents, bestBidBps, bestAskBps } = market;
  return {
    id,
    slug,
    isOpen: status === 'OPEN',
    acceptsOrders: acceptingOrders,
    category: category?.slug,
    tags: topics.map((topic) => topic.slug),
    volume: volumeCents * MICROS_PER_CENT,
    spreadBps: isPrice(bestBidBps) && isPrice(bestAskBps) ? bestAskBps - bestBidBps : undefined,
    resolvesAt: parseTime('resolutionDate', market.resolutionDate),
  };
}

function isPrice(price: number | null | undefined): price is number {
  return typeof price === 'number';
}
