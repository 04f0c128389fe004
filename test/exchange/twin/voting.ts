/** Votes, disputes and decisions of the operator. */
import { type RejectReason, unchecked } from '../../../src/domain/index.ts';
import type { MarketCommand, RecordedVote } from './exchange-types.ts';
import { cancelMarket, decide, record, type StepDetails } from './lifecycle.ts';
import { isFinal, isoTime, type NaiveMarket } from './market.ts';
import { positionOf, type World } from './world.ts';

type CommandOf<T extends MarketCommand['type']> = Extract<MarketCommand, { type: T }>;
type Answer = RejectReason | undefined;

export function castVote(world: World, market: NaiveMarket, { round, vote, note }: CommandOf<'castVote'>): Answer {
  if (market.status !== 'PENDING_RESOLUTION') return wrongStateReason(market);
  if (round !== market.round) return 'CONFLICT';
  const before = market.votes.filter((earlier) => earlier.round === round);
  if (before.some(({ model }) => model === vote.model) || before.length >= market.panelSize) return 'CONFLICT';
  const votedAt = world.now;
  const recorded: RecordedVote = { ...vote, round, votedAt: unchecked.time(votedAt) };
  market.votes.push(recorded);
  const shown = { ...vote, confidenceBps: vote.confidenceBps ?? null, vote: vote.vote ?? null, round };
  const data = { vote: { ...shown, votedAt: isoTime(votedAt) } };
  record(world, market, market.status, { actor: vote.model, note: note || 'vote', data, vote: recorded });
  const same = [...before, recorded].filter((cast) => cast.vote === vote.vote);
  if (same.length < market.quorum) return undefined;
  // The rationale is that of the most confident model, the first of equals.
  const highest = Math.max(...same.map(confidence));
  const { rationale } = same.find((cast) => confidence(cast) === highest) ?? vote;
  market.rationale = rationale;
  if (vote.vote === 'CANCELLED') cancelMarket(world, market, outcomeDetails('panel', 'question invalid', undefined));
  else decide(world, market, payoutOf(vote.vote), outcomeDetails('panel', 'quorum reached', payoutOf(vote.vote)));
  return undefined;
}

export function dispute(world: World, market: NaiveMarket, command: CommandOf<'dispute'>): Answer {
  const { yes, no } = positionOf(world, command.account, market.market);
  if (world.accounts[command.account - 1] === undefined) return 'NOT_FOUND';
  const isAgain = disputesOf(market).some(({ account }) => account === command.account);
  if (isFinal(market)) return world.mode === 'HALTED' ? 'VENUE_MODE' : 'ALREADY_FINAL';
  if (market.status !== 'RESOLVED' || isAgain) return 'CONFLICT';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  if (yes + no === 0) return 'INSUFFICIENT_SHARES';
  const { account, reason } = command;
  market.disputes.push({ account, round: market.round, reason, at: world.now });
  record(world, market, market.status, { actor: 'holder', note: 'disputed', data: { reason } });
  return undefined;
}

export function decideManually(world: World, market: NaiveMarket, command: CommandOf<'decideManually'>): Answer {
  if (market.status !== 'RESOLUTION_FAILED') return wrongStateReason(market);
  if (world.now < (market.manualFrom ?? 0)) return 'CONFLICT';
  const payout = payoutOf(command.decision);
  market.rationale = command.note;
  decide(world, market, payout, outcomeDetails('operator', command.note || 'decided by hand', payout));
  return undefined;
}

export function isDisputed(market: NaiveMarket): boolean {
  return disputesOf(market).length > 0;
}

/** Returns the disputes of the current decision. */
function disputesOf(market: NaiveMarket): NaiveMarket['disputes'] {
  return market.disputes.filter(
    ({ round, at }) => round === market.round && at >= (market.decidedAt ?? Number.POSITIVE_INFINITY),
  );
}

function payoutOf(decision: 'YES' | 'NO' | undefined): number {
  if (decision === undefined) return 5000;
  return decision === 'YES' ? 10_000 : 0;
}

/** `outcome` is null when both sides pay half a dollar. */
export function outcomeDetails(actor: string, note: string, yesPayoutBps: number | undefined): StepDetails {
  const outcomes = new Map([
    [10_000, 'RESOLVED_YES'],
    [0, 'RESOLVED_NO'],
  ]);
  const outcome = yesPayoutBps === undefined ? 'CANCELLED' : (outcomes.get(yesPayoutBps) ?? null);
  const noPayoutBps = yesPayoutBps === undefined ? null : 10_000 - yesPayoutBps;
  return { actor, note, data: { noPayoutBps, outcome, yesPayoutBps: yesPayoutBps ?? null } };
}

function confidence({ confidenceBps }: RecordedVote): number {
  return confidenceBps ?? -1;
}

/** Returns the reason of a command that the current state does not allow. */
export function wrongStateReason(market: NaiveMarket): RejectReason {
  return isFinal(market) ? 'ALREADY_FINAL' : 'CONFLICT';
}
