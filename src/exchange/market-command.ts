/** Commands that create a market or change it (docs/spec/venue.md#market-states). */
import type { EpochMs, MarketId, MarketNo, MicroShares } from '../domain/index.ts';
import type { MarketTexts } from './markets/market-texts.ts';
import type { AccountCommand, OrderTerms, Restriction } from './order-terms.ts';

/** Result of a decision or vote; undefined is "cannot be decided". */
export type Decision = 'YES' | 'NO' | 'CANCELLED' | undefined;

/** One model's vote, which is public. */
export interface ModelVote {
  readonly id: string;
  readonly model: string;
  readonly vote: Decision;
  /** 0 … 10000; undefined if the model gives none. */
  readonly confidenceBps: number | undefined;
  readonly rationale: string;
  readonly sources: readonly string[];
}

/** A counted vote. Rounds start at 1. */
export interface RecordedVote extends ModelVote {
  readonly round: number;
  readonly votedAt: EpochMs;
}

/** The steps that PENDING_BLOCKCHAIN waits for. */
export const CHAIN_STEPS = ['DEPLOY', 'REPORT_PAYOUT'] as const;
export type ChainStep = (typeof CHAIN_STEPS)[number];

/** Creates a market. A repeated `id` is a duplicate if the input is equal, or is refused (CONFLICT) if it differs. */
export interface CreateMarket extends AccountCommand, MarketTexts {
  readonly type: 'createMarket';
  readonly id: MarketId;
  /** Text of the market's slug, which gets a number if the slug is taken. Default: the question. */
  readonly slug?: string;
  readonly topicSlugs: readonly string[];
  readonly resolutionDate: EpochMs;
  /** The host accepts this field and the next two only from an operator. Default: the configuration. */
  readonly tickBps: number | undefined;
  readonly feeRateBps: number | undefined;
  readonly minOrderShares: MicroShares | undefined;
  /** The creator's order: reserved at creation, first in the book when the market opens. Its `market` is ignored. */
  readonly initialOrder: OrderTerms | undefined;
  readonly restriction: Restriction | undefined;
}

/** The creator voids a market before its first trade. */
interface VoidByCreator extends AccountCommand {
  readonly type: 'voidByCreator';
  readonly market: MarketNo;
}

/** A holder disputes a decision within the dispute window. */
export interface Dispute extends AccountCommand {
  readonly type: 'dispute';
  readonly market: MarketNo;
  readonly reason: string;
}

interface MarketCommandBase {
  readonly time: EpochMs;
  readonly market: MarketNo;
  /** Note for the event, and for the transparency record if the command adds a step. Empty for the default note. */
  readonly note: string;
}

/** Halts or resumes a market. A halted market stays OPEN, but its orders are cancelled and new orders refused. */
interface HaltMarket extends MarketCommandBase {
  readonly type: 'halt' | 'resume';
}

/** The operator voids a market that is OPEN, PENDING_RESOLUTION or RESOLUTION_FAILED. */
interface VoidMarket extends MarketCommandBase {
  readonly type: 'voidMarket';
}

/** The resolver closes an OPEN market before its date. */
interface CloseEarly extends MarketCommandBase {
  readonly type: 'closeEarly';
}

/** Moves the date of an OPEN market. Reopens a market in PENDING_RESOLUTION that cannot be decided yet. */
export interface MoveDate extends MarketCommandBase {
  readonly type: 'moveDate';
  readonly by: 'operator' | 'resolver';
  readonly resolutionDate: EpochMs;
}

/** Changes the tick, which cancels the book (TICK_CHANGED) and starts a new book epoch. */
export interface ChangeTick extends MarketCommandBase {
  readonly type: 'changeTick';
  readonly tickBps: number;
}

/** Changes the smallest BUY; resting orders stay. */
interface ChangeMinOrder extends MarketCommandBase {
  readonly type: 'changeMinOrder';
  readonly minOrderShares: MicroShares;
}

/** Casts a panel model's vote. A vote for an earlier round is too late. */
export interface CastVote extends MarketCommandBase {
  readonly type: 'castVote';
  /** `round` of `ResolutionRequested`. */
  readonly round: number;
  readonly vote: ModelVote;
}

/** The operator decides a market whose resolution failed, after the safety period. */
interface DecideManually extends MarketCommandBase {
  readonly type: 'decideManually';
  readonly decision: Exclude<Decision, 'CANCELLED'>;
}

/** The operator upholds a dispute, which starts a new round of voting. */
interface UpholdDispute extends MarketCommandBase {
  readonly type: 'upholdDispute';
}

/** The operator retries a failed resolution. */
interface RetryResolution extends MarketCommandBase {
  readonly type: 'retryResolution';
}

export interface ChainConfirmed extends MarketCommandBase {
  readonly type: 'chainConfirmed';
  readonly step: ChainStep;
  /** `attempt` of `ChainRequested`: the answer to an earlier attempt is too late. */
  readonly attempt: number;
  readonly transactionHash: string;
}

/** The chain failed to do a step. The exchange requests the step again unless the failure is permanent. */
export interface ChainFailed extends MarketCommandBase {
  readonly type: 'chainFailed';
  readonly step: ChainStep;
  readonly attempt: number;
  readonly permanent: boolean;
}

export type MarketCommand =
  | CreateMarket
  | VoidByCreator
  | Dispute
  | HaltMarket
  | VoidMarket
  | CloseEarly
  | MoveDate
  | ChangeTick
  | ChangeMinOrder
  | CastVote
  | DecideManually
  | UpholdDispute
  | RetryResolution
  | ChainConfirmed
  | ChainFailed;
