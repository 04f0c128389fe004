/** What happens to markets (venue.md 4 and 8). */
import type { EpochMs, MarketNo, MarketStatus } from '../domain/index.ts';
import type { ChainStep, ModelVote } from './market-command.ts';
import type { TransparencyStep } from './transparency.ts';

/** A market was created, changed its state, was halted or let go on, or got another tick or date. */
export interface MarketChanged {
  readonly type: 'marketChanged';
  readonly market: MarketNo;
  /** Undefined when it was created. */
  readonly previous: MarketStatus | undefined;
  readonly status: MarketStatus;
  readonly step: ChainStep | undefined;
  readonly halted: boolean;
  readonly reason: string;
}

/** A step of the transparency record: every transition, vote and dispute is one. */
export interface ResolutionStepped {
  readonly type: 'resolutionStepped';
  readonly market: MarketNo;
  readonly record: TransparencyStep;
  /** When the step is a vote; rounds count from 1. */
  readonly vote: (ModelVote & { readonly round: number; readonly votedAt: EpochMs }) | undefined;
}

/** The chain is asked for a step; its answer comes as a command. */
export interface ChainAsked {
  readonly type: 'chainAsked';
  readonly market: MarketNo;
  readonly step: ChainStep;
  /** From 1. */
  readonly attempt: number;
  /** Of REPORT_PAYOUT, bps for one YES share. */
  readonly yesPayoutBps: number | undefined;
}

/** The resolver is asked to decide; its votes come as commands. */
export interface ResolutionAsked {
  readonly type: 'resolutionAsked';
  readonly market: MarketNo;
  /** From 1, one more after each upheld dispute, retry or moved date. */
  readonly round: number;
}

/** What the lifecycle tells. */
export type MarketEvent = MarketChanged | ResolutionStepped | ChainAsked | ResolutionAsked;
