/**
 * Changes the markets and parameters of a running bot. Invariants: each change is checked first, then becomes an event
 * of the run. A market that failed or that an operator removed is withheld until an operator adds the market again.
 */
import {
  counted,
  type Fault,
  InputFault,
  type InstanceNo,
  type MarketNo,
  type StrategyFault,
  unchecked,
} from '../../domain/index.ts';
import {
  type BotChanges,
  findByName,
  findMarket,
  type LiveBotDeps,
  listSlugs,
  type ParameterReport,
  type SetScope,
} from '../../ops/index.ts';
import { mergeParams, parseParams, type Run, type StrategyAssignment } from '../../runtime/index.ts';
import type { MarketSetup, TradedMarket } from '../../state/index.ts';
import type { FailingCommand, MarketData, MarketDirectory } from '../../venues/base/index.ts';
import { countTradedMarkets, type LiveCore, removedMarkets } from './core.ts';
import type { Grids } from './grids.ts';
import {
  type AddInstances,
  type ConfiguredStrategies,
  createInstanceAdder,
  type OverrideParams,
  type Params,
  parameterReports,
} from './strategies.ts';

export interface MarketChangesOptions extends Pick<LiveBotDeps, 'log' | 'alert' | 'commandLine' | 'venueCommandLine'> {
  readonly directory: Pick<MarketDirectory, 'isId' | 'select'>;
  readonly marketData: Pick<MarketData, 'add' | 'remove'>;
  readonly core: Pick<LiveCore, 'state' | 'assignments'>;
  readonly strategies: Pick<ConfiguredStrategies, 'areListed' | 'findStrategy' | 'forMarket'>;
  readonly grids: Grids;
  /** Called when every strategy has failed. */
  readonly onAllFailed: (fault: Error) => void;
}

type ChangedRun = Pick<Run, 'fault' | 'submit'>;

export class MarketChanges implements BotChanges {
  readonly #options: MarketChangesOptions;
  /** Instances that failed, until an operator sets a parameter or adds the market again. */
  readonly #failed = new Set<InstanceNo>();
  /** Markets in which market data or a command failed, until an operator adds the markets again. */
  readonly #failedMarkets = new Set<MarketNo>();
  #run: ChangedRun | undefined;
  readonly #addInstances: AddInstances;

  constructor(options: MarketChangesOptions) {
    this.#options = options;
    this.#addInstances = createInstanceAdder(options.core.assignments, options.strategies);
  }

  /** Sets the run, which is created after this object. Called before the first change. */
  attach(run: ChangedRun): void {
    this.#run = run;
  }

  strategyOn(market: number): string | undefined {
    const names = this.#entriesOn(market).flatMap(({ bot, strategy }) => (this.#failed.has(bot) ? [] : [strategy]));
    return names.length === 0 ? undefined : names.join(', ');
  }

  parameters(market: number): readonly ParameterReport[] {
    const { strategies } = this.#options;
    return this.#entriesOn(market).flatMap((entry) => parameterReports(entry, strategies.findStrategy(entry.strategy)));
  }

  /** Adds new markets of the configuration. Cancels orders in markets that are no longer traded. */
  async begin(added: readonly MarketSetup[]): Promise<void> {
    const { log, core, commandLine } = this.#options;
    const run = this.#attachedRun;
    for (const market of removedMarkets(core.assignments)) {
      const { slug } = core.state.market(market).info;
      const add = commandLine('market', 'add', slug);
      log.warn({ market: slug }, `a market that an operator removed is not traded: \`${add}\` trades it again`);
    }
    for (const { info, orders } of core.state.markets) {
      if (orders.length === 0 || this.#entriesOn(info.market).length > 0) continue;
      const fields = { market: info.slug, orders: orders.length };
      log.warn(fields, 'cancelling orders in a market that is no longer configured');
      run.submit({ type: 'marketRemoved', market: info.market });
    }
    for (const selected of added) await this.#add(selected, () => ({}));
  }

  async addMarket(name: string, params: Readonly<Record<string, unknown>>): Promise<string> {
    return this.#addNamed(name, ({ strategy }, isOnlyStrategy) => {
      if (Object.keys(params).length === 0 || (isOnlyStrategy && strategy.scope !== 'run')) return params;
      const expected = 'no parameters: several strategies, or one with scope "run", trade this market';
      throw new InputFault('--param', params, expected);
    });
  }

  async #addNamed(name: string, overrideParams: OverrideParams): Promise<string> {
    const { directory, core, grids } = this.#options;
    const { markets } = core.state;
    const known = findByName(markets, name);
    if (known !== undefined && this.#entriesOn(known.info.market).length > 0)
      throw new InputFault('market', name, 'a market that is not traded yet');
    const wanted = directory.isId(name) ? { ids: [name.toLowerCase()] } : { slugs: [name] };
    const numbers = {
      first: unchecked.market(markets.length),
      known: new Map(markets.map(({ info }) => [String(info.id), info.market])),
    };
    const [selected] = await directory.select(wanted, numbers);
    if (selected === undefined) throw new InputFault('market', name, 'a market that the venue has');
    const strategies = await this.#add(grids.apply(selected), overrideParams);
    return `${strategies} ${strategies.includes(', ') ? 'are' : 'is'} on ${selected.info.slug}`;
  }

  /** Cancels the market's orders and stops trading there. The bot follows the book, to value or claim holdings. */
  removeMarket(name: string): string {
    const { info, position } = this.#findTraded(name);
    this.#attachedRun.submit({ type: 'marketRemoved', market: info.market, byOperator: true });
    const held = position.net === 0 ? '' : ' and are still valued';
    return `${info.slug} is no longer traded until \`${this.#options.commandLine('market', 'add', info.slug)}\`: its orders are being cancelled, its holdings stay${held}`;
  }

  /** Like `removeMarket`, but a restart or a later selection may choose the market again. */
  leaveMarket(id: string): string {
    const { info, position } = this.#findTraded(id);
    this.#attachedRun.submit({ type: 'marketRemoved', market: info.market });
    const held = position.net === 0 ? '' : ', its holdings stay and are still valued';
    return `${info.slug}: its orders are being cancelled${held}`;
  }

  /** Whether the market was removed by an operator or has failed, and was not added again. */
  isWithheld(id: string): boolean {
    const market = findByName(this.#options.core.state.markets, id)?.info.market;
    if (market === undefined) return false;
    return this.#failedMarkets.has(market) || removedMarkets(this.#options.core.assignments).includes(market);
  }

  setParameter(key: string, value: unknown, { market, strategy }: SetScope): string {
    const { strategies } = this.#options;
    const run = this.#attachedRun;
    const entries = this.#entriesToSet(market, strategy);
    for (const entry of entries) {
      const { strategy: name } = entry;
      const code = strategies.findStrategy(name);
      if (code === undefined) throw new InputFault('strategy', name, 'a strategy of the configuration');
      if (code.scope === 'run' && market !== undefined) {
        const expected = `no market, as "${name}" has scope "run": one instance trades all its markets`;
        throw new InputFault('--market', market, expected);
      }
      parseParams(code, { ...mergeParams(entry), [key]: value });
    }
    for (const { bot } of entries) {
      run.submit({ type: 'parameterSet', bot, name: key, value: JSON.stringify(value) });
      this.#failed.delete(bot);
    }
    const where = market ?? counted(countTradedMarkets({ entries }), 'market');
    return `${key} is ${JSON.stringify(value)} on ${where}`;
  }

  #entriesToSet(market: string | undefined, strategy: string | undefined): readonly StrategyAssignment[] {
    const { entries } = this.#options.core.assignments;
    const found =
      market === undefined
        ? entries.filter(({ markets }) => markets.length > 0)
        : this.#entriesOn(this.#findTraded(market).info.market);
    const names = [...new Set(found.map((entry) => entry.strategy))];
    if (strategy === undefined) {
      if (this.#options.strategies.areListed && names.length > 1)
        throw new InputFault('--strategy', undefined, `one of ${names.join(', ')}, as several strategies trade there`);
      return found;
    }
    if (!names.includes(strategy)) throw new InputFault('--strategy', strategy, `one of ${names.join(', ')}`);
    return found.filter((entry) => entry.strategy === strategy);
  }

  /** Stops trading a market whose market data failed. Adds the market again after a change of its tick. */
  onMarketFailed(market: MarketNo | undefined, fault: Fault): void {
    const { log, marketData, alert } = this.#options;
    const run = this.#attachedRun;
    if (fault.code === 'TRADE_CONFLICT')
      alert('trade_conflict', `halfspread: ${fault.message}`, market === undefined ? {} : { market });
    if (market === undefined) {
      log.error({ problem: fault.message }, 'a trade in a market outside of this run contradicts itself');
      return;
    }
    const active = this.#entriesOn(market).filter(({ bot }) => !this.#failed.has(bot));
    const isAddedAgain = fault.code === 'TICK_CHANGED' && active.length > 0;
    const result = isAddedAgain ? 'is added again' : 'is no longer traded';
    log.error({ market, problem: fault.message }, `a market ${result}`);
    // Deferred, because the core may be processing a message.
    queueMicrotask(() => {
      if (run.fault !== undefined) return;
      run.submit({ type: 'marketRemoved', market });
      marketData.remove(market);
      this.#failedMarkets.add(market);
      if (isAddedAgain)
        void this.#addAgain(market, new Map(active.map((entry) => [entry.strategy, mergeParams(entry)])));
    });
  }

  /** Stops trading a failing command's markets until an operator adds the markets again. Still follows the books. */
  onCommandStuck({ command, problem, markets }: FailingCommand): void {
    const { log, core, alert, commandLine, venueCommandLine } = this.#options;
    const run = this.#attachedRun;
    const slugs = markets.map((market) => core.state.market(market).info.slug);
    const [first] = slugs;
    const which = slugs.length === 1 ? 'it' : 'the first of them';
    const where =
      first === undefined
        ? ''
        : ` No longer traded: ${listSlugs(slugs)}. \`${commandLine('market', 'add', first)}\` trades ${which} again.`;
    const text = `${command} keeps failing (${problem}) and is repeated slowly.${where}`;
    log.error({ command, problem, markets: slugs }, text);
    const remedy = `Check the orders at the venue: \`${venueCommandLine('orders')}\``;
    alert('stuck', `halfspread: ${text} ${remedy}`, { command, markets: slugs.length });
    queueMicrotask(() => {
      if (run.fault !== undefined) return;
      for (const market of markets) {
        this.#failedMarkets.add(market);
        if (this.#entriesOn(market).length > 0) run.submit({ type: 'marketRemoved', market });
      }
    });
  }

  /** Adds a market with its new prices. The venue has cancelled the orders at the old prices. */
  async #addAgain(market: MarketNo, params: ReadonlyMap<string, Params>): Promise<void> {
    const { log, core, commandLine } = this.#options;
    const { info } = core.state.market(market);
    try {
      const result = await this.#addNamed(String(info.id), ({ name }) => params.get(name));
      log.info({ market: info.slug, result }, 'a market was added again');
    } catch (error) {
      const add = commandLine('market', 'add', info.slug);
      log.error({ market: info.slug, err: error }, `a market could not be added again: \`${add}\` tries again`);
    }
  }

  /** Handles the failure of a strategy instance. The run ends when every instance has failed. */
  onInstanceRetired(fault: StrategyFault): void {
    const { core, onAllFailed } = this.#options;
    this.#failed.add(fault.failure.bot);
    if (core.assignments.entries.every(({ bot, markets }) => markets.length === 0 || this.#failed.has(bot)))
      onAllFailed(fault);
  }

  /** @returns names of the market's strategies @throws InputFault for invalid parameters; Fault LINK without a book */
  async #add(selected: MarketSetup, overrideParams: OverrideParams): Promise<string> {
    const { core, marketData } = this.#options;
    const run = this.#attachedRun;
    const { info, limits, state } = selected;
    if (state === undefined) throw new Error('Invariant: a selected market has a state');
    const added = this.#addInstances(info, overrideParams);
    const wasRemoved = removedMarkets(core.assignments).includes(info.market);
    // Reads the book of a removed market again, because its prices may have changed.
    marketData.remove(info.market);
    run.submit({ type: 'marketAdded', info, limits, state, bots: added });
    for (const { bot } of added) this.#failed.delete(bot);
    this.#failedMarkets.delete(info.market);
    try {
      await marketData.add(selected);
    } catch (error) {
      marketData.remove(info.market);
      run.submit({ type: 'marketRemoved', market: info.market, ...(wasRemoved && { byOperator: true }) });
      throw error;
    }
    return added.map(({ strategy }) => strategy).join(', ');
  }

  get #attachedRun(): ChangedRun {
    if (this.#run === undefined) throw new Error('Invariant: a market changes only after `attach`');
    return this.#run;
  }

  #entriesOn(market: number): readonly StrategyAssignment[] {
    return this.#options.core.assignments.entries.filter(({ markets }) => markets.some((each) => each === market));
  }

  #findTraded(name: string): TradedMarket {
    return findMarket(this.#options.core.state, name, ({ info }) => this.#entriesOn(info.market).length > 0);
  }
}
