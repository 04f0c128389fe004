/** One market as the exchange keeps it. */
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
import type { Book } from '../matching/book.ts';
import type { Following } from '../tape-command.ts';
import type { TransparencyStep } from '../transparency.ts';
import type { MarketTexts } from './market-texts.ts';

/** Prices that are shown when the book no longer makes any (docs/spec/venue.md#quoted-prices). */
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
  /** The question as lower-case ASCII words, numbered when taken. */
  readonly slug: string;
  readonly topicSlugs: readonly string[];
  readonly creator: AccountNo;
  readonly createdAt: EpochMs;
  readonly feeRateBps: number;
  /** Equal votes that decide, of how many: as configured at creation, since `questionHash` names the quorum. */
  readonly quorum: number;
  readonly panelSize: number;
  /** Root of the transparency record. */
  readonly questionHash: string;
  /** Hash of the `createMarket` input: the same input again is a duplicate. */
  readonly inputDigest: string;
}

/**
 * A market. The lifecycle alone writes it, but for `book` and what follows: these are the engine's, which also writes
 * them into the state.
 */
export interface MarketRecord extends MarketTerms {
  status: MarketStatus;
  /** Only while PENDING_BLOCKCHAIN. */
  step: ChainStep | undefined;
  /** While true, an OPEN market accepts no orders; it persists over changes of state. */
  halted: boolean;
  tickBps: number;
  /** The smallest BUY, 0 for any; lots are everywhere the same. */
  minOrderShares: MicroShares;
  /** Books the market has had, from 1: one more at each change of tick. */
  bookEpoch: number;
  updatedAt: EpochMs;
  resolutionDate: EpochMs;
  /** When the present state ends by itself; undefined when it does not. */
  deadline: EpochMs | undefined;
  /** Number of the initial order, also after its end; 0 when there was none. */
  initialOrder: OrderNo | 0;
  /** Round of voting, 0 before the first. */
  round: number;
  /** Questions to the chain so far. */
  attempts: number;
  /** When the last request went to chain or resolver. */
  askedAt: EpochMs | undefined;
  readonly votes: RecordedVote[];
  readonly disputes: RecordedDispute[];
  disputeWindowEndsAt: EpochMs | undefined;
  /** Time from which a failed resolution may be decided by hand. */
  manualFrom: EpochMs | undefined;
  /** Payout of one YES share, bps: 10000, 0 or 5000; undefined before a decision, and if CANCELLED. */
  yesPayoutBps: number | undefined;
  decidedAt: EpochMs | undefined;
  finalAt: EpochMs | undefined;
  rationale: string | undefined;
  readonly transactionHashes: string[];
  readonly steps: TransparencyStep[];
  /** Since the market left OPEN, or was cancelled before it. */
  lastQuotes: LastQuotes | undefined;

  /** Replaced at a change of tick, and where the market follows a tape from then on. */
  book: Book;
  /** Undefined for one in which orders meet each other alone. */
  following: Following | undefined;
  /** Number of the last event of the command that changed the book. */
  bookSeq: number;
  /** In YES bps; 0 before the first. */
  lastTrade: number;
  volume: MicroUsd;
}

/** Whether the market itself accepts orders, regardless of the venue's mode. */
export function takesOrders(market: MarketRecord): boolean {
  return market.status === 'OPEN' && !market.halted;
}
