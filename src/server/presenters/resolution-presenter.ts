/** Decision of a market, public and recomputable. */
import { FULL_BPS, parseTime } from '../../domain/index.ts';
import {
  type MarketRecord,
  outcomeOf,
  type RecordedVote,
  type TransparencyStep,
  transparencyRecord,
} from '../../exchange/index.ts';
import type { Model } from './models.ts';

/** Decided outcome, payouts and windows of a market as of now. */
export function presentResolution(record: Readonly<MarketRecord>): Model<'Resolution'> {
  const { id, status, yesPayoutBps, decidedAt, finalAt, disputeWindowEndsAt, rationale } = record;
  return {
    marketId: id,
    status,
    outcome: outcomeOf(record) ?? null,
    yesPayoutBps: yesPayoutBps ?? null,
    noPayoutBps: yesPayoutBps === undefined ? null : FULL_BPS - yesPayoutBps,
    decidedAt: decidedAt ?? null,
    finalAt: finalAt ?? null,
    disputeWindowEndsAt: disputeWindowEndsAt ?? null,
    rationale: rationale ?? null,
  };
}

export function presentVote(vote: RecordedVote): Model<'ModelVote'> {
  const { id, model, confidenceBps, rationale, sources, round, votedAt } = vote;
  return {
    id,
    model,
    rationale,
    sources,
    round,
    votedAt,
    vote: vote.vote ?? null,
    confidenceBps: confidenceBps ?? null,
  };
}

/** A step of a record. Its time leaves as the text that its digest covers: the scalar writes times in the same form. */
export function presentStep(step: TransparencyStep): Model<'TransparencyStep'> {
  return { ...step, at: parseTime('at', step.at) };
}

export function presentTransparency(record: Readonly<MarketRecord>): Model<'TransparencyRecord'> {
  const { steps, transactionHashes, ...head } = transparencyRecord(record);
  return { ...head, steps: steps.map(presentStep), transactionHashes: transactionHashes.filter(isOne) };
}

/** Zeros, or nothing, stand for a step that no transaction did: an operator, or a recording. */
function isOne(transactionHash: string): boolean {
  return /^0x0*[1-9a-f]/.test(transactionHash);
}
