/** Figures and prices of each market. */
import type { ExchangeView } from '../engine/view.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { MarketStart } from './archive.ts';
import { figuresIn, type MarketFigures } from './market-figures.ts';
import { PriceHistoryWriter } from './price-history-writer.ts';
import type { RowWriter } from './row-batch.ts';
import { marketStatusCode } from './row-codes.ts';

interface TrackedMarket {
  readonly market: number;
  readonly prices: PriceHistoryWriter;
  readonly figures: MarketFigures;
  /** Changed since the last flush. */
  isDirty: boolean;
  /** Touched by the current command. */
  isTouched: boolean;
}

export class MarketTracker {
  readonly #view: ExchangeView;
  readonly #tracks: (TrackedMarket | undefined)[] = [];
  #touched: TrackedMarket[] = [];
  #dirty: TrackedMarket[] = [];

  constructor(view: ExchangeView, starts: readonly MarketStart[] = []) {
    this.#view = view;
    for (const start of starts) {
      const { market } = start.row;
      const prices = new PriceHistoryWriter(market, start);
      this.#tracks[market] = { market, prices, figures: { ...start.row.figures }, isDirty: false, isTouched: false };
    }
  }

  /** Marks a market whose prices may have changed. */
  touch(market: number): TrackedMarket {
    const track = this.#track(market);
    if (!track.isTouched) {
      track.isTouched = true;
      this.#touched.push(track);
    }
    return track;
  }

  /** Marks a market whose row has changed, and perhaps its prices. */
  change(market: number): TrackedMarket {
    const track = this.touch(market);
    if (!track.isDirty) {
      track.isDirty = true;
      this.#dirty.push(track);
    }
    return track;
  }

  /** Marks all markets, because their quotes may have changed. */
  touchAll(): void {
    for (const track of this.#tracks) if (track !== undefined) this.touch(track.market);
  }

  /** Writes price changes at the end of a command. */
  settle(rows: RowWriter): void {
    if (this.#touched.length === 0) return;
    for (const track of this.#touched) {
      track.isTouched = false;
      track.prices.addPointIfChanged(this.#view, rows);
    }
    this.#touched = [];
  }

  flush(rows: RowWriter): void {
    for (const track of this.#dirty) {
      track.isDirty = false;
      const record = this.#view.market(track.market);
      if (record === undefined) throw new RangeError(`Invariant: market ${track.market} does not exist`);
      addMarket(rows, record, track.figures);
    }
    this.#dirty = [];
    for (const track of this.#tracks) track?.prices.flush(rows);
  }

  #track(market: number): TrackedMarket {
    const found = this.#tracks[market];
    if (found !== undefined) return found;
    const prices = new PriceHistoryWriter(market);
    const track = { market, prices, figures: figuresIn({}), isDirty: false, isTouched: false };
    this.#tracks[market] = track;
    return track;
  }
}

export function addMarket(rows: RowWriter, market: Readonly<MarketRecord>, figures: MarketFigures): void {
  const { no, status, createdAt, updatedAt, volume, id, slug, question } = market;
  const numbers = [no, marketStatusCode(status), createdAt, updatedAt, volume, ...Object.values(figures)];
  rows.add('market', numbers, [id, slug, question]);
}
