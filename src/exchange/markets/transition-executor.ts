/** Executes rows of the transition table. */
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import type { RecordedVote } from '../market-command.ts';
import type { Sha256 } from '../market-event.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import type { Json } from './canonical-json.ts';
import { chainRequest, resolverRequest } from './chain-and-resolver.ts';
import type { Effects } from './effects.ts';
import {
  DEPLOY,
  isFinalState,
  type LifecycleState,
  outcomeData,
  REPORT_PAYOUT,
  toChainStep,
  toMarketStatus,
} from './lifecycle-state.ts';
import type { MarketRecord } from './market-record.ts';
import type { StepData, Transition, Trigger } from './transitions.ts';
import { nextStep, type StepFacts, timeText, voteData } from './transparency-record.ts';

/** Details of a transition that are not in the table. */
export interface TransitionDetails {
  /** Default: the row's actor. */
  readonly actor?: string;
  /** Default: the row's note, which also replaces an empty note. */
  readonly note?: string;
  readonly vote?: RecordedVote;
  readonly reason?: string;
  /** The initial order of a new market. */
  readonly initial?: { readonly caller: AccountCommand; readonly terms: OrderTerms } | undefined;
}

export class TransitionExecutor {
  readonly #effects: Effects;
  readonly #sha256: Sha256;

  constructor(effects: Effects, sha256: Sha256) {
    this.#effects = effects;
    this.#sha256 = sha256;
  }

  /**
   * Applies a row that starts from the market's state, without checks. The caller has already set the values of the
   * command. Orders and positions change before the event, so that the event's receivers read the new state.
   */
  apply(market: MarketRecord, row: Transition, details: TransitionDetails = {}): void {
    const effects = this.#effects;
    const note = details.note === undefined || details.note === '' ? row.note : details.note;
    const previous = row.from === undefined ? undefined : toMarketStatus(row.from);
    if (row.orders === 'MARKET_NOT_OPEN') market.lastQuotes = effects.quotes(market);
    if (row.orders !== '-' && row.orders !== 'RESERVED' && row.orders !== 'ENTERS') {
      effects.cancelOrders(market, row.orders);
    }
    market.updatedAt = effects.now;
    if (row.from !== row.to) this.#setState(market, row.to);
    if (row.positions === 'REFUND') effects.refund(market);
    if (row.positions === 'PAYOUT') effects.settle(market, requirePayout(market));
    if (row.from !== row.to || CHANGES_WITHIN_OPEN.includes(row.trigger)) {
      const { number, status, chainStep: step, halted } = market;
      effects.emit({ type: 'marketChanged', market: number, previous, status, step, halted, reason: note });
    }
    if (row.data !== '-') {
      const data = stepData(row.data, market, details);
      const facts = { actor: details.actor ?? row.actor, fromStatus: previous ?? null, note, data };
      this.#record(market, facts, details.vote);
    }
    if (details.initial !== undefined) {
      market.initialOrder = effects.reserveInitialOrder(market, details.initial.caller, details.initial.terms);
    }
    if (row.orders === 'ENTERS' && market.initialOrder !== 0) effects.showInitialOrder(market);
    this.#request(market, row);
  }

  /** Sets the state and the fields that depend on the state. */
  #setState(market: MarketRecord, state: LifecycleState): void {
    const { now, config } = this.#effects;
    market.status = toMarketStatus(state);
    market.chainStep = toChainStep(state);
    market.deadline = this.#deadline(market, state);
    if (state === 'OPEN') market.lastQuotes = undefined;
    if (state === 'PENDING_RESOLUTION') market.round += 1;
    if (state === 'PENDING_RESOLUTION' || state === 'RESOLUTION_FAILED') clearDecision(market);
    if (state === 'RESOLVED') market.disputeWindowEndsAt = market.deadline;
    market.manualFrom = state === 'RESOLUTION_FAILED' ? timeAfter(now, config.safetyPeriod) : undefined;
    if (state === 'CANCELLED') market.decidedAt = now;
    if (isFinalState(state)) market.finalAt = now;
  }

  #deadline(market: MarketRecord, state: LifecycleState): EpochMs | undefined {
    const { now, config } = this.#effects;
    if (state === DEPLOY || state === REPORT_PAYOUT) return timeAfter(now, config.chainTimeout);
    if (state === 'OPEN') return market.resolutionDate;
    if (state === 'PENDING_RESOLUTION') return timeAfter(now, config.quorumTimeout);
    return state === 'RESOLVED' ? timeAfter(now, config.disputeWindow) : undefined;
  }

  #record(market: MarketRecord, facts: Omit<StepFacts, 'at' | 'toStatus'>, vote: RecordedVote | undefined): void {
    const previousDigest = market.steps.at(-1)?.digest ?? market.questionHash;
    const step = nextStep({ ...facts, at: this.#effects.now, toStatus: market.status }, previousDigest, this.#sha256);
    market.steps.push(step);
    this.#effects.emit({ type: 'resolutionStepped', market: market.number, record: step, vote });
  }

  /** Requests the decision or chain step that the new state waits for. Repeats a chain step after a failure. */
  #request(market: MarketRecord, { from, to }: Transition): void {
    if (toChainStep(to) !== undefined) {
      market.attempts += 1;
      market.requestedAt = this.#effects.now;
      this.#effects.emit(chainRequest(market));
    } else if (to === 'PENDING_RESOLUTION' && from !== to) {
      market.requestedAt = this.#effects.now;
      this.#effects.emit(resolverRequest(market));
    }
  }
}

const CHANGES_WITHIN_OPEN: readonly Trigger[] = ['moveDate', 'halt', 'resume', 'changeTick', 'changeMinOrder'];

function clearDecision(market: MarketRecord): void {
  market.yesPayoutBps = undefined;
  market.decidedAt = undefined;
  market.disputeWindowEndsAt = undefined;
  market.rationale = undefined;
}

function requirePayout({ number, yesPayoutBps }: MarketRecord): number {
  if (yesPayoutBps === undefined) throw new RangeError(`Invariant: market ${number} has no decision to pay out`);
  return yesPayoutBps;
}

/** Returns the `data` of a step (docs/spec/venue.md#resolution-and-transparency). */
function stepData(kind: StepData, market: MarketRecord, { vote, reason }: TransitionDetails): Json {
  if (vote !== undefined) return voteData(vote);
  if (reason !== undefined) return { reason };
  if (kind === 'resolutionDate') return { resolutionDate: timeText(market.resolutionDate) };
  return kind === 'outcome' ? outcomeData(market) : {};
}
