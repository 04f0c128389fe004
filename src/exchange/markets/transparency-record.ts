/**
 * The transparency record (docs/spec/venue.md#resolution-and-transparency): the steps of a decision, as a hash chain
 * that anyone can recompute.
 *
 * Invariants: `previousDigest` is the digest of the previous step, or `questionHash` in the first step. A digest covers
 * all other members of its step, so the last digest reveals any change of the steps.
 */
import { type EpochMs, formatTime, type MarketStatus } from '../../domain/index.ts';
import type { RecordedVote } from '../market-command.ts';
import type { Sha256, TransparencyStep } from '../market-event.ts';
import { canonicalJson, type Json } from './canonical-json.ts';
import type { MarketRecord } from './market-record.ts';

export interface RecordedQuestion {
  readonly marketId: string;
  readonly question: string;
  readonly rules: string;
  readonly quorum: number;
}

export interface TransparencyRecord extends RecordedQuestion {
  readonly questionHash: string;
  readonly steps: readonly TransparencyStep[];
  /** Digest of the last step; `questionHash` if there are no steps. */
  readonly headDigest: string;
  readonly transactionHashes: readonly string[];
}

/** A step before its digest is known. */
export interface StepFacts {
  readonly at: EpochMs;
  readonly actor: string;
  readonly fromStatus: MarketStatus | null;
  readonly toStatus: MarketStatus;
  readonly note: string;
  readonly data: Json;
}

/** Returns a market's record in the form of the API. */
export function transparencyRecord(market: Readonly<MarketRecord>): TransparencyRecord {
  const { id: marketId, question, rules, quorum, questionHash, steps, transactionHashes } = market;
  const headDigest = steps.at(-1)?.digest ?? questionHash;
  return { marketId, question, rules, quorum, questionHash, steps, headDigest, transactionHashes };
}

/** Returns sha256 over `{marketId, question, quorum, rules}`: 0x and 64 lower-case hex digits. */
export function questionHash({ marketId, question, quorum, rules }: RecordedQuestion, sha256: Sha256): string {
  return `0x${sha256(canonicalJson({ marketId, question, quorum, rules }))}`;
}

/** Returns sha256 over all other members of a step: 0x and 64 lower-case hex digits. */
export function stepDigest(step: Omit<TransparencyStep, 'digest'>, sha256: Sha256): string {
  const { actor, at, data, fromStatus, note, previousDigest, toStatus } = step;
  return `0x${sha256(canonicalJson({ actor, at, data, fromStatus, note, previousDigest, toStatus }))}`;
}

export function nextStep(facts: StepFacts, previousDigest: string, sha256: Sha256): TransparencyStep {
  const link = { ...facts, at: timeText(facts.at), data: canonicalJson(facts.data), previousDigest };
  return { ...link, digest: stepDigest(link, sha256) };
}

/** Returns a vote as `data` of a step, with all members of the API's `ModelVote`. */
export function voteData(vote: RecordedVote): Json {
  const { id, model, confidenceBps, rationale, sources, round, votedAt } = vote;
  const facts = { id, model, rationale, sources, round, votedAt: timeText(votedAt) };
  return { vote: { ...facts, vote: vote.vote ?? null, confidenceBps: confidenceBps ?? null } };
}

/** Formats a time as ISO 8601 with Z, with three decimals unless the seconds are whole. */
export function timeText(time: EpochMs): string {
  return formatTime(time).replace('.000Z', 'Z');
}

/** Returns the first error, with steps counted from 1; undefined if every hash, link and status agrees. */
export function findRecordError(record: TransparencyRecord, sha256: Sha256): string | undefined {
  if (record.questionHash !== questionHash(record, sha256)) return 'questionHash is not the hash of the question';
  let digest = record.questionHash;
  let status: MarketStatus | null = null;
  for (const [index, step] of record.steps.entries()) {
    if (step.previousDigest !== digest) return `step ${index + 1}: previousDigest is not the digest before it`;
    if (step.fromStatus !== status) return `step ${index + 1}: fromStatus is not the status before it`;
    if (step.digest !== stepDigest(step, sha256)) return `step ${index + 1}: digest is not the hash of the step`;
    digest = step.digest;
    status = step.toStatus;
  }
  return record.headDigest === digest ? undefined : 'headDigest is not the digest of the last step';
}
