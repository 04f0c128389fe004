/**
 * Handles events that concern all strategies: commands of operators, the venue's health, fees, fills of orders that
 * this bot did not send, added and removed strategies and markets, and flattening.
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
import { FLATTEN_REASON, Flattening, isFlattenReason } from './flattening.ts';
import type { IntentExecutor } from './intent-executor.ts';
import type { MissedFills } from './missed-fills.ts';
import type { Strategies } from './strategies.ts';
import type { StrategyInstance } from './strategy-instance.ts';
import { type StrategyAssignment, StrategyAssignments } from './strategy-registry.ts';
import type { StateChange } from './strategy-states.ts';

export interface SupervisorSettings {
  /** Creates the strategy instance for a changed parameter or an added market. Default: only the assignments change. */
  readonly instantiate?: (entry: StrategyAssignment) => StrategyInstance;
  /** Only the core may change the assignments. Default: empty. */
  readonly assignments?: StrategyAssignments;
  /** Counts fills by strategy. Default: none. */
  readonly totals?: StrategyTotals;
  /** Fills that strategies have not received. Only the core may change the list. Default: none. */
  readonly missed?: MissedFills;
}

export interface SupervisorDeps extends SupervisorSettings {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly executor: IntentExecutor;
  readonly strategies: Strategies;
  readonly missed: MissedFills;
}

/** The risk mode after each command; undefined if the command does not change the mode. */
const MODE_AFTER_COMMAND: Readonly<Record<OperatorCommand, RiskMode | undefined>> = {
  kill: 'KILLED',
  reduce: 'REDUCING',
  flatten: 'REDUCING',
  pause: 'PAUSED',
  resume: 'ACTIVE',
  cancelAll: undefined,
};

export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #assignments: StrategyAssignments;
  readonly #flattening: Flattening;
  readonly #feeStoppedMarkets = new Set<MarketNo>();

  constructor(deps: SupervisorDeps) {
    const { state, risk, executor, strategies } = deps;
    this.#deps = deps;
    this.#assignments = deps.assignments ?? new StrategyAssignments();
    this.#flattening = new Flattening(state, risk.limits, (intent) =>
      executor.execute(intent, strategies.registry.instanceForMarket(intent.market)),
    );
    this.#setFlattening(risk.mode === 'REDUCING' && isFlattenReason(risk.reason));
  }

  /** Whether positions are being closed. */
  get isFlattening(): boolean {
    return this.#flattening.isOn;
  }

  /**
   * @param venueBefore the venue's state before this event
   * @returns whether trading resumes. If so, call `onBook`, because a quiet market may send no message for a long time
   */
  onEvent(event: InputEvent, venueBefore: VenueState, isRunning: boolean): boolean {
    const { state, risk, executor, missed } = this.#deps;
    missed.apply(event, state);
    switch (event.type) {
      case 'orderFilled':
        this.#countFill(event);
        if (state.wasLastFillUnexpected) risk.onHoldingsChanged(event.market);
        break;
      case 'fillReversed':
        this.#countFill(event);
        risk.onHoldingsChanged(event.market);
        break;
      case 'holdingAdjusted':
      case 'fillSettled':
        risk.onHoldingsChanged(event.market);
        break;
      case 'cancelRejected':
        if (isRunning) this.#onCancelRejected(event);
        break;
      case 'operatorCommanded':
        this.#onOperatorCommand(event);
        return event.command === 'resume';
      case 'cancelCommanded':
        if (isRunning) executor.cancelOrder(event.order, event.market);
        break;
      case 'started':
        for (const { info } of state.markets) this.#checkFee(info.market);
        break;
      case 'limitsChanged':
      case 'feeConfirmed':
        return isRunning && this.#checkFee(event.market);
      case 'venueChanged':
        if (isRunning && isUsable(venueBefore) && !isUsable(event)) this.cancelAll();
        return !isUsable(venueBefore) && isUsable(event);
      case 'rateLimitUpdated':
        executor.onRateLimitUpdated(event);
        break;
      case 'woke':
        if (isRunning) executor.runQueued();
        break;
      case 'parameterSet':
      case 'marketAdded':
      case 'marketRemoved':
        this.#updateStrategies(event, isRunning);
    }
    return false;
  }

  #countFill(event: OrderFilled | FillReversed): void {
    const instanceNo = this.#deps.state.findInstance(event.order);
    const name = instanceNo === undefined ? undefined : this.#deps.strategies.registry.instances[instanceNo]?.name;
    if (name !== undefined) this.#deps.totals?.addFill(name, event);
  }

  /** Cancels all orders in a market that is halted or whose book is unreliable. */
  onStateChanged({ info, state }: TradedMarket): void {
    if (state.status !== 'OPEN' || state.acceptingOrders) return;
    this.#deps.executor.cancelWhere((_, market) => market === info.market);
  }

  /**
   * Cancels all orders in a market whose fee is too high.
   * @returns whether the fee had stopped the market and no longer does
   */
  #checkFee(market: MarketNo): boolean {
    const tradedMarket = this.#deps.state.markets[market];
    if (tradedMarket === undefined || this.#deps.risk.feeRefusal(tradedMarket) === undefined)
      return this.#feeStoppedMarkets.delete(market);
    this.#feeStoppedMarkets.add(market);
    this.#deps.executor.cancelWhere((_, other) => other === market);
    return false;
  }

  /** Continues to flatten after a message about this market. */
  flattenIn(market: TradedMarket): void {
    if (this.#updateFlattening()) this.#flattening.onMarketChanged(market);
  }

  /** Stores the states that strategies saved. */
  saveStates(changes: readonly StateChange[]): void {
    this.#assignments.states.apply(changes, this.#deps.state.now);
  }

  /** Continues to flatten in all markets after an event. */
  flattenAfter(event: InputEvent): void {
    if (!this.#updateFlattening()) return;
    const isUnfilled =
      event.type === 'orderRejected' || (event.type === 'orderClosed' && event.reason === 'FAK_REMAINDER');
    if (isUnfilled) this.#flattening.onTakeUnfilled(event.market);
    this.#flattening.tryAll();
  }

  /** Drops all quotes and cancels all orders. `isAccountWide` also cancels orders that this bot did not send. */
  cancelAll({ isAccountWide = false } = {}): void {
    this.#deps.executor.clearQuotes();
    this.#deps.executor.issue(isAccountWide ? { type: 'cancelAll', isAccountWide: true } : { type: 'cancelAll' });
  }

  /** Stops flattening when nothing is left or the mode has changed. Returns whether flattening continues. */
  #updateFlattening(): boolean {
    if (this.#deps.risk.mode !== 'REDUCING') this.#setFlattening(false);
    else if (this.#flattening.isFlat) {
      this.#setFlattening(false);
      this.#deps.risk.setMode('PAUSED', this.#deps.risk.reason);
      this.cancelAll();
    }
    return this.#flattening.isOn;
  }

  #onOperatorCommand({ command, reason }: OperatorCommanded): void {
    const mode = MODE_AFTER_COMMAND[command];
    const flattenReason = reason === undefined ? FLATTEN_REASON : `${FLATTEN_REASON}: ${reason}`;
    // REDUCING cannot replace PAUSED, so `flatten` resumes first. Strategies are ignored until the bot is paused again.
    if (command === 'flatten' && this.#deps.risk.mode === 'PAUSED') this.#deps.risk.setMode('ACTIVE');
    if (mode !== undefined) this.#deps.risk.setMode(mode, command === 'flatten' ? flattenReason : reason);
    if (command !== 'cancelAll') this.#setFlattening(command === 'flatten' && this.#deps.risk.mode === 'REDUCING');
    // `reduce` cancels too, because open orders may add exposure. The next quotes replace those that reduce it.
    if (command !== 'resume') this.cancelAll({ isAccountWide: command === 'kill' });
  }

  /** Ignores strategies while flattening, because their quotes would reserve the shares that must be sold. */
  #setFlattening(isOn: boolean): void {
    this.#flattening.setOn(isOn);
    this.#deps.executor.setStrategiesIgnored(isOn);
  }

  /** Repeats a refused cancel, for example after a refused replace, unless a strategy still quotes in the market. */
  #onCancelRejected({ order, market, reason }: CancelRejected): void {
    if (reason === 'NOT_FOUND' || reason === 'ALREADY_FINAL') return;
    const instanceNo = this.#deps.state.findInstance(order);
    const isQuoted =
      instanceNo !== undefined &&
      this.#deps.strategies.registry.isActiveIn(instanceNo, market) &&
      !this.#feeStoppedMarkets.has(market);
    if (instanceNo !== undefined && !isQuoted) this.#deps.executor.retryCancel(order, market);
  }

  #updateStrategies(event: ParameterSet | MarketAdded | MarketRemoved, isRunning: boolean): void {
    this.#assignments.apply(event);
    const { strategies, executor } = this.#deps;
    const { registry } = strategies;
    if (event.type === 'marketRemoved') {
      registry.closeMarket(event.market);
      if (isRunning) strategies.stopIdleTimers();
      executor.closeMarket(event.market);
      return;
    }
    if (event.type === 'marketAdded') {
      registry.openMarket(event.info.market);
      executor.openMarket(event.info.market);
    }
    for (const number of event.type === 'parameterSet' ? [event.bot] : event.bots.map(({ bot }) => bot)) {
      const entry = this.#assignments.find(number);
      const instance = entry && this.#deps.instantiate?.(entry);
      if (instance === undefined) continue;
      registry.register(instance);
      if (isRunning) strategies.onInstanceAdded(instance, event);
    }
  }
}

/** Returns whether the venue accepts orders and the connection is up. */
function isUsable({ mode, link }: VenueState): boolean {
  return link === 'UP' && (mode === 'NORMAL' || mode === 'POST_ONLY');
}
