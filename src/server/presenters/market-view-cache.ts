/** Caches the public form of markets until they change. */
import type { ExchangeEvent, ExchangeView, MarketRecord } from '../../exchange/index.ts';
import { presentMarket } from './market-presenter.ts';
import type { MarketModel } from './models.ts';

/** Add it to the queue before the queue starts. Read it only where the state is durable. */
export class MarketViewCache {
  readonly #view: ExchangeView;
  /** By market number. A change of the book changes `bookSeq`; every other change is an event. */
  readonly #cached: ({ readonly market: MarketModel; readonly bookSeq: number } | undefined)[] = [];

  constructor(view: ExchangeView) {
    this.#view = view;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'traded') this.#cached[event.market] = undefined;
      else if (event.type !== 'happened') continue;
      else if (event.event.type === 'venueChanged') this.#cached.length = 0;
      else if ('market' in event.event) this.#cached[event.event.market] = undefined;
    }
  }

  /** @throws RangeError for an unknown market */
  market(market: number): MarketModel {
    const record = this.#view.market(market);
    if (record === undefined) throw new RangeError(`Invariant: there is no market ${market}`);
    return this.marketOf(record);
  }

  marketOf(record: Readonly<MarketRecord>): MarketModel {
    const cached = this.#cached[record.no];
    if (cached !== undefined && cached.bookSeq === record.bookSeq) return cached.market;
    const market = presentMarket(record, this.#view);
    this.#cached[record.no] = { market, bookSeq: record.bookSeq };
    return market;
  }
}
