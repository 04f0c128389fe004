/**
 * Commands on a market's life (docs/spec/venue.md#market-states): by its creator, by holders, by operators, by chain
 * and resolver.
 */
import type { EpochMs, MarketId, MarketNo, MicroShares } from '../domain/index.ts';
import type { MarketTexts } from './markets/market-texts.ts';
import type { AccountCommand, OrderTerms, Restriction } from './order-terms.ts';

/** Result of a decision or vote; undefined is "cannot be decided". */
export type Decision = 'YES' | 'NO' | 'CANCELLED' | undefined;

/** One model's vote, public. */
export interface ModelVote {
  readonly id: string;
  readonly model: string;
  readonly vote: Decision;
  /** 0 … 10000; undefined when the model gives none. */
  readonly confidenceBps: number | undefined;
  readonly rationale: string;
  readonly sources: readonly string[];
}

/** A vote as it was counted. */
export interface RecordedVote extends ModelVote {
  /** From 1. */
  readonly round: number;
  readonly votedAt: EpochMs;
}

/** The steps that PENDING_BLOCKCHAIN waits for. */
export const CHAIN_STEPS = ['DEPLOY', 'REPORT_PAYOUT'] as const;
/** A name of `CHAIN_STEPS`. */
export type ChainStep = (typeof CHAIN_STEPS)[number];

/** A new market under an id that its creator chose: the same again is a duplicate, another one under that id CONFLICT. */
export interface CreateMarket extends AccountCommand, MarketTexts {
  readonly type: 'createMarket';
  readonly id: MarketId;
  /** Text for its slug, which is numbered when taken; default: the question. */
  readonly slug?: string;
  readonly topicSlugs: readonly string[];
  readonly resolutionDate: EpochMs;
  /** Defaults of the configuration where undefined; an operator's market may have its own. */
  readonly tickBps: number | undefined;
  readonly feeRateBps: number | undefined;
  readonly minOrderShares: MicroShares | undefined;
  /** Reserved at creation, first in the book when the market opens. Its `market` is not read. */
  readonly initialOrder: OrderTerms | undefined;
  readonly restriction: Restriction | undefined;
}

/** The creator voids an own market before its first trade. */
interface VoidByCreator extends AccountCommand {
  readonly type: 'voidByCreator';
  readonly market: MarketNo;
}

/** A holder disputes a decision within its window. */
export interface Dispute extends AccountCommand {
  readonly type: 'dispute';
  readonly market: MarketNo;
  readonly reason: string;
}

interface OfMarket {
  readonly time: EpochMs;
  readonly market: MarketNo;
  /** Note of the event and, where the command is a step of it, of the transparency record; empty for the table's note. */
  readonly note: string;
}

/** The operator, or a replayed tape: the market stays OPEN, its orders go, new ones are refused until `resume`. */
interface HaltMarket extends OfMarket {
  readonly type: 'halt' | 'resume';
}

/** The operator voids a market that is OPEN, PENDING_RESOLUTION or RESOLUTION_FAILED. */
interface VoidMarket extends OfMarket {
  readonly type: 'voidMarket';
}

/** The resolver closes an OPEN market before its date. */
interface CloseEarly extends OfMarket {
  readonly type: 'closeEarly';
}

/** Too early to decide: PENDING_RESOLUTION goes back to OPEN with another date; also moves the date of an OPEN market. */
export interface MoveDate extends OfMarket {
  readonly type: 'moveDate';
  readonly by: 'operator' | 'resolver';
  readonly resolutionDate: EpochMs;
}

/** A change of tick cancels the book (TICK_CHANGED) and starts a new book epoch. */
export interface ChangeTick extends OfMarket {
  readonly type: 'changeTick';
  readonly tickBps: number;
}

/** A change of the smallest BUY; orders that rest already stay. */
interface ChangeMinOrder extends OfMarket {
  readonly type: 'changeMinOrder';
  readonly minOrderShares: MicroShares;
}

/** A model of the panel votes. A vote for an earlier round is too late. */
export interface CastVote extends OfMarket {
  readonly type: 'castVote';
  /** Of `ResolutionAsked`. */
  readonly round: number;
  readonly vote: ModelVote;
}

/** The operator decides a market whose resolution failed, after the safety period. */
interface DecideManually extends OfMarket {
  readonly type: 'decideManually';
  readonly decision: Exclude<Decision, 'CANCELLED'>;
}

/** The operator upholds a dispute: a new round of voting. */
interface UpholdDispute extends OfMarket {
  readonly type: 'upholdDispute';
}

/** The operator has a failed resolution tried again. */
interface RetryResolution extends OfMarket {
  readonly type: 'retryResolution';
}

/** The chain has done a step. */
export interface ChainConfirmed extends OfMarket {
  readonly type: 'chainConfirmed';
  readonly step: ChainStep;
  /** Of `ChainAsked`: an answer to an earlier question is too late. */
  readonly attempt: number;
  readonly transactionHash: string;
}

/** The chain could not do a step. A permanent failure is final; otherwise the step is repeated. */
export interface ChainFailed extends OfMarket {
  readonly type: 'chainFailed';
  readonly step: ChainStep;
  readonly attempt: number;
  readonly permanent: boolean;
}

/** Everything about a market's life. */
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
