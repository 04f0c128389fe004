/** Writes a naive market in the canonical order of src/exchange/markets/market-state.ts. */
import { MARKET_STATUSES } from '../../../src/domain/index.ts';
import type { StateWriter } from './exchange-types.ts';
import type { NaiveMarket } from './market.ts';

const STATES = [
  'PENDING_BLOCKCHAIN DEPLOY',
  'OPEN',
  'PENDING_RESOLUTION',
  'RESOLVED',
  'PENDING_BLOCKCHAIN REPORT_PAYOUT',
  'RESOLVED_YES',
  'RESOLVED_NO',
  'RESOLVED_UNCERTAIN',
  'RESOLUTION_FAILED',
  'CANCELLED',
];

type Value = number | string | undefined;

export function writeMarket(writer: StateWriter, market: NaiveMarket): void {
  const put = (...values: readonly (number | string)[]): void => {
    for (const value of values) typeof value === 'number' ? writer.number(value) : writer.text(value);
  };
  const maybe = (value: Value): void => (value === undefined ? put(0) : put(1, value));
  put(market.id, market.slug, market.question, market.rules);
  maybe(market.description);
  put(market.categorySlug, market.topicSlugs.length, ...market.topicSlugs);
  maybe(market.eventId);
  put(market.creator, market.createdAt, market.feeRateBps, market.quorum, market.panelSize);
  put(market.questionHash, market.inputDigest);
  const state = market.step === undefined ? market.status : `${market.status} ${market.step}`;
  put(STATES.indexOf(state), Number(market.halted), market.tickBps, market.minOrderShares, market.bookEpoch);
  put(market.updatedAt, market.resolutionDate);
  maybe(market.deadline);
  put(market.initialOrder, market.round, market.attempts);
  maybe(market.requestedAt);
  put(market.votes.length);
  for (const vote of market.votes) {
    put(vote.id, vote.model, ['YES', 'NO', 'CANCELLED', undefined].indexOf(vote.vote));
    maybe(vote.confidenceBps);
    put(vote.rationale, vote.sources.length, ...vote.sources, vote.round, vote.votedAt);
  }
  put(market.disputes.length);
  for (const { account, round, reason, at } of market.disputes) put(account, round, reason, at);
  for (const value of [market.disputeWindowEndsAt, market.manualFrom, market.yesPayoutBps]) maybe(value);
  for (const value of [market.decidedAt, market.finalAt, market.rationale]) maybe(value);
  put(market.transactionHashes.length, ...market.transactionHashes, market.steps.length);
  for (const step of market.steps) {
    const from = step.fromStatus === null ? -1 : MARKET_STATUSES.indexOf(step.fromStatus);
    put(step.at, step.actor, from, MARKET_STATUSES.indexOf(step.toStatus), step.note, step.data, step.digest);
  }
  if (market.lastQuotes === undefined) put(0);
  else put(1, market.lastQuotes.reference, market.lastQuotes.yes, market.lastQuotes.no);
}
