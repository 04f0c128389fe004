import { type EpochMs, FULL_BPS, MAX_ORDER_SHARES } from '../../domain/index.ts';
import type { CastVote, ChainConfirmed, ChainFailed, Dispute, MarketCommand, MoveDate } from '../market-command.ts';
import { firstRefusal, outOfRange, type Refusal } from '../refusal.ts';
import type { Effects } from './effects.ts';
import { DECISIONS, isFinalState, type LifecycleState, type PayingDecision } from './lifecycle-state.ts';
import type { MarketRecord, RecordedDispute } from './market-record.ts';
import { requiresOpen, type Trigger, transitionsFrom } from './transitions.ts';

/** 9999-12-31T23:59:59.999Z: the latest `Time`. */
const LAST_TIME = 253_402_300_799_999;

/** Maximum number of code points in a dispute's reason, which the market shows permanently. */
const MAX_REASON_LENGTH = 2_000;
const MOVERS: readonly MoveDate['by'][] = ['operator', 'resolver'];
const PAYING_DECISIONS: readonly PayingDecision[] = ['YES', 'NO', undefined];

export type ExistingMarketCommand = Exclude<MarketCommand, { readonly type: 'createMarket' }>;

/** Checks the caller: only the creator may use `voidByCreator`, and no client may act while the venue is halted. */
export function clientRefusal(
  market: MarketRecord,
  command: ExistingMarketCommand,
  { mode }: Effects,
): Refusal | undefined {
  if (command.type !== 'voidByCreator' && command.type !== 'dispute') return undefined;
  // The reason is NOT_FOUND, as for another account's order.
  if (command.type === 'voidByCreator' && command.account !== market.creator) {
    return { reason: 'NOT_FOUND', field: 'marketId' };
  }
  return mode === 'HALTED' ? { reason: 'VENUE_MODE' } : undefined;
}

/** Checks a command in a market whose state allows it. */
export function detailRefusal(
  market: MarketRecord,
  command: ExistingMarketCommand,
  effects: Effects,
): Refusal | undefined {
  switch (command.type) {
    case 'halt':
      return conflict(market.halted, 'marketId');
    case 'resume':
      return conflict(!market.halted, 'marketId');
    case 'voidByCreator':
      return conflict(market.lastTrade !== 0, 'marketId');
    case 'moveDate':
      return firstRefusal([unknownValue('by', command.by, MOVERS), dateRefusal(command.resolutionDate, effects.now)]);
    case 'changeTick':
      // The tape determines the prices of a recorded market.
      return (
        conflict(market.following !== undefined, 'marketId') ??
        conflict(command.tickBps === market.tickBps, 'tickBps') ??
        tickRefusal(command.tickBps)
      );
    case 'changeMinOrder': {
      const { minOrderShares } = command;
      return conflict(minOrderShares === market.minOrderShares, 'minOrderShares') ?? minOrderRefusal(minOrderShares);
    }
    case 'castVote':
      return voteRefusal(market, command);
    case 'dispute':
      return disputeRefusal(market, command, effects);
    case 'upholdDispute':
      return conflict(openDisputes(market).length === 0, 'marketId');
    case 'decideManually':
      return manualDecisionRefusal(market, effects.now) ?? unknownValue('decision', command.decision, PAYING_DECISIONS);
    case 'chainConfirmed':
    case 'chainFailed':
      return answerRefusal(market, command);
    case 'voidMarket':
    case 'closeEarly':
    case 'retryResolution':
      return undefined;
  }
}

/** Checks a resolution date: in the future, and within the range of `Time`. */
export function dateRefusal(date: number, now: EpochMs): Refusal | undefined {
  const field = 'resolutionDate';
  if (!Number.isSafeInteger(date)) return { reason: 'INVALID_ORDER', field };
  if (date <= now) return { reason: 'EXPIRED_PARAMS', field, limit: now, value: date, unit: 'MILLISECONDS' };
  return outOfRange(field, date, { min: now, max: LAST_TIME, unit: 'MILLISECONDS' });
}

/** Checks a tick: a divisor of 10000, 1 … 5000. */
export function tickRefusal(tickBps: number): Refusal | undefined {
  const isTick = Number.isInteger(tickBps) && tickBps >= 1 && tickBps < FULL_BPS && FULL_BPS % tickBps === 0;
  return isTick ? undefined : { reason: 'INVALID_TICK', field: 'tickBps' };
}

/** Checks the smallest BUY: from 0 to the largest order. */
export function minOrderRefusal(minOrderShares: number): Refusal | undefined {
  return outOfRange('minOrderShares', minOrderShares, { min: 0, max: MAX_ORDER_SHARES, unit: 'MICRO_SHARES' });
}

function voteRefusal(market: MarketRecord, { vote, round }: CastVote): Refusal | undefined {
  const votesOfRound = market.votes.filter((each) => each.round === market.round);
  const isPanelComplete = votesOfRound.length >= market.panelSize;
  const hasModelVoted = votesOfRound.some(({ model }) => model === vote.model);
  const isIdUsed = market.votes.some(({ id }) => id === vote.id);
  return firstRefusal([
    conflict(round !== market.round, 'round'),
    conflict(isPanelComplete || hasModelVoted, 'model'),
    conflict(isIdUsed, 'id'),
    unknownValue('vote', vote.vote, DECISIONS),
    vote.confidenceBps === undefined
      ? undefined
      : outOfRange('confidenceBps', vote.confidenceBps, { min: 0, max: FULL_BPS, unit: 'BPS' }),
  ]);
}

/** Returns the disputes of the present decision. Compares times, because a round may have a second, manual decision. */
function openDisputes({ disputes, round, decidedAt }: MarketRecord): readonly RecordedDispute[] {
  return disputes.filter((each) => each.round === round && decidedAt !== undefined && each.at >= decidedAt);
}

function disputeRefusal(market: MarketRecord, { account, reason }: Dispute, effects: Effects): Refusal | undefined {
  const length = reason.trim() === '' ? 0 : codePointCount(reason);
  const hasDisputed = openDisputes(market).some((each) => each.account === account);
  return firstRefusal([
    conflict(hasDisputed, 'marketId'),
    outOfRange('reason', length, { min: 1, max: MAX_REASON_LENGTH, unit: 'COUNT' }),
    effects.holdsShares(account, market) ? undefined : { reason: 'INSUFFICIENT_SHARES', field: 'marketId' },
  ]);
}

function manualDecisionRefusal({ manualFrom }: MarketRecord, now: EpochMs): Refusal | undefined {
  if (manualFrom === undefined || now >= manualFrom) return undefined;
  return { reason: 'CONFLICT', field: 'marketId', limit: manualFrom, value: now, unit: 'MILLISECONDS' };
}

/** Refuses an answer unless its request is open. A deadline also closes a request. */
function answerRefusal(market: MarketRecord, answer: ChainConfirmed | ChainFailed): Refusal | undefined {
  return conflict(answer.step !== market.chainStep, 'step') ?? conflict(answer.attempt !== market.attempts, 'attempt');
}

/** Refuses a client's value, which may have any type, unless it is in the list. */
function unknownValue<T>(field: string, value: T, values: readonly T[]): Refusal | undefined {
  return values.includes(value) ? undefined : { reason: 'INVALID_ORDER', field };
}

function conflict(isConflict: boolean, field: string): Refusal | undefined {
  return isConflict ? { reason: 'CONFLICT', field } : undefined;
}

export function codePointCount(text: string): number {
  return Array.from(text).length;
}

/** Returns why a state refuses a command, by the transition table. */
export function stateRefusal(state: LifecycleState, trigger: Trigger): Refusal | undefined {
  if (transitionsFrom(state, trigger).length > 0) return undefined;
  if (requiresOpen(trigger)) return { reason: 'MARKET_NOT_OPEN', field: 'marketId' };
  return { reason: isFinalState(state) ? 'ALREADY_FINAL' : 'CONFLICT', field: 'marketId' };
}
