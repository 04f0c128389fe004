/**
 * The strategies of each market. `StrategyAssignments` is plain data, built from events. `StrategyRegistry` has the
 * running strategy instances, and their handlers by market.
 *
 * HOT: `listenersIn` is called at the end of every message (bench/core.ts). Its lists are rebuilt when instances or
 * markets change.
 */
import {
  type AddedInstance,
  type InputEvent,
  type InstanceNo,
  type MarketNo,
  type MarketRemoved,
  unchecked,
} from '../domain/index.ts';
import type { AccountState } from '../state/index.ts';
import type { StrategyHandlers } from '../strategy/index.ts';
import { Effects } from './effects.ts';
import type { StrategyInstance } from './strategy-instance.ts';
import { type StateOwner, type StoredState, StrategyStates } from './strategy-states.ts';

/** The instances with a handler for events of one market, ordered by number. */
export interface Listeners {
  readonly onMarket: readonly StrategyInstance[];
  readonly onTrade: readonly StrategyInstance[];
  readonly onBook: readonly StrategyInstance[];
  readonly onConfig: readonly StrategyInstance[];
  readonly onPrices: readonly StrategyInstance[];
}

const NO_LISTENERS: readonly never[] = [];
const NO_MARKETS: ReadonlySet<MarketNo> = new Set();

/**
 * Invariant: only instances in `instances` are called. An instance whose markets are all closed has no handlers and no
 * timers until one of its markets opens again. A retired instance has no handlers until it is registered again.
 */
export class StrategyRegistry {
  readonly #registered: StrategyInstance[] = [];
  #instances: readonly StrategyInstance[] = [];
  readonly #state: AccountState;
  readonly #effects: Effects;
  /** The markets of each instance, including closed ones. */
  readonly #markets: ReadonlySet<MarketNo>[] = [];
  /** Instances that failed. Their handlers are no longer called. */
  readonly #retired = new Set<InstanceNo>();
  readonly #closedMarkets = new Set<MarketNo>();
  #listeners: readonly Listeners[] = [];
  #wantsTrades = false;

  /** @throws RangeError when an instance's number differs from its index in the list */
  constructor(instances: readonly StrategyInstance[], state: AccountState, effects = new Effects()) {
    this.#state = state;
    this.#effects = effects;
    for (const instance of instances) this.#add(instance);
    this.#rebuildListeners();
  }

  /** All instances by number, but idle instances without their handlers and timers. */
  get instances(): readonly StrategyInstance[] {
    return this.#instances;
  }

  /** Whether any active instance has an `onTrade` handler. */
  get wantsTrades(): boolean {
    return this.#wantsTrades;
  }

  listenersIn(market: number): Listeners {
    return this.#listeners[market]!;
  }

  /** Returns the instance; undefined for a retired one. */
  findActive(instanceNo: InstanceNo): StrategyInstance | undefined {
    return this.#retired.has(instanceNo) ? undefined : this.#instances[instanceNo];
  }

  /** Returns whether the instance trades the market now. */
  isActiveIn(instanceNo: InstanceNo, market: MarketNo): boolean {
    return (
      this.findActive(instanceNo) !== undefined &&
      this.allowedMarkets(instanceNo).has(market) &&
      !this.#closedMarkets.has(market)
    );
  }

  /** Returns the markets for which the instance may return intents. Intents for a closed market are ignored. */
  allowedMarkets(instanceNo: InstanceNo): ReadonlySet<MarketNo> {
    return this.#markets[instanceNo] ?? NO_MARKETS;
  }

  /** Returns the instance to which the core attributes its own commands in a market: the first there, or else 0. */
  instanceForMarket(market: MarketNo): InstanceNo {
    return this.#registered.find(({ markets }) => markets.includes(market))?.bot ?? unchecked.instance(0);
  }

  /**
   * Adds an instance, or replaces the instance with the same number.
   * @throws RangeError when the number is above the number that the next new instance gets
   */
  register(instance: StrategyInstance): void {
    this.#add(instance);
    this.#retired.delete(instance.bot);
    this.#rebuildListeners();
  }

  /** Calls handlers for a market from now on. */
  openMarket(market: MarketNo): void {
    this.#closedMarkets.delete(market);
    this.#rebuildListeners();
  }

  /** Stops calling handlers for a market. Instances without another market become idle. */
  closeMarket(market: MarketNo): void {
    this.#closedMarkets.add(market);
    this.#rebuildListeners();
  }

  retire(instanceNo: InstanceNo): void {
    this.#retired.add(instanceNo);
    this.#rebuildListeners();
  }

  #add(instance: StrategyInstance): void {
    if (instance.bot > this.#registered.length) {
      throw new RangeError(
        `Invariant: instance ${instance.bot} ("${instance.name}") is at index ${this.#registered.length}`,
      );
    }
    this.#registered[instance.bot] = instance;
    const { saved } = instance;
    saved?.onSave((value) => this.#effects.saveState(instance.bot, { ...saved.owner, value }));
    instance.runningTimers?.onChange((change) => this.#effects.changeTimer({ ...change, bot: instance.bot }));
    this.#markets[instance.bot] = new Set(instance.markets);
  }

  #rebuildListeners(): void {
    this.#instances = this.#registered.map((instance) =>
      this.isIdle(instance) ? { ...instance, handlers: {}, timers: [] } : instance,
    );
    const active = this.#instances.filter(({ bot }) => !this.#retired.has(bot));
    this.#listeners = this.#state.markets.map(({ info }) =>
      findListeners(this.#closedMarkets.has(info.market) ? NO_LISTENERS : active, info.market),
    );
    this.#wantsTrades = active.some(({ handlers }) => handlers.onTrade !== undefined);
  }

  /** Returns whether the instance is retired or all its markets are closed. */
  isIdle({ bot, markets }: Pick<StrategyInstance, 'bot' | 'markets'>): boolean {
    if (this.#retired.has(bot)) return true;
    return markets.length > 0 && markets.every((market) => this.#closedMarkets.has(market));
  }
}

function findListeners(instances: readonly StrategyInstance[], market: MarketNo): Listeners {
  const marketInstances = instances.filter((instance) => instance.markets.includes(market));
  const withHandler = (handler: keyof StrategyHandlers) =>
    marketInstances.filter(({ handlers }) => handlers[handler] !== undefined);
  return {
    onMarket: withHandler('onMarket'),
    onTrade: withHandler('onTrade'),
    onBook: withHandler('onBook'),
    onConfig: withHandler('onConfig'),
    onPrices: withHandler('onPrices'),
  };
}

/** A strategy instance with its parameters and markets. */
export interface StrategyAssignment {
  readonly bot: InstanceNo;
  /** The strategy's name. */
  readonly strategy: string;
  /** All parameters of the configuration, as a JSON object. */
  readonly params: string;
  /** Parameters that were changed at run time, by name. The values are JSON. */
  readonly changed: Readonly<Record<string, string>>;
  /** The traded markets; empty when all were removed. */
  readonly markets: readonly MarketNo[];
  /** Markets that an operator removed. Absent if there are none. */
  readonly removed?: readonly MarketNo[];
}

/**
 * The configuration's assignments, with the changes that operators made. Only events change assignments, so a restart
 * restores the changes.
 */
export class StrategyAssignments {
  /** States that strategies saved in this run and in earlier runs. */
  readonly states: StrategyStates;
  readonly #entries: StrategyAssignment[];

  /** @throws RangeError when an instance's number differs from its index in the list */
  constructor(entries: readonly StrategyAssignment[] = [], states: readonly StoredState[] = []) {
    for (const [index, { bot, strategy }] of entries.entries()) {
      if (bot !== index) throw new RangeError(`Invariant: instance ${bot} ("${strategy}") is at index ${index}`);
    }
    this.#entries = [...entries];
    this.states = new StrategyStates(states, (owner) => this.#isUsed(owner));
  }

  /** A copy of all assignments, ordered by instance number. Plain data. */
  get entries(): readonly StrategyAssignment[] {
    return [...this.#entries];
  }

  find(instanceNo: InstanceNo): StrategyAssignment | undefined {
    return this.#entries[instanceNo];
  }

  /** Applies events that change the list. Ignores all others. */
  apply(event: InputEvent): void {
    switch (event.type) {
      case 'parameterSet':
        this.#change(event.bot, ({ changed }) => ({ changed: { ...changed, [event.name]: event.value } }));
        return;
      case 'marketAdded':
        for (const added of event.bots) this.#add(added, event.info.market);
        return;
      case 'marketRemoved':
        for (const { bot, markets } of this.#entries) {
          if (markets.includes(event.market)) this.#change(bot, (entry) => withoutMarket(entry, event));
        }
    }
  }

  /** Assigns an added market to the instance with the event's number and parameters. */
  #add({ bot, strategy, params }: AddedInstance, market: MarketNo): void {
    if (bot > this.#entries.length)
      throw new RangeError(`Invariant: instance ${bot} is not the next one, ${this.#entries.length}`);
    for (const [index, { removed, ...entry }] of this.#entries.entries()) {
      const stillRemoved = removed?.filter((other) => other !== market) ?? [];
      this.#entries[index] = stillRemoved.length === 0 ? entry : { ...entry, removed: stillRemoved };
    }
    const known = this.#entries[bot];
    const others = known?.markets.filter((other) => other !== market) ?? [];
    // An instance with other markets keeps its parameters.
    const isOnlyMarket = known === undefined || others.length === 0;
    const entry = isOnlyMarket ? { ...known, bot, strategy, params, changed: {} } : known;
    this.#entries[bot] = { ...entry, markets: [...others, market] };
  }

  #isUsed({ strategy, market }: StateOwner): boolean {
    return this.#entries.some((entry) => {
      if (entry.strategy !== strategy) return false;
      return market === undefined ? entry.markets.length > 0 : entry.markets.includes(market);
    });
  }

  #change(instanceNo: InstanceNo, change: (entry: StrategyAssignment) => Partial<StrategyAssignment>): void {
    const entry = this.#entries[instanceNo];
    if (entry !== undefined) this.#entries[instanceNo] = { ...entry, ...change(entry) };
  }
}

function withoutMarket({ markets, removed = [] }: StrategyAssignment, { market, byOperator }: MarketRemoved) {
  const others = markets.filter((other) => other !== market);
  return { markets: others, ...(byOperator === true && { removed: [...removed, market] }) };
}

/** Returns all parameters of an assignment, with the changed values. */
export function mergeParams({ params, changed }: StrategyAssignment): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = JSON.parse(params);
  for (const [name, value] of Object.entries(changed)) all[name] = JSON.parse(value);
  return all;
}
