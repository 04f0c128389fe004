import type { ImportCounts } from '../import/counts.ts';
import type { ImportTapes } from '../import/import-tapes.ts';
import type { MarketImport } from '../import/market-import.ts';

/** What messages of a venue are written to. */
export interface CaptureTarget<VenueRecord> {
  readonly tapes: ImportTapes;
  readonly counts: ImportCounts;
  /** Market metadata by id. */
  readonly records: ReadonlyMap<string, VenueRecord>;
  /** Messages or events by kind. */
  readonly kinds: Record<string, number>;
  /** Whether prints are inferred, as the recording has no trades. */
  readonly inferPrints: boolean;
}

/** Markets of a recording, by id, and their rows. What comes too late for its market ends its book. */
export abstract class CapturedMarkets<VenueRecord, Market> {
  readonly markets = new Map<string, Market>();
  protected readonly target: CaptureTarget<VenueRecord>;
  protected lastAt = 0;
  /** Markets of the open message whose rows came too late. */
  readonly #late = new Set<string>();

  constructor(target: CaptureTarget<VenueRecord>) {
    this.target = target;
  }

  /** A market of which no message came yet. */
  protected abstract newMarket(id: string): Market;

  protected count(kind: string): void {
    const { kinds } = this.target;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }

  /** The market with its rows of the open message; without them when the message came too late. */
  protected market(id: string): readonly [Market, MarketImport | undefined] {
    const market = this.markets.get(id) ?? this.newMarket(id);
    this.markets.set(id, market);
    const tape = this.target.tapes.market(id);
    if (tape === undefined) this.#late.add(id);
    return [market, tape];
  }

  /** The outcome of a market that no message resolved, as one more message. */
  protected resolve(id: string, payout: number, at: number | undefined): void {
    const { tapes } = this.target;
    const time = Math.max(this.lastAt, at ?? 0);
    tapes.begin(time, time);
    const tape = tapes.market(id);
    if (tape?.isResolved === false) tape.resolution(payout);
    this.end(time);
  }

  /** Closes the message. What came too late for its market has changed an unknown part of its book. */
  protected end(at: number): void {
    const { tapes } = this.target;
    tapes.end();
    this.lastAt = Math.max(this.lastAt, at);
    for (const id of this.#late) {
      tapes.begin(this.lastAt, this.lastAt);
      this.lose(id);
      tapes.end();
    }
    this.#late.clear();
  }

  protected lose(id: string): void {
    const tape = this.markets.has(id) ? this.target.tapes.market(id) : undefined;
    if (tape?.hasBook === true) tape.gap();
  }
}
