import type { EpochMs, MarketInfo } from '../domain/index.ts';

/** A market, whose number is its position in the manifest's list. No field reveals the resolution. */
export interface TapeMarket extends Omit<MarketInfo, 'market' | 'venue'> {
  /** Names of the YES and the NO outcome, in the recording's order. */
  readonly outcomes: readonly [string, string];
  /** The venue's category; undefined if the source has none. */
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The source's commission on net winnings, bps; 0 for none. */
  readonly commissionBps: number;
}

export interface TapeManifest {
  readonly format: 1;
  readonly name: string;
  readonly source: {
    /** Description for people, such as "Betfair Exchange Stream, recorded by …". */
    readonly description: string;
    readonly licence: string;
    readonly files: readonly { readonly name: string; readonly sha256: string }[];
  };
  /** Conversions of the source's units, such as "price = 10^6 / odds bps, asks up, bids down". */
  readonly units: readonly string[];
  /** `missing`: receive times (`rx`) equal exchange times (`tx`), and a replay adds its own feed latency. */
  readonly receiveTime: 'recorded' | 'missing';
  /** Content of a tape without a book: trades, or one print per candle. */
  readonly content?: 'trades' | 'candles' | undefined;
  /** Set if the tape has `ahead` rows: sizes ahead of orders, derived from the recording's order ids. */
  readonly orderIds?: true | undefined;
  readonly markets: readonly TapeMarket[];
  readonly rows: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Result of `ContentHash`. */
  readonly contentHash: string;
}
