/** State changes of markets: the table of docs/spec/venue.md#market-states. */
import type { CloseReason, MarketStatus } from '../../../src/domain/index.ts';
import { unchecked } from '../../../src/domain/index.ts';
import type { ChainStep, RecordedVote } from './exchange-types.ts';
import { addStep, type NaiveMarket } from './market.ts';
import { byPrice, closeAll, enter } from './matching.ts';
import { quotesOf } from './quotes.ts';
import { fixRefunds } from './settling.ts';
import { emit, type World } from './world.ts';

/** Contents of a step in the transparency record. */
export interface StepDetails {
  readonly actor: string;
  readonly note: string;
  readonly data?: unknown;
  readonly vote?: RecordedVote;
}

/** Moves a market to a state, or to the same state again, with all consequences. */
export function move(
  world: World,
  market: NaiveMarket,
  status: MarketStatus,
  details: StepDetails,
  step?: ChainStep,
): void {
  const from = market.status;
  if (from === 'OPEN' && status !== 'OPEN') leaveOpen(world, market, 'MARKET_NOT_OPEN');
  if (status === 'CANCELLED') leaveOpen(world, market, 'MARKET_NOT_OPEN');
  market.status = status;
  market.step = step;
  market.updatedAt = world.now;
  market.deadline = undefined;
  market.manualFrom = undefined;
  if (status === 'PENDING_RESOLUTION' || status === 'RESOLUTION_FAILED') clearDecision(market);
  if (status === 'CANCELLED') fixRefunds(world, market);
  emitMarketChange(world, market, from, details.note);
  record(world, market, from, details);
}

function clearDecision(market: NaiveMarket): void {
  const decision = { disputeWindowEndsAt: undefined, yesPayoutBps: undefined, decidedAt: undefined };
  Object.assign(market, decision, { rationale: undefined });
}

/** Also emitted for changes within a state: halt, resume, tick and date. */
export function emitMarketChange(
  world: World,
  market: NaiveMarket,
  previous: MarketStatus | undefined,
  reason: string,
): void {
  market.updatedAt = world.now;
  const { status, step, halted } = market;
  const no = unchecked.market(market.market);
  emit(world, { type: 'marketChanged', market: no, previous, status, step, halted, reason });
}

/** Adds a step to the transparency record. */
export function record(world: World, market: NaiveMarket, from: MarketStatus | null, details: StepDetails): void {
  market.updatedAt = world.now;
  const step = addStep(market, world.now, { actor: details.actor, from, note: details.note, data: details.data ?? {} });
  const no = unchecked.market(market.market);
  emit(world, { type: 'resolutionStepped', market: no, record: step, vote: details.vote });
}

/** Closes all orders and keeps the last quotes. */
export function leaveOpen(world: World, market: NaiveMarket, reason: CloseReason): void {
  if (reason === 'MARKET_NOT_OPEN') market.lastQuotes ??= quotesOf(world, market);
  closeAll(world, byPrice(world, market.market), reason);
}

/** Opens a deployed market with its initial order. */
export function open(world: World, market: NaiveMarket, details: StepDetails): void {
  move(world, market, 'OPEN', details);
  market.deadline = market.resolutionDate;
  const initial = world.orders.find((order) => order.order === market.initialOrder && order.state === 'waiting');
  if (initial !== undefined) {
    initial.state = 'taking';
    enter(world, initial);
  }
  if (market.resolutionDate <= world.now) onDeadline(world, market);
}

/** Ends trading and requests votes from the models. */
export function closeTrading(world: World, market: NaiveMarket, details: StepDetails): void {
  move(world, market, 'PENDING_RESOLUTION', details);
  market.round += 1;
  market.requestedAt = world.now;
  market.deadline = world.now + world.config.quorumTimeout;
  const { round, quorum, panelSize } = market;
  emit(world, { type: 'resolutionRequested', market: unchecked.market(market.market), round, quorum, panelSize });
}

/** Records a decision and starts the dispute window. */
export function decide(world: World, market: NaiveMarket, yesPayoutBps: number, details: StepDetails): void {
  market.yesPayoutBps = yesPayoutBps;
  market.decidedAt = world.now;
  move(world, market, 'RESOLVED', details);
  market.disputeWindowEndsAt = world.now + world.config.disputeWindow;
  market.deadline = market.disputeWindowEndsAt;
}

/** Requests a step from the chain. */
export function requestStep(world: World, market: NaiveMarket): void {
  market.updatedAt = world.now;
  market.attempts += 1;
  market.requestedAt = world.now;
  const yesPayoutBps = market.step === 'REPORT_PAYOUT' ? market.yesPayoutBps : undefined;
  const { attempts, step } = market;
  if (step === undefined) throw new Error('the market has no pending chain step');
  const no = unchecked.market(market.market);
  emit(world, { type: 'chainRequested', market: no, step, attempt: attempts, yesPayoutBps });
}

/** Moves the market to RESOLUTION_FAILED when a decision could not be made or reported. */
export function fail(world: World, market: NaiveMarket, details: StepDetails): void {
  move(world, market, 'RESOLUTION_FAILED', details);
  market.manualFrom = world.now + world.config.safetyPeriod;
}

export function cancelMarket(world: World, market: NaiveMarket, details: StepDetails): void {
  market.decidedAt = world.now;
  market.finalAt = world.now;
  move(world, market, 'CANCELLED', details);
}

/** Moves a market on when the deadline of its state has passed. */
export function onDeadline(world: World, market: NaiveMarket): void {
  const clock = (note: string): StepDetails => ({ actor: 'clock', note });
  if (market.status === 'OPEN') closeTrading(world, market, clock('resolution date reached'));
  else if (market.status === 'PENDING_RESOLUTION') fail(world, market, clock('no quorum in time'));
  else if (market.status === 'RESOLVED') {
    move(world, market, 'PENDING_BLOCKCHAIN', clock('dispute window over'), 'REPORT_PAYOUT');
    market.deadline = world.now + world.config.chainTimeout;
    requestStep(world, market);
  } else if (market.step === 'DEPLOY') cancelMarket(world, market, clock('deployment timed out'));
  else fail(world, market, clock('payout timed out'));
}
