/**
 * Markets as they are answered, one object each, made anew only when something that it shows has changed: a query for a
 * market reads plain properties (50 ns to find one that is current among 10,000). What changes a market is many things:
 * orders, trades, its life, the venue's mode and settings. So an object is tested against the record itself; events throw
 * none away.
 */
import type { ExchangeView, MarketRecord } from '../../../exchange/index.ts';
import type { ShownMarket } from './models.ts';
import { showMarket } from './show-market.ts';

/** What of the exchange an object was made of. */
interface Kept {
  readonly shown: ShownMarket;
  readonly config: ExchangeView['config'];
  readonly mode: ExchangeView['mode'];
  readonly status: MarketRecord['status'];
  readonly step: MarketRecord['step'];
  readonly halted: boolean;
  readonly tickBps: number;
  readonly minOrderShares: number;
  readonly updatedAt: number;
  readonly resolutionDate: number;
  readonly bookSeq: number;
  readonly lastTrade: number;
  readonly volume: number;
}

/** Shows markets. To be asked when the queue lets one look. */
export class MarketShelf {
  readonly #view: ExchangeView;
  /** By number. */
  readonly #kept: (Kept | undefined)[] = [];

  constructor(view: ExchangeView) {
    this.#view = view;
  }

  /** A market with all its fields, as of now. @throws RangeError for a number that no market has */
  show(market: number): ShownMarket {
    const record = this.#view.market(market);
    if (record === undefined) throw new RangeError(`Invariant: there is no market ${market}`);
    return this.showRecord(record);
  }

  /** The same. */
  showRecord(record: Readonly<MarketRecord>): ShownMarket {
    const view = this.#view;
    const kept = this.#kept[record.no];
    if (
      kept !== undefined &&
      kept.bookSeq === record.bookSeq &&
      kept.volume === record.volume &&
      kept.lastTrade === record.lastTrade &&
      kept.updatedAt === record.updatedAt &&
      kept.status === record.status &&
      kept.step === record.step &&
      kept.halted === record.halted &&
      kept.tickBps === record.tickBps &&
      kept.minOrderShares === record.minOrderShares &&
      kept.resolutionDate === record.resolutionDate &&
      kept.mode === view.mode &&
      kept.config === view.config
    ) {
      return kept.shown;
    }
    const { status, step, halted, tickBps, minOrderShares, updatedAt, resolutionDate } = record;
    const { bookSeq, lastTrade, volume } = record;
    const shown = showMarket(record, view);
    this.#kept[record.no] = {
      shown,
      config: view.config,
      mode: view.mode,
      status,
      step,
      halted,
      tickBps,
      minOrderShares,
      updatedAt,
      resolutionDate,
      bookSeq,
      lastTrade,
      volume,
    };
    return shown;
  }
}
