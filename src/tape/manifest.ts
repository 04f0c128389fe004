/** The description of a tape: where it comes from, what its numbers mean, which markets are on it. */
import type { EpochMs, MarketId, PriceGrid } from '../domain/index.ts';

/** One market of a tape; its number is its place in the list. Nothing here reveals how it ended. */
export interface TapeMarket {
  readonly id: MarketId;
  readonly slug: string;
  readonly question: string;
  /** Names of the YES and the NO outcome, in the recording's own order, never by who won. */
  readonly outcomes: readonly [string, string];
  readonly grid: PriceGrid;
  readonly scheduledResolution: EpochMs | undefined;
  /** As in `MarketInfo`. */
  readonly eventId?: string | undefined;
  readonly exclusive?: true | undefined;
  /** What the market is about, in the venue's words; undefined where the source has none. */
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Commission on net winnings in the source's rules, bps; 0 for none. */
  readonly commissionBps: number;
}

interface TapeSource {
  /** For people: "Betfair Exchange Stream, recorded by …". */
  readonly description: string;
  readonly licence: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

export interface TapeManifest {
  readonly format: 1;
  readonly name: string;
  readonly source: TapeSource;
  /** Conversions that were made, a sentence each: "price = 10^6 / odds bps, asks up, bids down". */
  readonly units: readonly string[];
  /** `missing`: `rx` equals `tx`, and a replay adds its own feed latency. */
  readonly receiveTime: 'recorded' | 'missing';
  /** What the rows hold at most: trades without a book, or one print a candle. Absent: a book. */
  readonly content?: 'trades' | 'candles' | undefined;
  /** Whether there are `ahead` rows, which follow the orders of the recording one by one. Absent: no. */
  readonly orderIds?: true | undefined;
  readonly markets: readonly TapeMarket[];
  readonly rows: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** sha256 over the columns (not the compressed bytes), lower-case hex. */
  readonly contentHash: string;
}
