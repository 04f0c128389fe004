/** The description of a tape: its source, units and markets. */
import type { EpochMs, MarketId, PriceGrid } from '../domain/index.ts';

/** One market of a tape, numbered by its position in the list. Nothing here reveals its resolution. */
export interface TapeMarket {
  readonly id: MarketId;
  readonly slug: string;
  readonly question: string;
  /** Names of the YES and the NO outcome, in the recording's order, not ordered by the winner. */
  readonly outcomes: readonly [string, string];
  readonly grid: PriceGrid;
  readonly scheduledResolution: EpochMs | undefined;
  /** As in `MarketInfo`. */
  readonly eventId?: string | undefined;
  readonly exclusive?: true | undefined;
  /** The venue's category; undefined if the source has none. */
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The source's commission on net winnings, bps; 0 for none. */
  readonly commissionBps: number;
}

interface TapeSource {
  /** Description for people, such as "Betfair Exchange Stream, recorded by …". */
  readonly description: string;
  readonly licence: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

export interface TapeManifest {
  readonly format: 1;
  readonly name: string;
  readonly source: TapeSource;
  /** Conversions made, a sentence each: "price = 10^6 / odds bps, asks up, bids down". */
  readonly units: readonly string[];
  /** `missing`: `rx` equals `tx`, and a replay adds its own feed latency. */
  readonly receiveTime: 'recorded' | 'missing';
  /** Rows of a tape without a book: trades, or one print a candle. Absent for a tape with a book. */
  readonly content?: 'trades' | 'candles' | undefined;
  /** Present if the tape has `ahead` rows, derived from order ids of the recording. */
  readonly orderIds?: true | undefined;
  readonly markets: readonly TapeMarket[];
  readonly rows: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** sha256 over the columns (not the compressed bytes), lower-case hex. */
  readonly contentHash: string;
}
