import { FULL_BPS, parseTime } from '../../domain/index.ts';
import {
  type MarketRecord,
  type RecordedVote,
  type TransparencyStep,
  toResolutionOutcome,
  transparencyRecord,
} from '../../exchange/index.ts';
import type { Model } from './models.ts';

export function presentResolution(record: Readonly<MarketRecord>): Model<'Resolution'> {
  const { id: marketId, status, yesPayoutBps = null } = record;
  const { decidedAt = null, finalAt = null, disputeWindowEndsAt = null, rationale = null } = record;
  const noPayoutBps = yesPayoutBps === null ? null : FULL_BPS - yesPayoutBps;
  const payouts = { outcome: toResolutionOutcome(record) ?? null, yesPayoutBps, noPayoutBps };
  return { marketId, status, ...payouts, decidedAt, finalAt, disputeWindowEndsAt, rationale };
}

export function presentVote(vote: RecordedVote): Model<'ModelVote'> {
  const { id, model, rationale, sources, round, votedAt, vote: decision = null, confidenceBps = null } = vote;
  return { id, model, rationale, sources, round, votedAt, vote: decision, confidenceBps };
}

/** The GraphQL scalar formats the time as the same text that the step's digest covers. */
export function presentStep(step: TransparencyStep): Model<'TransparencyStep'> {
  return { ...step, at: parseTime('at', step.at) };
}

export function presentTransparency(record: Readonly<MarketRecord>): Model<'TransparencyRecord'> {
  const { steps, transactionHashes, ...fields } = transparencyRecord(record);
  return { ...fields, steps: steps.map(presentStep), transactionHashes: transactionHashes.filter(isTransaction) };
}

/** Steps of operators and recordings have no transaction. Their hash is zero or empty. */
function isTransaction(transactionHash: string): boolean {
  return /^0x0*[1-9a-f]/.test(transactionHash);
}
