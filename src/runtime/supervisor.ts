/**
 * What concerns the whole bot and no strategy: operators, the venue's health, fills of strangers, bots that come and go,
 * positions that are taken out.
 */
import type {
  CancelRejected,
  InputEvent,
  MarketAdded,
  MarketNo,
  MarketRemoved,
  OperatorCommand,
  OperatorSpoke,
  ParameterSet,
} from '../domain/index.ts';
import type { RiskGate, RiskMode } from '../risk/index.ts';
import type { AccountState, MarketWorld, VenueState } from '../state/index.ts';
import type { Bot } from './bot.ts';
import type { Desk } from './desk.ts';
import { Flattening } from './flattening.ts';
import { Roster, type RosterEntry } from './roster.ts';
import type { Strategies } from './strategies.ts';

export interface SupervisorSettings {
  /** Makes bots whose parameters changed, and those of added markets; without it such events only change the roster. */
  readonly makeBot?: (entry: RosterEntry) => Bot;
  /** Who is on which market. Belongs to the core from now on: nobody else folds into it. Default empty. */
  readonly roster?: Roster;
  /** Most distance from the mark at which `flatten` sells; bps. Default 2000. */
  readonly flattenCollarBps?: number;
}

export interface SupervisorOptions extends SupervisorSettings {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly desk: Desk;
  readonly strategies: Strategies;
}

/** Begins the reason of REDUCING while positions are taken out: a restart goes on with it. */
const FLATTEN = 'flatten';
const COLLAR_BPS = 2_000;

/** The mode that an operator's word turns to; undefined leaves it as it is. */
const MODES: Readonly<Record<OperatorCommand, RiskMode | undefined>> = {
  kill: 'KILLED',
  reduce: 'REDUCING',
  flatten: 'REDUCING',
  pause: 'PAUSED',
  resume: 'ACTIVE',
  cancelAll: undefined,
};

export class Supervisor {
  readonly #state: AccountState;
  readonly #risk: RiskGate;
  readonly #desk: Desk;
  readonly #strategies: Strategies;
  readonly #roster: Roster;
  readonly #makeBot: ((entry: RosterEntry) => Bot) | undefined;
  readonly #flattening: Flattening;
  /** Markets whose fee is too high. */
  readonly #tooDear = new Set<MarketNo>();

  constructor({ state, risk, desk, strategies, roster, makeBot, flattenCollarBps }: SupervisorOptions) {
    this.#state = state;
    this.#risk = risk;
    this.#desk = desk;
    this.#strategies = strategies;
    this.#roster = roster ?? new Roster();
    this.#makeBot = makeBot;
    this.#flattening = new Flattening(state, flattenCollarBps ?? COLLAR_BPS, (intent, market) =>
      desk.carryOut([intent], strategies.seats.actsOn(market)),
    );
    this.#flatten(risk.mode === 'REDUCING' && isFlatten(risk.reason));
  }

  /** Whether positions are being taken out. */
  get flattens(): boolean {
    return this.#flattening.isOn;
  }

  /**
   * @param before the venue before this event
   * @returns whether trading may go on again: in a quiet market nothing else would say so for long
   */
  take(event: InputEvent, before: VenueState, isRunning: boolean): boolean {
    this.#take(event, before, isRunning);
    if (event.type === 'operatorSpoke') return event.command === 'resume';
    if (isRunning && (event.type === 'limitsChanged' || event.type === 'feeConfirmed')) {
      return this.#feeChanged(event.market);
    }
    return event.type === 'venueChanged' && !isWell(before) && isWell(event);
  }

  #take(event: InputEvent, before: VenueState, isRunning: boolean): void {
    switch (event.type) {
      case 'orderFilled':
        if (this.#state.wasStray) this.#risk.moved(event.market);
        return;
      case 'holdingAdjusted':
        this.#risk.moved(event.market);
        return;
      case 'cancelRejected':
        if (isRunning) this.#stayed(event);
        return;
      case 'operatorSpoke':
        this.#obey(event);
        return;
      case 'started':
        for (const { info } of this.#state.markets) this.#feeChanged(info.market);
        return;
      case 'venueChanged':
        if (isRunning && isWell(before) && !isWell(event)) this.withdraw();
        return;
      case 'ratesTold':
        this.#desk.ratesTold(event);
        return;
      case 'woke':
        if (isRunning) this.#desk.wake();
        return;
      case 'parameterSet':
      case 'marketAdded':
      case 'marketRemoved':
        this.#rearrange(event, isRunning);
        return;
      default:
        return;
    }
  }

  /** Halted, or its book not to be trusted: what stands there goes, whatever its strategies say or do not say. */
  stateChanged({ info, state }: MarketWorld): void {
    if (state.status !== 'OPEN' || state.acceptingOrders) return;
    this.#desk.withdraw((_, market) => market === info.market);
  }

  /**
   * Withdraws from a market whose fee is too high, whatever its strategies say.
   * @returns whether it may be traded again after it was so
   */
  #feeChanged(market: MarketNo): boolean {
    const world = this.#state.markets[market];
    if (world === undefined || this.#risk.feeStop(world) === undefined) return this.#tooDear.delete(market);
    this.#tooDear.add(market);
    this.#desk.withdraw((_, each) => each === market);
    return false;
  }

  /** Goes on taking positions out, after a message about this market. */
  flattenIn(market: MarketWorld): void {
    if (this.#isFlattening()) this.#flattening.newsOf(market);
  }

  /** The same after an event, everywhere. */
  flattenAfter(event: InputEvent): void {
    if (!this.#isFlattening()) return;
    const isSpent =
      event.type === 'orderRejected' || (event.type === 'orderClosed' && event.reason === 'FAK_REMAINDER');
    if (isSpent) this.#flattening.spent(event.market);
    this.#flattening.tryAll();
  }

  /** Nothing is wished and nothing shown any more. @param everyone whether orders of others, and those on their way, go too */
  withdraw(everyone = false): void {
    this.#desk.forget();
    this.#desk.issue(everyone ? { type: 'cancelAll', everyone } : { type: 'cancelAll' });
  }

  /** Ends it when all is out, or somebody wished otherwise. */
  #isFlattening(): boolean {
    if (this.#risk.mode !== 'REDUCING') this.#flatten(false);
    else if (this.#flattening.isFlat) {
      this.#flatten(false);
      this.#risk.turn('PAUSED', this.#risk.reason);
      this.withdraw();
    }
    return this.#flattening.isOn;
  }

  #obey({ command, reason }: OperatorSpoke): void {
    const mode = MODES[command];
    const words = command !== 'flatten' ? reason : reason === undefined ? FLATTEN : `${FLATTEN}: ${reason}`;
    // Out of a pause positions can be taken out: strategies are not heard before it is a pause again.
    if (command === 'flatten' && this.#risk.mode === 'PAUSED') this.#risk.turn('ACTIVE');
    if (mode !== undefined) this.#risk.turn(mode, words);
    if (command !== 'cancelAll') this.#flatten(command === 'flatten' && this.#risk.mode === 'REDUCING');
    // Under `reduce` too: what stands may add exposure, and the next wishes bring back what only shrinks it.
    if (command !== 'resume') this.withdraw(command === 'kill');
  }

  /** What strategies wish would come before each taking, and stand in its way: they are not heard meanwhile. */
  #flatten(isOn: boolean): void {
    this.#flattening.turn(isOn);
    this.#desk.silence(isOn);
  }

  /**
   * An order that was to go and has not, such as by a replace that was refused whole: where nobody quotes it any more, it is
   * cancelled once more.
   */
  #stayed({ order, market, reason }: CancelRejected): void {
    if (reason === 'NOT_FOUND' || reason === 'ALREADY_FINAL') return;
    const bot = this.#state.botOf(order);
    const isQuoted = bot !== undefined && this.#strategies.seats.holds(bot, market) && !this.#tooDear.has(market);
    if (bot !== undefined && !isQuoted) this.#desk.insist(order, market);
  }

  #rearrange(event: ParameterSet | MarketAdded | MarketRemoved, isRunning: boolean): void {
    this.#roster.fold(event);
    const { seats } = this.#strategies;
    if (event.type === 'marketRemoved') {
      seats.leave(event.market);
      this.#desk.leave(event.market);
      return;
    }
    if (event.type === 'marketAdded') {
      seats.open(event.info.market);
      this.#desk.enter(event.info.market);
    }
    for (const number of event.type === 'parameterSet' ? [event.bot] : event.bots.map(({ bot }) => bot)) {
      const entry = this.#roster.of(number);
      if (entry === undefined || this.#makeBot === undefined) continue;
      const bot = this.#makeBot(entry);
      seats.put(bot);
      if (isRunning) this.#strategies.begin(bot, event);
    }
  }
}

function isFlatten(reason: string | undefined): boolean {
  return reason === FLATTEN || reason?.startsWith(`${FLATTEN}: `) === true;
}

/** Whether the venue takes orders and is heard. */
function isWell({ mode, link }: VenueState): boolean {
  return link === 'UP' && (mode === 'NORMAL' || mode === 'POST_ONLY');
}
