/** Events of markets (docs/spec/venue.md#market-states, docs/spec/venue.md#streams). */
import type { MarketNo, MarketStatus } from '../domain/index.ts';
import type { ChainStep, RecordedVote } from './market-command.ts';
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
  /** When the step is a vote. */
  readonly vote: RecordedVote | undefined;
}

/** The chain is to do a step; its answer arrives as a command. */
export interface ChainAsked {
  readonly type: 'chainAsked';
  readonly market: MarketNo;
  readonly step: ChainStep;
  /** Which question to the chain this is in the market's life, from 1; the answer repeats it. */
  readonly attempt: number;
  /** Of REPORT_PAYOUT, bps for one YES share. */
  readonly yesPayoutBps: number | undefined;
}

/** The resolver is to decide; its votes arrive as commands. */
export interface ResolutionAsked {
  readonly type: 'resolutionAsked';
  readonly market: MarketNo;
  /** From 1, one more after each upheld dispute, retry or moved date; the votes repeat it. */
  readonly round: number;
  /** Equal votes that decide, of at most `panelSize`. */
  readonly quorum: number;
  readonly panelSize: number;
}

export type MarketEvent = MarketChanged | ResolutionStepped | ChainAsked | ResolutionAsked;
