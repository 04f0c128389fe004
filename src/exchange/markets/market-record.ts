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
  /** The reference in YES bps. */
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
  readonly no: MarketNo;
  readonly id: MarketId;
  /** The question as lower-case ASCII words, with a number if it is taken. */
  readonly slug: string;
  readonly topicSlugs: readonly string[];
  readonly creator: AccountNo;
  readonly createdAt: EpochMs;
  readonly feeRateBps: number;
  /** Equal votes that decide, as configured at creation, because `questionHash` covers it. */
  readonly quorum: number;
  readonly panelSize: number;
  /** Root of the transparency record. */
  readonly questionHash: string;
  /** Hash of the `createMarket` input; a repeated input is a duplicate. */
  readonly inputDigest: string;
}

/**
 * A market. Only the lifecycle writes its fields, except `book` and the fields below it, which the engine writes and stores.
 */
export interface MarketRecord extends MarketTerms {
  status: MarketStatus;
  /** Only while PENDING_BLOCKCHAIN. */
  step: ChainStep | undefined;
  /** Whether an OPEN market accepts no orders; unaffected by changes of state. */
  halted: boolean;
  tickBps: number;
  /** Smallest BUY, 0 for any. */
  minOrderShares: MicroShares;
  /** Number of the book, from 1; increased at each change of tick. */
  bookEpoch: number;
  updatedAt: EpochMs;
  resolutionDate: EpochMs;
  /** Deadline of the present state, if it has one. */
  deadline: EpochMs | undefined;
  /** Number of the initial order, also after its end; 0 for none. */
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
  /** Time from which a failed resolution may be decided manually. */
  manualFrom: EpochMs | undefined;
  /** Payout of one YES share, bps: 10000, 0 or 5000; undefined before a decision, and if CANCELLED. */
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
export function takesOrders(market: MarketRecord): boolean {
  return market.status === 'OPEN' && !market.halted;
}
