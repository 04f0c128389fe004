/** Events of markets (docs/spec/venue.md#market-states, docs/spec/venue.md#streams). */
import type { MarketNo, MarketStatus } from '../domain/index.ts';
import type { ChainStep, RecordedVote } from './market-command.ts';

/** A market was created, changed its state, was halted or resumed, or got another tick or date. */
export interface MarketChanged {
  readonly type: 'marketChanged';
  readonly market: MarketNo;
  /** Undefined for a new market. */
  readonly previous: MarketStatus | undefined;
  readonly status: MarketStatus;
  readonly step: ChainStep | undefined;
  readonly halted: boolean;
  readonly reason: string;
}

/** The transparency record got a step: a transition, a vote or a dispute. */
export interface ResolutionStepped {
  readonly type: 'resolutionStepped';
  readonly market: MarketNo;
  readonly record: TransparencyStep;
  /** Set if the step is a vote. */
  readonly vote: RecordedVote | undefined;
}

/** A request to the chain to do a step; its answer arrives as a command. */
export interface ChainRequested {
  readonly type: 'chainRequested';
  readonly market: MarketNo;
  readonly step: ChainStep;
  /** Number of the market's request to the chain, from 1. The answer repeats this number. */
  readonly attempt: number;
  /** Payout of one YES share; only for REPORT_PAYOUT. */
  readonly yesPayoutBps: number | undefined;
}

/** A request to the resolver to decide; its votes arrive as commands. */
export interface ResolutionRequested {
  readonly type: 'resolutionRequested';
  readonly market: MarketNo;
  /** 1, then 1 more after each upheld dispute, retry or moved date. The votes repeat this number. */
  readonly round: number;
  /** Number of equal votes that decide, of at most `panelSize`. */
  readonly quorum: number;
  readonly panelSize: number;
}

export type MarketEvent = MarketChanged | ResolutionStepped | ChainRequested | ResolutionRequested;

/** A step of the transparency record, which is a hash chain. Strings are exactly as in the API's response. */
export interface TransparencyStep {
  /** ISO 8601 with Z. */
  readonly at: string;
  readonly actor: string;
  /** null in the first step. */
  readonly fromStatus: MarketStatus | null;
  readonly toStatus: MarketStatus;
  readonly note: string;
  /** The recorded data as canonical JSON. */
  readonly data: string;
  /** 0x and 64 lower-case hex digits. */
  readonly digest: string;
  readonly previousDigest: string;
}

/** Returns sha256 of a text's UTF-8 bytes as 64 lower-case hex digits. The host implements it with `node:crypto`. */
export type Sha256 = (text: string) => string;
