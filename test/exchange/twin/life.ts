/** A market's state changes: the table of docs/spec/venue.md#market-states, row by row. */
import type { CloseReason, MarketStatus } from '../../../src/domain/index.ts';
import { counted } from '../../../src/domain/index.ts';
import { addStep, type NaiveMarket } from './market.ts';
import { byPrice, closeAll, enter } from './matching.ts';
import { quotesOf } from './quotes.ts';
import { fixRefunds } from './settling.ts';
import type { ChainStep, RecordedVote } from './words.ts';
import { emit, type World } from './world.ts';

/** Who did what, in the words of the record. */
export interface Said {
  readonly actor: string;
  readonly note: string;
  readonly data?: unknown;
  readonly vote?: RecordedVote;
}

/** The market enters a state, or the same again; what follows from it happens at once. */
export function move(world: World, market: NaiveMarket, status: MarketStatus, said: Said, step?: ChainStep): void {
  const from = market.status;
  if (from === 'OPEN' && status !== 'OPEN') leaveOpen(world, market, 'MARKET_NOT_OPEN');
  if (status === 'CANCELLED') leaveOpen(world, market, 'MARKET_NOT_OPEN');
  market.status = status;
  market.step = step;
  market.updatedAt = world.now;
  market.deadline = undefined;
  market.manualFrom = undefined;
  if (status === 'PENDING_RESOLUTION' || status === 'RESOLUTION_FAILED') forgetDecision(market);
  if (status === 'CANCELLED') fixRefunds(world, market);
  tellChange(world, market, from, said.note);
  record(world, market, from, said);
}

/** What was decided does not count any more. */
function forgetDecision(market: NaiveMarket): void {
  const nothing = { disputeWindowEndsAt: undefined, yesPayoutBps: undefined, decidedAt: undefined };
  Object.assign(market, nothing, { rationale: undefined });
}

/** Told of a market that stays in its state too: halted, let go on, another tick or date. */
export function tellChange(
  world: World,
  market: NaiveMarket,
  previous: MarketStatus | undefined,
  reason: string,
): void {
  market.updatedAt = world.now;
  const { status, step, halted } = market;
  const no = counted.market(market.market);
  emit(world, { type: 'marketChanged', market: no, previous, status, step, halted, reason });
}

/** A step of the transparency record. */
export function record(world: World, market: NaiveMarket, from: MarketStatus | null, said: Said): void {
  market.updatedAt = world.now;
  const step = addStep(market, world.now, { actor: said.actor, from, note: said.note, data: said.data ?? {} });
  const no = counted.market(market.market);
  emit(world, { type: 'resolutionStepped', market: no, record: step, vote: said.vote });
}

/** No order outlives it; what was last quoted stays. */
export function leaveOpen(world: World, market: NaiveMarket, reason: CloseReason): void {
  if (reason === 'MARKET_NOT_OPEN') market.lastQuotes ??= quotesOf(world, market);
  closeAll(world, byPrice(world, market.market), reason);
}

/** The contract is there: trading begins with the initial order. */
export function open(world: World, market: NaiveMarket, said: Said): void {
  move(world, market, 'OPEN', said);
  market.deadline = market.resolutionDate;
  const initial = world.orders.find((order) => order.order === market.initialOrder && order.state === 'waiting');
  if (initial !== undefined) {
    initial.state = 'taking';
    enter(world, initial);
  }
  if (market.resolutionDate <= world.now) due(world, market);
}

/** Trading is over; the models are requested to vote. */
export function closeTrading(world: World, market: NaiveMarket, said: Said): void {
  move(world, market, 'PENDING_RESOLUTION', said);
  market.round += 1;
  market.askedAt = world.now;
  market.deadline = world.now + world.config.quorumTimeout;
  const { round, quorum, panelSize } = market;
  emit(world, { type: 'resolutionAsked', market: counted.market(market.market), round, quorum, panelSize });
}

/** A decision stands; holders may dispute it for a while. */
export function decide(world: World, market: NaiveMarket, yesPayoutBps: number, said: Said): void {
  market.yesPayoutBps = yesPayoutBps;
  market.decidedAt = world.now;
  move(world, market, 'RESOLVED', said);
  market.disputeWindowEndsAt = world.now + world.config.disputeWindow;
  market.deadline = market.disputeWindowEndsAt;
}

/** Requests a step from the chain. */
export function askChain(world: World, market: NaiveMarket): void {
  market.updatedAt = world.now;
  market.attempts += 1;
  market.askedAt = world.now;
  const yesPayoutBps = market.step === 'REPORT_PAYOUT' ? market.yesPayoutBps : undefined;
  const { attempts, step } = market;
  if (step === undefined) throw new Error('the market waits for no step');
  const no = counted.market(market.market);
  emit(world, { type: 'chainAsked', market: no, step, attempt: attempts, yesPayoutBps });
}

/** The decision could not be made, or not be reported. */
export function fail(world: World, market: NaiveMarket, said: Said): void {
  move(world, market, 'RESOLUTION_FAILED', said);
  market.manualFrom = world.now + world.config.safetyPeriod;
}

/** Void: nothing can come after it. */
export function cancelMarket(world: World, market: NaiveMarket, said: Said): void {
  market.decidedAt = world.now;
  market.finalAt = world.now;
  move(world, market, 'CANCELLED', said);
}

/** What a state does when its time is over. */
export function due(world: World, market: NaiveMarket): void {
  const clock = (note: string): Said => ({ actor: 'clock', note });
  if (market.status === 'OPEN') closeTrading(world, market, clock('resolution date reached'));
  else if (market.status === 'PENDING_RESOLUTION') fail(world, market, clock('no quorum in time'));
  else if (market.status === 'RESOLVED') {
    move(world, market, 'PENDING_BLOCKCHAIN', clock('dispute window over'), 'REPORT_PAYOUT');
    market.deadline = world.now + world.config.chainTimeout;
    askChain(world, market);
  } else if (market.step === 'DEPLOY') cancelMarket(world, market, clock('deployment timed out'));
  else fail(world, market, clock('payout timed out'));
}
