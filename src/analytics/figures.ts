/** What the measures of a run take in and give out. Plain data; lines and lists of fills are decimated. */
import type { FillTag, MicroShares } from '../domain/index.ts';

/** An own fill in YES terms, with what is needed to measure it. */
export interface MeasuredFill {
  /** Exchange time, epoch ms. */
  readonly time: number;
  /** +1 bought YES exposure, -1 sold it. */
  readonly sign: 1 | -1;
  /** YES price in bps. */
  readonly yesPrice: number;
  readonly shares: MicroShares;
  /** Micro-USD. */
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  readonly tag: FillTag;
  /** Whether the order stood inside the outside touch. */
  readonly inside: boolean;
  /** Double mid strictly before the message or command that caused it. */
  readonly mark: number;
  /** Id of the trade where the venue may still take it back; undefined or absent for a final fill. */
  readonly trade?: string | undefined;
}

/** A trade of others. */
export interface MeasuredPrint {
  readonly time: number;
  /** `SIDE` of the taker: bid bought, ask sold, unknown. */
  readonly taker: number;
  readonly yesPrice: number;
  readonly shares: number;
  /** Double mid strictly before its message; undefined before the first mark. */
  readonly mark: number | undefined;
}

/** An own order as far as the bot knows it. */
export interface MeasuredOrder {
  readonly order: number;
  readonly sign: number;
  readonly yesPrice: number;
  readonly remaining: number;
  /** `new` until it is acknowledged. */
  readonly phase: string;
  /** False for takers, which never rest. */
  readonly rests: boolean;
}

/** A line over time: epoch ms and values, equally long. */
export interface Line {
  readonly time: readonly number[];
  readonly value: readonly number[];
  /** Number of points that the line was thinned from. Undefined or absent: it has all. */
  readonly outOf?: number | undefined;
}

export interface FillPoint extends Pick<MeasuredFill, 'time' | 'sign' | 'liquidity' | 'tag' | 'inside'> {
  /** YES price in bps. */
  readonly price: number;
  /** Micro-shares. */
  readonly shares: number;
}

/** A share-weighted mean in bps a share, with what it rests on. */
export interface WeightedMean {
  readonly bps: number;
  /** Fills (or prints) behind it. */
  readonly count: number;
  /** Micro-shares behind it. */
  readonly shares: number;
  /** How many were marked at a last mark from before t + h, as nothing came after it. */
  readonly censored: number;
  /** Bootstrap percentiles 2.5 and 97.5; undefined with fewer than 20 blocks. */
  readonly interval: readonly [number, number] | undefined;
}

/** Own fills beside those of the recorded makers; undefined where there is nothing. */
interface OwnAndRecorded {
  readonly own: WeightedMean | undefined;
  readonly recorded: WeightedMean | undefined;
}

/** Half-spreads at the fill and after each horizon; undefined where there is nothing. */
export interface MakerHalfSpreads {
  readonly effective: WeightedMean | undefined;
  /** `label` is "1 s" … "1 h", "resolution". */
  readonly horizons: readonly { readonly label: string; readonly mean: WeightedMean | undefined }[];
}

export interface HorizonRow extends OwnAndRecorded {
  /** "1 s" … "1 h", "resolution". */
  readonly label: string;
}

/** Half-spreads at the fill and after each horizon, own and recorded fills against the same mid. */
export interface HalfSpreads {
  readonly effective: OwnAndRecorded;
  readonly horizons: readonly HorizonRow[];
}

/** Maker fills of one level: 1 is the best own price of that side at that moment. */
export interface LevelRow {
  readonly side: 'bid' | 'ask';
  readonly level: number;
  readonly count: number;
  readonly shares: number;
}

export interface MarketLines {
  /** Mark / 2 in bps. */
  readonly price: Line;
  /** YES minus NO in micro-shares, a step line. */
  readonly inventory: Line;
  readonly fills: readonly FillPoint[];
  /** 1 when all fills are in the list, k when only every k-th is. */
  readonly every: number;
}

export interface TagResult {
  readonly count: number;
  /** How many of them stood inside the recorded touch. */
  readonly inside: number;
  readonly shares: number;
  /** P&L to the last mark or the payout, after the fills' own fees, before commission on net winnings. */
  readonly pnlMicros: number;
}

/** Only tags that occurred. */
export type TagResults = Readonly<Partial<Record<FillTag, TagResult>>>;
