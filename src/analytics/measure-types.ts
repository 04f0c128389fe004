/**
 * Inputs and results of a run's measures, as plain data: times in epoch ms, prices in YES bps, sizes in micro-shares,
 * fees in micro-USD. Lines and lists of fills may omit points.
 */
import type { FillBasis, MicroShares } from '../domain/index.ts';

/** An own fill in YES terms. */
export interface MeasuredFill {
  readonly time: number;
  /** +1 bought YES exposure, -1 sold it. */
  readonly sign: 1 | -1;
  readonly yesPrice: number;
  readonly shares: MicroShares;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  readonly basis: FillBasis;
  /** Whether the price was better than its side's recorded best price. False for taker fills and on real venues. */
  readonly inside: boolean;
  /** Double mid strictly before the message or command that caused the fill. */
  readonly mark: number;
  /** Id of a trade that the venue may still reverse. */
  readonly trade?: string | undefined;
}

/** A trade between other participants. */
export interface MeasuredPrint {
  readonly time: number;
  /** `SIDE` of the taker: `bid` bought, `ask` sold. */
  readonly taker: number;
  readonly yesPrice: number;
  readonly shares: number;
  /** Double mid strictly before the print's message; undefined before the first mark. */
  readonly mark: number | undefined;
}

export interface MeasuredOrder {
  readonly order: number;
  readonly sign: number;
  readonly yesPrice: number;
  readonly remaining: number;
  /** `new` until the venue acknowledges the order. */
  readonly phase: string;
  /** False for takers, which never rest. */
  readonly rests: boolean;
}

/** A line over time. Both lists have the same length. */
export interface Line {
  readonly time: readonly number[];
  readonly value: readonly number[];
  /** Number of points including the omitted points; undefined or absent if no point was omitted. */
  readonly totalPoints?: number | undefined;
}

export interface FillPoint extends Pick<MeasuredFill, 'time' | 'sign' | 'liquidity' | 'basis' | 'inside'> {
  readonly price: number;
  readonly shares: number;
}

/** A share-weighted mean in bps per share. */
export interface WeightedMean {
  readonly bps: number;
  readonly count: number;
  readonly shares: number;
  /** Number of fills valued at a mark older than the horizon, because no later mark exists. */
  readonly censored: number;
  /** Bootstrap percentiles 2.5 and 97.5; undefined with fewer than 20 blocks. */
  readonly interval: readonly [number, number] | undefined;
}

/** Means of own fills and of the recorded makers' fills; undefined without fills. */
interface OwnAndRecorded {
  readonly own: WeightedMean | undefined;
  readonly recorded: WeightedMean | undefined;
}

/** Half-spreads at the fill (`effective`) and after each horizon; undefined without fills. */
export interface MakerHalfSpreads {
  readonly effective: WeightedMean | undefined;
  /** `label` is a label of `HORIZONS`, or "resolution". */
  readonly horizons: readonly { readonly label: string; readonly mean: WeightedMean | undefined }[];
}

export interface HorizonRow extends OwnAndRecorded {
  readonly label: string;
}

/** Half-spreads of own and recorded fills against the same mid. */
export interface HalfSpreads {
  readonly effective: OwnAndRecorded;
  readonly horizons: readonly HorizonRow[];
}

export interface LevelRow {
  readonly side: 'bid' | 'ask';
  /** 1 is the best own price of the side at the time of the fill. */
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
  /** The number k, if `fills` contains every k-th fill. */
  readonly storedEvery: number;
}

export interface TagResult {
  readonly count: number;
  /** Number of fills with `MeasuredFill.inside`. */
  readonly inside: number;
  readonly shares: number;
  /** P&L to the last mark or the payout, after the fills' own fees, before commission on net winnings. */
  readonly pnlMicros: number;
}

/** Results by the basis of fills, which reports call the tag. A basis without fills is absent. */
export type TagResults = Readonly<Partial<Record<FillBasis, TagResult>>>;
