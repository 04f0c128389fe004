/** Commands that change a market's state. Transitions that the table does not list are refused. */
import type { RejectReason } from '../../../src/domain/index.ts';
import type { MarketCommand } from './exchange-types.ts';
import { cancelMarket, closeTrading, emitMarketChange, fail, leaveOpen, move, open, requestStep } from './lifecycle.ts';
import { isoTime, type NaiveMarket } from './market.ts';
import { castVote, decideManually, dispute, isDisputed, outcomeDetails, wrongStateReason } from './voting.ts';
import type { World } from './world.ts';

type CommandOf<T extends MarketCommand['type']> = Extract<MarketCommand, { type: T }>;
type Answer = RejectReason | undefined;

/** @returns the reason when the command is refused */
export function marketCommand(world: World, command: Exclude<MarketCommand, { type: 'createMarket' }>): Answer {
  const market = world.markets[command.market];
  if (market === undefined) return 'NOT_FOUND';
  switch (command.type) {
    case 'halt':
    case 'resume':
      return halt(world, market, command);
    case 'voidMarket':
      return voidMarket(world, market, command);
    case 'voidByCreator':
      return voidByCreator(world, market, command);
    case 'closeEarly':
      if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
      closeTrading(world, market, { actor: 'resolver', note: command.note || 'closed early' });
      return undefined;
    case 'moveDate':
      return moveDate(world, market, command);
    case 'changeTick':
      return changeTick(world, market, command);
    case 'changeMinOrder':
      return changeMinOrder(world, market, command);
    case 'castVote':
      return castVote(world, market, command);
    case 'dispute':
      return dispute(world, market, command);
    case 'upholdDispute':
      if (market.status !== 'RESOLVED') return wrongStateReason(market);
      if (!isDisputed(market)) return 'CONFLICT';
      closeTrading(world, market, { actor: 'operator', note: command.note || 'dispute upheld' });
      return undefined;
    case 'retryResolution':
      if (market.status !== 'RESOLUTION_FAILED') return wrongStateReason(market);
      closeTrading(world, market, { actor: 'operator', note: command.note || 'tried again' });
      return undefined;
    case 'decideManually':
      return decideManually(world, market, command);
    case 'chainConfirmed':
      return chainConfirmed(world, market, command);
    case 'chainFailed':
      return chainFailed(world, market, command);
  }
}

function halt(world: World, market: NaiveMarket, command: CommandOf<'halt' | 'resume'>): Answer {
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  if (market.halted === (command.type === 'halt')) return 'CONFLICT';
  if (command.type === 'halt') leaveOpen(world, market, 'MARKET_HALTED');
  market.halted = command.type === 'halt';
  emitMarketChange(world, market, 'OPEN', command.note || (market.halted ? 'halted' : 'resumed'));
  return undefined;
}

function voidMarket(world: World, market: NaiveMarket, command: CommandOf<'voidMarket'>): Answer {
  const notes = { OPEN: 'voided', PENDING_RESOLUTION: 'voided', RESOLUTION_FAILED: 'given up' };
  const { status } = market;
  if (status !== 'OPEN' && status !== 'PENDING_RESOLUTION' && status !== 'RESOLUTION_FAILED')
    return wrongStateReason(market);
  market.rationale = command.note;
  cancelMarket(world, market, { actor: 'operator', note: command.note || notes[status] });
  return undefined;
}

function voidByCreator(world: World, market: NaiveMarket, command: CommandOf<'voidByCreator'>): Answer {
  if (market.creator !== command.account) return 'NOT_FOUND';
  if (market.status === 'OPEN' && market.lastTrade !== 0) return 'CONFLICT';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  cancelMarket(world, market, { actor: 'creator', note: 'voided' });
  return undefined;
}

function moveDate(world: World, market: NaiveMarket, command: CommandOf<'moveDate'>): Answer {
  if (market.status !== 'OPEN' && market.status !== 'PENDING_RESOLUTION') return wrongStateReason(market);
  if (!Number.isSafeInteger(command.resolutionDate)) return 'INVALID_ORDER';
  if (command.resolutionDate <= world.now) return 'EXPIRED_PARAMS';
  const from = market.status;
  market.resolutionDate = command.resolutionDate;
  const data = { resolutionDate: isoTime(command.resolutionDate) };
  const note = command.note || (from === 'OPEN' ? 'resolution date moved' : 'too early to decide');
  move(world, market, 'OPEN', { actor: command.by, note, data });
  market.deadline = command.resolutionDate;
  market.lastQuotes = undefined;
  return undefined;
}

function changeTick(world: World, market: NaiveMarket, command: CommandOf<'changeTick'>): Answer {
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  const { tickBps } = command;
  if (!Number.isInteger(tickBps) || tickBps < 1 || tickBps > 5000 || 10_000 % tickBps !== 0) return 'INVALID_TICK';
  if (tickBps === market.tickBps) return 'CONFLICT';
  leaveOpen(world, market, 'TICK_CHANGED');
  market.tickBps = tickBps;
  market.bookEpoch += 1;
  market.isTouched = true;
  emitMarketChange(world, market, 'OPEN', command.note || 'tick changed');
  return undefined;
}

/** Applies to new BUY orders; resting orders stay. */
function changeMinOrder(world: World, market: NaiveMarket, command: CommandOf<'changeMinOrder'>): Answer {
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  if (command.minOrderShares === market.minOrderShares) return 'CONFLICT';
  if (command.minOrderShares < 0) return 'BELOW_MIN';
  market.minOrderShares = command.minOrderShares;
  emitMarketChange(world, market, 'OPEN', command.note || 'smallest order changed');
  return undefined;
}

function chainConfirmed(world: World, market: NaiveMarket, command: CommandOf<'chainConfirmed'>): Answer {
  if (market.step === undefined) return wrongStateReason(market);
  if (market.step !== command.step || market.attempts !== command.attempt) return 'CONFLICT';
  market.transactionHashes.push(command.transactionHash);
  if (command.step === 'DEPLOY') {
    open(world, market, { actor: 'chain', note: command.note || 'deployed' });
    return undefined;
  }
  const statuses = { 10000: 'RESOLVED_YES', 0: 'RESOLVED_NO', 5000: 'RESOLVED_UNCERTAIN' } as const;
  const payout = market.yesPayoutBps === 10_000 ? 10_000 : market.yesPayoutBps === 0 ? 0 : 5000;
  market.finalAt = world.now;
  move(world, market, statuses[payout], outcomeDetails('chain', command.note || 'payout reported', payout));
  return undefined;
}

function chainFailed(world: World, market: NaiveMarket, command: CommandOf<'chainFailed'>): Answer {
  if (market.step === undefined) return wrongStateReason(market);
  if (market.step !== command.step || market.attempts !== command.attempt) return 'CONFLICT';
  if (!command.permanent) requestStep(world, market);
  else if (command.step === 'DEPLOY')
    cancelMarket(world, market, { actor: 'chain', note: command.note || 'deployment failed' });
  else fail(world, market, { actor: 'chain', note: command.note || 'payout failed' });
  return undefined;
}
