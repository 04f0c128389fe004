/** Presents the resolution of a market. */
import { FULL_BPS, parseTime } from '../../domain/index.ts';
import {
  type MarketRecord,
  outcomeOf,
  type RecordedVote,
  type TransparencyStep,
  transparencyRecord,
} from '../../exchange/index.ts';
import type { Model } from './models.ts';

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
  const { id, model, rationale, sources, round, votedAt } = vote;
  const decision = { vote: vote.vote ?? null, confidenceBps: vote.confidenceBps ?? null };
  return { id, model, rationale, sources, round, votedAt, ...decision };
}

/** The GraphQL scalar formats the time as the same text that the step's digest covers. */
export function presentStep(step: TransparencyStep): Model<'TransparencyStep'> {
  return { ...step, at: parseTime('at', step.at) };
}

export function presentTransparency(record: Readonly<MarketRecord>): Model<'TransparencyRecord'> {
  const { steps, transactionHashes, ...head } = transparencyRecord(record);
  return { ...head, steps: steps.map(presentStep), transactionHashes: transactionHashes.filter(isTransaction) };
}

/** Steps of operators and recordings have no transaction. Their hash is zero or empty. */
function isTransaction(transactionHash: string): boolean {
  return /^0x0*[1-9a-f]/.test(transactionHash);
}
