import type { ImportCounts } from '../import/counts.ts';
import type { MarketImport } from '../import/market-import.ts';
import type { TapePartsWriter } from '../import/tape-parts-writer.ts';

/** The output of an import of captured messages. */
export interface CaptureTarget<VenueRecord> {
  readonly tapes: TapePartsWriter;
  readonly counts: ImportCounts;
  readonly records: ReadonlyMap<string, VenueRecord>;
  readonly countsByKind: Record<string, number>;
  /** Whether prints are inferred, because the recording has no trades. */
  readonly inferPrints: boolean;
}

/** The markets of a recording. A message that is too late for a market is dropped, and makes the book unknown. */
export abstract class CapturedMarkets<VenueRecord, Market> {
  readonly markets = new Map<string, Market>();
  protected readonly target: CaptureTarget<VenueRecord>;
  protected lastAt = 0;
  /** Markets for which the current message is too late. */
  readonly #late = new Set<string>();

  constructor(target: CaptureTarget<VenueRecord>) {
    this.target = target;
  }

  protected abstract newMarket(id: string): Market;

  protected countKind(kind: string): void {
    const { countsByKind } = this.target;
    countsByKind[kind] = (countsByKind[kind] ?? 0) + 1;
  }

  /** Returns a market and the import of its rows, which is undefined if the current message is too late. */
  protected market(id: string): readonly [Market, MarketImport | undefined] {
    const market = this.markets.get(id) ?? this.newMarket(id);
    this.markets.set(id, market);
    const marketImport = this.target.tapes.market(id);
    if (marketImport === undefined) this.#late.add(id);
    return [market, marketImport];
  }

  /** Adds a message with the payout of a market, unless the market is resolved. */
  protected resolve(id: string, payout: number, at: number | undefined): void {
    const { tapes } = this.target;
    const time = Math.max(this.lastAt, at ?? 0);
    tapes.begin(time, time);
    const marketImport = tapes.market(id);
    if (marketImport?.isResolved === false) marketImport.resolution(payout);
    this.endMessage(time);
  }

  /** Ends the message. A market for which the message is too late gets a gap, because a book change may be lost. */
  protected endMessage(at: number): void {
    const { tapes } = this.target;
    tapes.end();
    this.lastAt = Math.max(this.lastAt, at);
    for (const id of this.#late) {
      tapes.begin(this.lastAt, this.lastAt);
      this.addGap(id);
      tapes.end();
    }
    this.#late.clear();
  }

  protected addGap(id: string): void {
    const marketImport = this.markets.has(id) ? this.target.tapes.market(id) : undefined;
    if (marketImport?.hasBook === true) marketImport.gap();
  }
}
