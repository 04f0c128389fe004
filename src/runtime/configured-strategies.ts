/**
 * Creates the strategy instances of a run. A strategy of scope `market` has one instance for each market. A strategy of
 * scope `run` has a single instance for all its markets. Backtest, paper and live use the same rules.
 *
 * Instances are numbered market by market, and within a market in the order of the configuration.
 */
import type { Random } from '../clock/index.ts';
import { InputFault, type InstanceNo, type MarketInfo, type MarketNo, unchecked } from '../domain/index.ts';
import { type Strategy, type StrategyKeys, type StrategyLog, strategyEntries } from '../strategy/index.ts';
import { type LoadedStrategy, type LoadOptions, loadStrategy } from './loader.ts';
import { toIdOrSlug } from './market-id-from-name.ts';
import { instantiateStrategy, parseParams, type StrategyInstance } from './strategy-instance.ts';
import type { LogSource } from './strategy-log.ts';
import { mergeParams, type StrategyAssignment } from './strategy-registry.ts';
import type { StrategyStates } from './strategy-states.ts';

/** A strategy and its parameters, as the configuration gives them. */
export interface ConfiguredStrategy {
  /** Name in assignments, reports and commands, unique in the run. */
  readonly name: string;
  readonly strategy: Strategy;
  /** Unparsed parameters, which the strategy's schema accepts. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A loaded entry of the configuration's strategies. */
export interface LoadedEntry extends ConfiguredStrategy {
  readonly loaded: LoadedStrategy;
  /** Slugs, ids or condition ids of the strategy's markets; undefined for all markets of the run. */
  readonly markets: readonly string[] | undefined;
  /** Prefix of the strategy's keys in the file: empty, or `strategies[1].`. */
  readonly prefix: string;
}

/**
 * Loads the strategies of a configuration.
 * @throws FileFault for a strategy; InputFault for a name or a parameter, with its path
 */
export async function loadStrategies(keys: StrategyKeys, options: LoadOptions): Promise<readonly LoadedEntry[]> {
  const strategies: LoadedEntry[] = [];
  for (const { strategy: file, params, prefix, markets, name } of strategyEntries(keys)) {
    const loadOptions = { ...options, allowImports: keys.allow_imports };
    const loaded = await runWithFaultPrefix(prefix, () => loadStrategy(file, loadOptions, params));
    const { strategy } = loaded;
    const entry = { name: name ?? strategy.name, strategy, params, loaded, markets, prefix };
    if (strategies.some((other) => other.name === entry.name)) {
      throw new InputFault(`${prefix}name`, entry.name, 'another name than that of a strategy above (name: my-second)');
    }
    checkStrategyParams(entry, prefix);
    strategies.push(entry);
  }
  return strategies;
}

/** Runs `load`, and adds a prefix to the field of an InputFault. @param prefix of the strategy's keys in the file */
export async function runWithFaultPrefix<T>(prefix: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (fault) {
    throw addPrefix(prefix, fault);
  }
}

/** @param prefix of the strategy's keys in the file. @throws InputFault with the path of a refused parameter */
export function checkStrategyParams({ strategy, params }: ConfiguredStrategy, prefix: string): void {
  try {
    parseParams(strategy, params);
  } catch (fault) {
    throw addPrefix(prefix, fault, fault instanceof Error ? fault.cause : undefined);
  }
}

function addPrefix(prefix: string, fault: unknown, cause = fault): unknown {
  if (!(fault instanceof InputFault) || prefix === '') return fault;
  return new InputFault(`${prefix}${fault.field}`, fault.received, fault.expected, { cause });
}

/** A market with the names that a configuration may use. */
export interface NamedMarket {
  readonly id: string;
  readonly slug: string;
}

export function tradesMarket({ markets }: Pick<LoadedEntry, 'markets'>, { slug, id }: NamedMarket): boolean {
  return markets === undefined || markets.some((name) => [slug, id].includes(toIdOrSlug(name)));
}

/** @throws InputFault when a strategy lists a market that the run does not have */
export function assertMarkets(strategies: readonly LoadedEntry[], markets: readonly NamedMarket[]): void {
  for (const { markets: named = [], prefix } of strategies) {
    for (const [index, name] of named.entries()) {
      if (markets.some((market) => tradesMarket({ markets: [name] }, market))) continue;
      const slugs = markets.slice(0, 5).map(({ slug }) => slug);
      const list = `${slugs.join(', ')}${markets.length > slugs.length ? ', …' : ''}`;
      throw new InputFault(`${prefix}markets[${index}]`, name, `the slug or id of a market of this run: ${list}`);
    }
  }
}

/**
 * Assigns strategies to markets. Omits markets that an operator removed.
 * @param strategiesFor returns the strategies of a market, in the order of the configuration
 * @param before assignments of an earlier run. An instance of the same strategy on the same market keeps its number,
 * because its orders contain the number
 */
export function assignStrategies(
  markets: readonly MarketInfo[],
  strategiesFor: (market: MarketInfo) => readonly ConfiguredStrategy[],
  before: readonly StrategyAssignment[] = [],
): readonly StrategyAssignment[] {
  const entries: StrategyAssignment[] = before.map((entry) => ({ ...entry, markets: [] }));
  const used = new Set<InstanceNo>();
  const instances = new Map<string, InstanceNo>();
  for (const info of markets) {
    const { market } = info;
    if (before.some(({ removed }) => removed?.includes(market))) continue;
    const strategies = strategiesFor(info);
    const candidates = before.filter((entry) => entry.markets.includes(market) && !used.has(entry.bot));
    // A new strategy on the market gets the number of a replaced strategy, and with the number its open orders.
    const replaced = candidates.filter(({ strategy }) => !strategies.some(({ name }) => name === strategy));
    for (const { name, strategy, params } of strategies) {
      const isForRun = strategy.scope === 'run';
      const earlier = (isForRun ? before : candidates).find((entry) => entry.strategy === name && !used.has(entry.bot));
      const known = isForRun ? (instances.get(name) ?? earlier?.bot) : (earlier ?? replaced.shift())?.bot;
      const instanceNo = known ?? unchecked.instance(entries.length);
      const entry = entries[instanceNo];
      const changed = entry?.strategy === name ? entry.changed : {};
      const traded = [...(entry?.markets ?? []), market];
      entries[instanceNo] = {
        ...entry,
        bot: instanceNo,
        strategy: name,
        params: JSON.stringify(params),
        changed,
        markets: traded,
      };
      used.add(instanceNo);
      instances.set(name, instanceNo);
    }
  }
  return entries;
}

export interface InstanceOptions {
  /** Returns a strategy by its name in the assignment. */
  readonly findStrategy: (name: string) => Strategy | undefined;
  /** Random numbers of the run. The stream of an instance depends only on its strategy's name and its market. */
  readonly random: Random;
  readonly findInfo: (market: MarketNo) => MarketInfo;
  /** Returns the log of an instance. Default: none. */
  readonly createLog?: (source: LogSource) => StrategyLog;
  /** Saved states. Default: none. */
  readonly states?: Pick<StrategyStates, 'find'>;
}

/** Creates an assignment's instance. An instance without a market does nothing. @throws as `instantiateStrategy` */
export function instantiateAssignment(entry: StrategyAssignment, options: InstanceOptions): StrategyInstance {
  const { findStrategy, random, findInfo, createLog, states } = options;
  const { bot, strategy: name, markets } = entry;
  const infos = markets.map(findInfo);
  const [market] = infos;
  if (market === undefined) return { bot, name, params: {}, markets, handlers: {}, timers: [] };
  const strategy = findStrategy(name);
  if (strategy === undefined) throw new InputFault('strategy', name, 'a strategy that the configuration names');
  const stream = strategy.scope === 'run' ? `strategy ${name}` : `strategy ${name} in ${market.id}`;
  const source = { strategy: name, ...(infos.length === 1 && { market: market.slug }) };
  return instantiateStrategy({
    bot,
    name,
    strategy,
    params: mergeParams(entry),
    random: random.fork(stream),
    markets: infos,
    ...(states !== undefined && { readState: (owner) => states.find(owner) }),
    ...(createLog !== undefined && { log: createLog(source) }),
  });
}
