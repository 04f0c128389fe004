/** Commands about a market's life: what the table has no row for is refused. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { askChain, cancelMarket, closeTrading, fail, leaveOpen, move, open, tellChange } from './life.ts';
import { isoTime, type NaiveMarket } from './market.ts';
import { castVote, decideManually, dispute, isDisputed, notNow, outcomeSaid } from './voting.ts';
import type { MarketCommand } from './words.ts';
import type { World } from './world.ts';

type Of<T extends MarketCommand['type']> = Extract<MarketCommand, { type: T }>;
type Answer = RejectReason | undefined;

/** @returns why it is refused */
export function live(world: World, command: Exclude<MarketCommand, { type: 'createMarket' }>): Answer {
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
      if (market.status !== 'RESOLVED') return notNow(market);
      if (!isDisputed(market)) return 'CONFLICT';
      closeTrading(world, market, { actor: 'operator', note: command.note || 'dispute upheld' });
      return undefined;
    case 'retryResolution':
      if (market.status !== 'RESOLUTION_FAILED') return notNow(market);
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

function halt(world: World, market: NaiveMarket, command: Of<'halt' | 'resume'>): Answer {
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  if (market.halted === (command.type === 'halt')) return 'CONFLICT';
  if (command.type === 'halt') leaveOpen(world, market, 'MARKET_HALTED');
  market.halted = command.type === 'halt';
  tellChange(world, market, 'OPEN', command.note || (market.halted ? 'halted' : 'resumed'));
  return undefined;
}

function voidMarket(world: World, market: NaiveMarket, command: Of<'voidMarket'>): Answer {
  const words = { OPEN: 'voided', PENDING_RESOLUTION: 'voided', RESOLUTION_FAILED: 'given up' };
  const { status } = market;
  if (status !== 'OPEN' && status !== 'PENDING_RESOLUTION' && status !== 'RESOLUTION_FAILED') return notNow(market);
  market.rationale = command.note;
  cancelMarket(world, market, { actor: 'operator', note: command.note || words[status] });
  return undefined;
}

function voidByCreator(world: World, market: NaiveMarket, command: Of<'voidByCreator'>): Answer {
  if (market.creator !== command.account) return 'NOT_FOUND';
  if (market.status === 'OPEN' && market.lastTrade !== 0) return 'CONFLICT';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  cancelMarket(world, market, { actor: 'creator', note: 'voided' });
  return undefined;
}

function moveDate(world: World, market: NaiveMarket, command: Of<'moveDate'>): Answer {
  if (market.status !== 'OPEN' && market.status !== 'PENDING_RESOLUTION') return notNow(market);
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

function changeTick(world: World, market: NaiveMarket, command: Of<'changeTick'>): Answer {
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  const { tickBps } = command;
  if (!Number.isInteger(tickBps) || tickBps < 1 || tickBps > 5000 || 10_000 % tickBps !== 0) return 'INVALID_TICK';
  if (tickBps === market.tickBps) return 'CONFLICT';
  leaveOpen(world, market, 'TICK_CHANGED');
  market.tickBps = tickBps;
  market.bookEpoch += 1;
  market.isTouched = true;
  tellChange(world, market, 'OPEN', command.note || 'tick changed');
  return undefined;
}

/** What rests may be smaller from now on; only new BUY orders are measured. */
function changeMinOrder(world: World, market: NaiveMarket, command: Of<'changeMinOrder'>): Answer {
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  if (command.minOrderShares === market.minOrderShares) return 'CONFLICT';
  if (command.minOrderShares < 0) return 'BELOW_MIN';
  market.minOrderShares = command.minOrderShares;
  tellChange(world, market, 'OPEN', command.note || 'smallest order changed');
  return undefined;
}

function chainConfirmed(world: World, market: NaiveMarket, command: Of<'chainConfirmed'>): Answer {
  if (market.step === undefined) return notNow(market);
  if (market.step !== command.step || market.attempts !== command.attempt) return 'CONFLICT';
  market.transactionHashes.push(command.transactionHash);
  if (command.step === 'DEPLOY') {
    open(world, market, { actor: 'chain', note: command.note || 'deployed' });
    return undefined;
  }
  const statuses = { 10000: 'RESOLVED_YES', 0: 'RESOLVED_NO', 5000: 'RESOLVED_UNCERTAIN' } as const;
  const payout = market.yesPayoutBps === 10_000 ? 10_000 : market.yesPayoutBps === 0 ? 0 : 5000;
  market.finalAt = world.now;
  move(world, market, statuses[payout], outcomeSaid('chain', command.note || 'payout reported', payout));
  return undefined;
}

function chainFailed(world: World, market: NaiveMarket, command: Of<'chainFailed'>): Answer {
  if (market.step === undefined) return notNow(market);
  if (market.step !== command.step || market.attempts !== command.attempt) return 'CONFLICT';
  if (!command.permanent) askChain(world, market);
  else if (command.step === 'DEPLOY')
    cancelMarket(world, market, { actor: 'chain', note: command.note || 'deployment failed' });
  else fail(world, market, { actor: 'chain', note: command.note || 'payout failed' });
  return undefined;
}
