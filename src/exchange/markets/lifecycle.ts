/**
 * The lifecycle of markets: a state machine of commands and deadlines.
 *
 * Invariants: a refused command changes nothing. Every change is a row of `TRANSITIONS`. A market has only the deadline
 * of its present state; earlier deadlines are ignored. A deadline that is already due is processed in the same step.
 */
import type { EpochMs, MarketNo } from '../../domain/index.ts';
import type {
  CastVote,
  ChainConfirmed,
  ChainFailed,
  ChangeTick,
  CreateMarket,
  Dispute,
  MarketCommand,
  MoveDate,
  RecordedVote,
} from '../market-command.ts';
import type { Sha256 } from '../market-event.ts';
import { firstRefusal, type Refusal } from '../refusal.ts';
import { clientRefusal, detailRefusal, type ExistingMarketCommand, stateRefusal } from './command-checks.ts';
import type { Effects } from './effects.ts';
import {
  finalStateFor,
  type LifecycleState,
  type PayingDecision,
  payoutFor,
  toLifecycleState,
} from './lifecycle-state.ts';
import type { MarketRecord } from './market-record.ts';
import type { Markets } from './markets.ts';
import { type DuplicateMarket, inputDigest, newMarket, newMarketRefusal, newMarketTerms } from './new-market.ts';
import { type TransitionDetails, TransitionExecutor } from './transition-executor.ts';
import { TRANSITIONS, type Trigger, transition } from './transitions.ts';

export interface LifecycleOptions {
  readonly markets: Markets;
  readonly effects: Effects;
  readonly sha256: Sha256;
}

/** Executes market commands. The engine has checked that the caller exists and that time does not run backwards. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #effects: Effects;
  readonly #executor: TransitionExecutor;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#effects = options.effects;
    this.#executor = new TransitionExecutor(options.effects, options.sha256);
  }

  /** Executes a command or returns its refusal. A repeated `createMarket` returns the market of the first one. */
  apply(command: MarketCommand): Refusal | DuplicateMarket | undefined {
    if (command.type === 'createMarket') return this.#create(command);
    const market = this.#options.markets.get(command.market);
    if (market === undefined) return { reason: 'NOT_FOUND', field: 'marketId' };
    const refusal = firstRefusal([
      clientRefusal(market, command, this.#effects),
      stateRefusal(toLifecycleState(market), command.type) ?? detailRefusal(market, command, this.#effects),
    ]);
    if (refusal === undefined) this.#execute(market, command);
    return refusal;
  }

  /** Returns whether the same input has already created a market. This check precedes all others. */
  isKnown(command: CreateMarket): boolean {
    const known = this.#options.markets.byId(command.id);
    return known !== undefined && known.inputDigest === inputDigest(command, this.#options.sha256);
  }

  /** Ends a market's state at its deadline; ignores an outdated deadline. */
  onDeadline(number: MarketNo, deadline: EpochMs): void {
    const market = this.#options.markets.get(number);
    if (market === undefined || market.deadline !== deadline) return;
    const from = toLifecycleState(market);
    const row = TRANSITIONS.find((each) => each.from === from && each.trigger === 'due');
    if (row === undefined) throw new RangeError(`Invariant: market ${number} has a deadline in ${from}`);
    this.#executor.apply(market, row);
    this.#schedule(market);
  }

  #create(command: CreateMarket): Refusal | DuplicateMarket | undefined {
    const known = this.#options.markets.byId(command.id);
    if (known !== undefined) {
      const isSame = this.isKnown(command);
      return isSame ? { duplicate: known.number, order: known.initialOrder } : { reason: 'CONFLICT', field: 'id' };
    }
    const terms = newMarketTerms(command, this.#effects);
    const refusal = newMarketRefusal(command, terms, { effects: this.#effects, count: this.#options.markets.size });
    if (refusal !== undefined) return refusal;
    const market = newMarket(command, terms, this.#options);
    this.#options.markets.add(market);
    const initial = command.initialOrder && { caller: command, terms: command.initialOrder };
    this.#executor.apply(market, transition(undefined, command.type, toLifecycleState(market)), { initial });
    this.#schedule(market);
    return undefined;
  }

  #execute(market: MarketRecord, command: ExistingMarketCommand): void {
    switch (command.type) {
      case 'halt':
      case 'resume':
        market.halted = command.type === 'halt';
        this.#applyTransition(market, command.type, 'OPEN', command);
        break;
      case 'changeTick':
        this.#changeTick(market, command);
        break;
      case 'changeMinOrder':
        market.minOrderShares = command.minOrderShares;
        this.#applyTransition(market, command.type, 'OPEN', command);
        break;
      case 'moveDate':
        this.#moveDate(market, command);
        break;
      case 'castVote':
        this.#castVote(market, command);
        break;
      case 'dispute':
        this.#dispute(market, command);
        break;
      case 'chainConfirmed':
        this.#chainConfirmed(market, command);
        break;
      case 'chainFailed':
        this.#chainFailed(market, command);
        break;
      case 'decideManually':
        this.#decide(market, command.decision, command.note);
        this.#applyTransition(market, command.type, 'RESOLVED', command);
        break;
      case 'voidMarket':
        market.rationale = command.note;
        this.#applyTransition(market, command.type, 'CANCELLED', command);
        break;
      case 'voidByCreator':
        this.#applyTransition(market, command.type, 'CANCELLED');
        break;
      case 'closeEarly':
      case 'upholdDispute':
      case 'retryResolution':
        this.#applyTransition(market, command.type, 'PENDING_RESOLUTION', command);
        break;
    }
  }

  #changeTick(market: MarketRecord, command: ChangeTick): void {
    market.tickBps = command.tickBps;
    market.bookEpoch += 1;
    this.#applyTransition(market, command.type, 'OPEN', command);
    market.book = this.#effects.newBook(market.number, command.tickBps);
    this.#effects.bookChanged(market);
  }

  #moveDate(market: MarketRecord, command: MoveDate): void {
    market.resolutionDate = command.resolutionDate;
    market.deadline = command.resolutionDate;
    this.#applyTransition(market, command.type, 'OPEN', { actor: command.by, note: command.note });
  }

  #castVote(market: MarketRecord, { type, note, vote }: CastVote): void {
    const recorded = { ...vote, round: market.round, votedAt: this.#effects.now };
    market.votes.push(recorded);
    this.#applyTransition(market, type, 'PENDING_RESOLUTION', { actor: vote.model, note, vote: recorded });
    const decided = roundDecision(market);
    if (decided === undefined) return;
    if (decided.decision === 'CANCELLED') {
      market.rationale = decided.rationale;
      this.#applyTransition(market, type, 'CANCELLED');
    } else {
      this.#decide(market, decided.decision, decided.rationale);
      this.#applyTransition(market, type, 'RESOLVED');
    }
  }

  #dispute(market: MarketRecord, { type, account, reason }: Dispute): void {
    market.disputes.push({ account, round: market.round, reason, at: this.#effects.now });
    this.#applyTransition(market, type, 'RESOLVED', { reason });
  }

  #chainConfirmed(market: MarketRecord, command: ChainConfirmed): void {
    market.transactionHashes.push(command.transactionHash);
    const to = command.step === 'DEPLOY' ? 'OPEN' : finalStateFor(market.yesPayoutBps);
    this.#applyTransition(market, command.type, to, command);
  }

  #chainFailed(market: MarketRecord, command: ChainFailed): void {
    const failed = market.chainStep === 'DEPLOY' ? 'CANCELLED' : 'RESOLUTION_FAILED';
    this.#applyTransition(market, command.type, command.permanent ? failed : toLifecycleState(market), command);
  }

  #decide(market: MarketRecord, decision: PayingDecision, rationale: string): void {
    market.yesPayoutBps = payoutFor(decision);
    market.decidedAt = this.#effects.now;
    market.rationale = rationale;
  }

  #applyTransition(market: MarketRecord, trigger: Trigger, to: LifecycleState, details?: TransitionDetails): void {
    const row = transition(toLifecycleState(market), trigger, to);
    this.#executor.apply(market, row, details);
    if (row.from !== row.to || trigger === 'moveDate') this.#schedule(market);
  }

  /** Schedules the deadline, or processes it at once if it is due. */
  #schedule({ number, deadline }: MarketRecord): void {
    if (deadline === undefined) return;
    if (deadline <= this.#effects.now) this.onDeadline(number, deadline);
    else this.#effects.schedule(number, deadline);
  }
}

/** Returns the decision that reached the quorum in the present round, with the most confident model's rationale. */
function roundDecision({ votes, round, quorum }: MarketRecord) {
  const votesOfRound = votes.filter((vote) => vote.round === round);
  for (const { vote: decision } of votesOfRound) {
    const equal = votesOfRound.filter(({ vote }) => vote === decision);
    if (equal.length >= quorum) return { decision, rationale: mostConfidentRationale(equal) };
  }
  return undefined;
}

/** Returns the rationale of the first of the most confident votes. A vote without a confidence ranks last. */
function mostConfidentRationale(votes: readonly RecordedVote[]): string {
  const confidence = ({ confidenceBps = -1 }: RecordedVote): number => confidenceBps;
  return votes.reduce((best, vote) => (confidence(vote) > confidence(best) ? vote : best)).rationale;
}
