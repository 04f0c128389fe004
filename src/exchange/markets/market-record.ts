/** One market as the exchange stores it. */
import type {
  AccountNo,
  EpochMs,
  MarketId,
  MarketNo,
  MarketStatus,
  MicroShares,
  MicroUsd,
  OrderNo,
} from '../../domain/index.ts';
import type { ChainStep, RecordedVote } from '../market-command.ts';
import type { TransparencyStep } from '../market-event.ts';
import type { Book } from '../matching/book.ts';
import type { FollowedTape } from '../tape-command.ts';
import type { MarketTexts } from './market-texts.ts';

/** The last prices of a market that is not open (docs/spec/venue.md#quoted-prices). */
export interface LastQuotes {
  /** The reference price in YES bps. */
  readonly reference: number;
  readonly yes: number;
  readonly no: number;
}

/** A holder's dispute of a round's decision. */
export interface RecordedDispute {
  readonly account: AccountNo;
  readonly round: number;
  readonly reason: string;
  readonly at: EpochMs;
}

/** A market's terms, fixed at its creation. */
export interface MarketTerms extends MarketTexts {
  readonly number: MarketNo;
  readonly id: MarketId;
  /** `CreateMarket.slug` or the question as lower-case ASCII words, with a number if the slug was taken. */
  readonly slug: string;
  readonly topicSlugs: readonly string[];
  readonly creator: AccountNo;
  readonly createdAt: EpochMs;
  readonly feeRateBps: number;
  /** Number of equal votes that decide. Fixed at creation, because `questionHash` covers `quorum`. */
  readonly quorum: number;
  readonly panelSize: number;
  /** Root of the transparency record. */
  readonly questionHash: string;
  /** Hash of the `createMarket` input, to detect a repeated input. */
  readonly inputDigest: string;
}

/** Only the lifecycle writes the fields above `book`. The engine writes and stores `book` and the fields below. */
export interface MarketRecord extends MarketTerms {
  status: MarketStatus;
  /** The step on the chain that the market waits for. Defined only in PENDING_BLOCKCHAIN. */
  chainStep: ChainStep | undefined;
  /** Whether the market accepts no orders while it is OPEN. Changes of state do not affect this flag. */
  halted: boolean;
  tickBps: number;
  /** Smallest BUY; 0 for no limit. */
  minOrderShares: MicroShares;
  /** 1, then 1 more after each change of tick. */
  bookEpoch: number;
  updatedAt: EpochMs;
  resolutionDate: EpochMs;
  /** Deadline of the present state; undefined for none. */
  deadline: EpochMs | undefined;
  /** Number of the initial order, open or closed; 0 for none. */
  initialOrder: OrderNo | 0;
  /** Round of voting, 0 before the first. */
  round: number;
  /** Number of requests to the chain. */
  attempts: number;
  /** Time of the last request to chain or resolver. */
  requestedAt: EpochMs | undefined;
  readonly votes: RecordedVote[];
  readonly disputes: RecordedDispute[];
  disputeWindowEndsAt: EpochMs | undefined;
  /** Time from which the operator may decide a failed resolution. */
  manualFrom: EpochMs | undefined;
  /** Payout of one YES share in bps: 10000, 0 or 5000. Undefined before a decision, and if CANCELLED. */
  yesPayoutBps: number | undefined;
  decidedAt: EpochMs | undefined;
  finalAt: EpochMs | undefined;
  rationale: string | undefined;
  readonly transactionHashes: string[];
  readonly steps: TransparencyStep[];
  /** Set when the market leaves OPEN, or is cancelled before it opens. */
  lastQuotes: LastQuotes | undefined;

  /** Replaced when the tick changes or the market begins to follow a tape. */
  book: Book;
  /** Undefined unless the market follows a tape. */
  following: FollowedTape | undefined;
  /** Number of the last event of the command that changed the book. */
  bookSeq: number;
  /** YES bps; 0 before the first trade. */
  lastTrade: number;
  volume: MicroUsd;
}

/** Returns whether the market itself accepts orders, regardless of the venue's mode. */
export function acceptsOrders(market: MarketRecord): boolean {
  return market.status === 'OPEN' && !market.halted;
}
