/**
 * Handles events that concern the whole bot: commands of operators, the venue's health, fees, fills of orders that this bot
 * did not send, added and removed bots and markets, and flattening.
 */
import type { StrategyTotals } from '../analytics/index.ts';
import type {
  CancelRejected,
  FillReversed,
  InputEvent,
  MarketAdded,
  MarketNo,
  MarketRemoved,
  OperatorCommand,
  OperatorCommanded,
  OrderFilled,
  ParameterSet,
} from '../domain/index.ts';
import type { RiskGate, RiskMode } from '../risk/index.ts';
import type { AccountState, TradedMarket, VenueState } from '../state/index.ts';
import type { Bot } from './bot.ts';
import { Flattening } from './flattening.ts';
import type { IntentExecutor } from './intent-executor.ts';
import type { MissedFills } from './missed-fills.ts';
import type { Strategies } from './strategies.ts';
import { type StrategyAssignment, StrategyAssignments } from './strategy-registry.ts';
import type { StateChange } from './strategy-states.ts';

export interface SupervisorSettings {
  /** Creates the bot for a changed parameter or an added market. Default: no bot, only the assignments change. */
  readonly makeBot?: (entry: StrategyAssignment) => Bot;
  /** Only the core may change the assignments. Default: empty. */
  readonly assignments?: StrategyAssignments;
  /** Counts fills by strategy. Default: none. */
  readonly totals?: StrategyTotals;
  /** Fills that strategies have not received. Only the core may change the list. Default: none. */
  readonly missed?: MissedFills;
}

export interface SupervisorOptions extends SupervisorSettings {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly executor: IntentExecutor;
  readonly strategies: Strategies;
  readonly missed: MissedFills;
}

/** Prefix of the reason for REDUCING while positions are flattened. A restart then continues to flatten. */
const FLATTEN = 'flatten';

/** The risk mode after each command; undefined if the command does not change the mode. */
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
  readonly #executor: IntentExecutor;
  readonly #strategies: Strategies;
  readonly #assignments: StrategyAssignments;
  readonly #makeBot: ((entry: StrategyAssignment) => Bot) | undefined;
  readonly #flattening: Flattening;
  readonly #totals: StrategyTotals | undefined;
  readonly #missed: MissedFills;
  readonly #feeStopped = new Set<MarketNo>();

  constructor(options: SupervisorOptions) {
    const { state, risk, executor, strategies, assignments, makeBot, totals, missed } = options;
    this.#state = state;
    this.#risk = risk;
    this.#executor = executor;
    this.#strategies = strategies;
    this.#assignments = assignments ?? new StrategyAssignments();
    this.#makeBot = makeBot;
    this.#totals = totals;
    this.#missed = missed;
    this.#flattening = new Flattening(state, risk.limits, (intent, market) =>
      executor.execute([intent], strategies.registry.botForMarket(market)),
    );
    this.#setFlattening(risk.mode === 'REDUCING' && isFlatten(risk.reason));
  }

  /** Whether positions are being closed. */
  get isFlattening(): boolean {
    return this.#flattening.isOn;
  }

  /**
   * @param before the venue's state before this event
   * @returns whether trading resumes. If so, call `onBook`, because a quiet market may send no message for a long time
   */
  onEvent(event: InputEvent, before: VenueState, isRunning: boolean): boolean {
    this.#missed.apply(event, this.#state);
    if (event.type === 'orderFilled' || event.type === 'fillReversed') this.#countFill(event);
    this.#handle(event, before, isRunning);
    if (event.type === 'operatorCommanded') return event.command === 'resume';
    if (isRunning && (event.type === 'limitsChanged' || event.type === 'feeConfirmed')) {
      return this.#checkFee(event.market);
    }
    return event.type === 'venueChanged' && !isUsable(before) && isUsable(event);
  }

  #handle(event: InputEvent, before: VenueState, isRunning: boolean): void {
    switch (event.type) {
      case 'orderFilled':
        if (this.#state.wasNotOpen) this.#risk.onHoldingsChanged(event.market);
        return;
      case 'holdingAdjusted':
      case 'fillSettled':
      case 'fillReversed':
        this.#risk.onHoldingsChanged(event.market);
        return;
      case 'cancelRejected':
        if (isRunning) this.#onCancelRejected(event);
        return;
      case 'operatorCommanded':
        this.#onOperatorCommand(event);
        return;
      case 'cancelCommanded':
        if (isRunning) this.#executor.cancelOrder(event.order, event.market);
        return;
      case 'started':
        for (const { info } of this.#state.markets) this.#checkFee(info.market);
        return;
      case 'venueChanged':
        if (isRunning && isUsable(before) && !isUsable(event)) this.cancelAll();
        return;
      case 'rateLimitUpdated':
        this.#executor.onRateLimitUpdated(event);
        return;
      case 'woke':
        if (isRunning) this.#executor.runQueued();
        return;
      case 'parameterSet':
      case 'marketAdded':
      case 'marketRemoved':
        this.#updateStrategies(event, isRunning);
        return;
      default:
        return;
    }
  }

  #countFill(event: OrderFilled | FillReversed): void {
    const bot = this.#state.botOf(event.order);
    const name = bot === undefined ? undefined : this.#strategies.registry.bots[bot]?.name;
    if (name !== undefined) this.#totals?.fill(name, event);
  }

  /** Cancels all orders in a market that is halted or whose book is unreliable. */
  onStateChanged({ info, state }: TradedMarket): void {
    if (state.status !== 'OPEN' || state.acceptingOrders) return;
    this.#executor.cancelWhere((_, market) => market === info.market);
  }

  /**
   * Cancels all orders in a market whose fee is too high.
   * @returns whether the fee had stopped the market and no longer does
   */
  #checkFee(market: MarketNo): boolean {
    const tradedMarket = this.#state.markets[market];
    if (tradedMarket === undefined || this.#risk.feeRefusal(tradedMarket) === undefined)
      return this.#feeStopped.delete(market);
    this.#feeStopped.add(market);
    this.#executor.cancelWhere((_, other) => other === market);
    return false;
  }

  /** Continues to flatten after a message about this market. */
  flattenIn(market: TradedMarket): void {
    if (this.#updateFlattening()) this.#flattening.onMarketChanged(market);
  }

  /** Stores the states that strategies saved. */
  saveStates(changes: readonly StateChange[]): void {
    this.#assignments.states.apply(changes, this.#state.now);
  }

  /** Continues to flatten in all markets after an event. */
  flattenAfter(event: InputEvent): void {
    if (!this.#updateFlattening()) return;
    const isUnfilled =
      event.type === 'orderRejected' || (event.type === 'orderClosed' && event.reason === 'FAK_REMAINDER');
    if (isUnfilled) this.#flattening.onTakeUnfilled(event.market);
    this.#flattening.tryAll();
  }

  /** Drops all quotes and cancels all orders. @param isAccountWide whether to cancel other orders of the account too */
  cancelAll(isAccountWide = false): void {
    this.#executor.clearQuotes();
    this.#executor.issue(isAccountWide ? { type: 'cancelAll', everyone: true } : { type: 'cancelAll' });
  }

  /** Stops flattening when nothing is left or the mode has changed. Returns whether flattening continues. */
  #updateFlattening(): boolean {
    if (this.#risk.mode !== 'REDUCING') this.#setFlattening(false);
    else if (this.#flattening.isFlat) {
      this.#setFlattening(false);
      this.#risk.setMode('PAUSED', this.#risk.reason);
      this.cancelAll();
    }
    return this.#flattening.isOn;
  }

  #onOperatorCommand({ command, reason }: OperatorCommanded): void {
    const mode = MODES[command];
    const fullReason = command !== 'flatten' ? reason : reason === undefined ? FLATTEN : `${FLATTEN}: ${reason}`;
    // REDUCING cannot replace PAUSED, so `flatten` resumes first. Strategies are ignored until the bot is paused again.
    if (command === 'flatten' && this.#risk.mode === 'PAUSED') this.#risk.setMode('ACTIVE');
    if (mode !== undefined) this.#risk.setMode(mode, fullReason);
    if (command !== 'cancelAll') this.#setFlattening(command === 'flatten' && this.#risk.mode === 'REDUCING');
    // `reduce` cancels too, because open orders may add exposure. The next quotes replace the orders that reduce exposure.
    if (command !== 'resume') this.cancelAll(command === 'kill');
  }

  /** Ignores strategies while flattening, because their quotes would reserve the shares that must be sold. */
  #setFlattening(isOn: boolean): void {
    this.#flattening.setOn(isOn);
    this.#executor.setStrategiesIgnored(isOn);
  }

  /** Repeats a refused cancel, for example after a refused replace, unless a strategy still quotes in the market. */
  #onCancelRejected({ order, market, reason }: CancelRejected): void {
    if (reason === 'NOT_FOUND' || reason === 'ALREADY_FINAL') return;
    const bot = this.#state.botOf(order);
    const isQuoted =
      bot !== undefined && this.#strategies.registry.isActiveIn(bot, market) && !this.#feeStopped.has(market);
    if (bot !== undefined && !isQuoted) this.#executor.retryCancel(order, market);
  }

  #updateStrategies(event: ParameterSet | MarketAdded | MarketRemoved, isRunning: boolean): void {
    this.#assignments.apply(event);
    const { registry } = this.#strategies;
    if (event.type === 'marketRemoved') {
      registry.closeMarket(event.market);
      if (isRunning) this.#strategies.stopIdleTimers();
      this.#executor.closeMarket(event.market);
      return;
    }
    if (event.type === 'marketAdded') {
      registry.openMarket(event.info.market);
      this.#executor.openMarket(event.info.market);
    }
    for (const number of event.type === 'parameterSet' ? [event.bot] : event.bots.map(({ bot }) => bot)) {
      const entry = this.#assignments.find(number);
      if (entry === undefined || this.#makeBot === undefined) continue;
      const bot = this.#makeBot(entry);
      registry.register(bot);
      if (isRunning) this.#strategies.onBotAdded(bot, event);
    }
  }
}

function isFlatten(reason: string | undefined): boolean {
  return reason === FLATTEN || reason?.startsWith(`${FLATTEN}: `) === true;
}

/** Returns whether the venue accepts orders and the connection is up. */
function isUsable({ mode, link }: VenueState): boolean {
  return link === 'UP' && (mode === 'NORMAL' || mode === 'POST_ONLY');
}
