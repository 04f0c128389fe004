/** Strategies and their parameters: by market, from a bot's configuration, and for markets that are added later. */
import { z } from 'zod';
import { seededRandom } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import {
  type AddedInstance,
  InputFault,
  type InstanceNo,
  type MarketInfo,
  type MarketNo,
  marketId,
  unchecked,
} from '../../domain/index.ts';
import type { ParameterReport } from '../../ops/index.ts';
import {
  assertMarkets,
  type ConfiguredStrategy,
  checkStrategyParams,
  instantiateStrategy,
  type LoadedEntry,
  type LoadOptions,
  loadStrategies,
  loadStrategy,
  mergeParams,
  type NamedMarket,
  parseParams,
  runWithFaultPrefix,
  type StrategyAssignment,
  type StrategyAssignments,
  toIdOrSlug,
  tradesMarket,
} from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';

export type ConfiguredStrategies = Readonly<Awaited<ReturnType<typeof loadConfiguredStrategies>>>;

type StrategyKeys = Pick<LiveFile, 'strategy' | 'params' | 'strategies' | 'allow_imports' | 'markets'>;

/** Loads all strategies. @throws FileFault for a strategy; InputFault for a name or a parameter, with its path */
export async function loadConfiguredStrategies(file: StrategyKeys, options: LoadOptions) {
  const entries = await loadStrategies(file, options);
  const overrides = await loadOverrides(file, entries, options);
  const all: readonly ConfiguredStrategy[] = [...entries, ...overrides.values()];
  const strategies = new Map(all.map(({ name, strategy }) => [name, strategy]));
  return {
    all,
    /** Whether the configuration has a list of `strategies`. */
    areListed: file.strategies !== undefined,
    /** Returns the strategies that trade a market, in the order of the configuration. */
    forMarket(market: NamedMarket): readonly ConfiguredStrategy[] {
      const override = overrides.get(market.slug) ?? overrides.get(market.id);
      return override === undefined ? entries.filter((entry) => tradesMarket(entry, market)) : [override];
    },
    findStrategy: (name: string): Strategy | undefined => strategies.get(name),
    /** @throws InputFault when a strategy lists a market that is not in `markets` */
    assertMarkets: (markets: readonly NamedMarket[]): void => assertMarkets(entries, markets),
  };
}

/** Loads the strategies of `markets.overrides` by slug or id. Each replaces the file's strategy in its market. */
async function loadOverrides(
  { strategies, params, markets, allow_imports: allowImports }: StrategyKeys,
  [base]: readonly LoadedEntry[],
  options: LoadOptions,
): Promise<ReadonlyMap<string, ConfiguredStrategy>> {
  const overrides = new Map<string, ConfiguredStrategy>();
  for (const [market, override] of Object.entries(markets.overrides)) {
    if (override.strategy === undefined && override.params === undefined) continue;
    const path = `markets.overrides.${market}.`;
    const field = `${path}${override.strategy === undefined ? 'params' : 'strategy'}`;
    const received = override.strategy ?? override.params;
    if (base === undefined || strategies !== undefined) {
      const expected =
        'no override together with a list of `strategies`: add an entry with this market to the list (markets: […])';
      throw new InputFault(field, received, expected);
    }
    const named = override.strategy;
    const { strategy } =
      named === undefined
        ? base
        : await runWithFaultPrefix(path, () => loadStrategy(named, { ...options, allowImports }, override.params));
    for (const { name, scope } of [base.strategy, strategy]) {
      if (scope !== 'run') continue;
      const expected = `no override: "${name}" has scope "run" and trades all its markets with the same parameters. List it under "strategies" with its markets`;
      throw new InputFault(field, received, expected);
    }
    const isSameStrategy = strategy.name === base.strategy.name;
    const overridden = isSameStrategy ? { ...params, ...override.params } : (override.params ?? {});
    const configured = { name: strategy.name, strategy, params: overridden };
    checkStrategyParams(configured, path);
    overrides.set(toIdOrSlug(market), configured);
  }
  return overrides;
}

const EXAMPLES = ['example-market', 'example-market-2'];

/** Creates each strategy's instance without a venue, to find errors of `create`. @throws as `instantiateStrategy` */
export function createInstancesForCheck(
  strategies: ConfiguredStrategies,
  { markets, seed }: Pick<LiveFile, 'markets' | 'seed'>,
) {
  const named = [...markets.slugs, ...markets.ids];
  const infos = (named.length === 0 ? EXAMPLES : named).map(exampleMarket);
  return strategies.all.map((configured) => {
    const { name, strategy, params } = configured;
    const chosen = infos.filter(({ slug }) =>
      strategies.forMarket({ id: toIdOrSlug(slug), slug }).includes(configured),
    );
    const all = chosen.length === 0 ? EXAMPLES.map(exampleMarket) : chosen;
    const traded = strategy.scope === 'run' ? all : all.slice(0, 1);
    return instantiateStrategy({
      bot: unchecked.instance(0),
      name,
      strategy,
      params,
      random: seededRandom(seed),
      markets: traded,
    });
  });
}

function exampleMarket(name: string, index: number): MarketInfo {
  const id = toIdOrSlug(name);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  return {
    market: unchecked.market(index),
    id: marketId(isId ? id : `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`),
    slug: name,
    question: name,
    grid: { type: 'tick', tickBps: 100 },
    scheduledResolution: undefined,
  };
}

type Schema = z.core.JSONSchema.BaseSchema;

const schemaCache = new WeakMap<Strategy, Readonly<Record<string, Schema>>>();

export function parameterReports(entry: StrategyAssignment, strategy: Strategy | undefined) {
  const schemas = strategy === undefined ? {} : readSchemas(strategy);
  const values = mergeParams(entry);
  return [...new Set([...Object.keys(schemas), ...Object.keys(values)])].map((name): ParameterReport => {
    const { description, minimum, maximum, default: defaultValue } = schemas[name] ?? {};
    return {
      strategy: entry.strategy,
      name,
      value: values[name] ?? defaultValue ?? null,
      help: description ?? null,
      minimum: bound(minimum),
      maximum: bound(maximum),
    };
  });
}

function readSchemas(strategy: Strategy): Readonly<Record<string, Schema>> {
  const known = schemaCache.get(strategy);
  if (known !== undefined) return known;
  const { properties = {} } = z.toJSONSchema(strategy.params, { io: 'input', unrepresentable: 'any', cycles: 'ref' });
  const schemas = Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => (typeof each === 'object' ? [[name, each]] : [])),
  );
  schemaCache.set(strategy, schemas);
  return schemas;
}

/** Returns null for no bound, and for the bounds of safe integers, which zod adds to the schema of an integer. */
function bound(value: number | undefined): number | null {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

export type Params = Readonly<Record<string, unknown>>;

/** Returns parameters that override those of the configuration, or undefined to leave the strategy out. */
export type OverrideParams = (configured: ConfiguredStrategy, isOnlyStrategy: boolean) => Params | undefined;

export type AddInstances = (info: MarketInfo, overrideParams: OverrideParams) => readonly AddedInstance[];

/**
 * Returns a function that creates and numbers the strategy instances for an added market. An instance that is added
 * again, or has scope `run`, keeps its number, because its orders contain the number. The function throws InputFault
 * for parameters that a schema refuses, or a market that no strategy trades.
 */
export function createInstanceAdder(
  assignments: Pick<StrategyAssignments, 'entries'>,
  { forMarket }: Pick<ConfiguredStrategies, 'forMarket'>,
): AddInstances {
  const numbers = new Map<string, InstanceNo>();
  for (const { bot, strategy, markets, removed = [] } of assignments.entries)
    for (const market of [...removed, ...markets]) numbers.set(toKey(market, strategy), bot);
  return (info, overrideParams) => {
    const { entries } = assignments;
    const strategies = forMarket(info);
    if (strategies.length === 0)
      throw new InputFault('market', info.slug, 'a market that a strategy of the configuration trades (markets: […])');
    const added: AddedInstance[] = [];
    let next = entries.length;
    for (const configured of strategies) {
      const { name, strategy } = configured;
      const overrides = overrideParams(configured, strategies.length === 1);
      if (overrides === undefined) continue;
      const params = { ...configured.params, ...overrides };
      parseParams(strategy, params);
      const runInstance = strategy.scope === 'run' ? entries.find((entry) => entry.strategy === name)?.bot : undefined;
      const known = runInstance ?? numbers.get(toKey(info.market, name));
      added.push({ bot: known ?? unchecked.instance(next), strategy: name, params: JSON.stringify(params) });
      if (known === undefined) next += 1;
    }
    for (const { bot, strategy } of added) numbers.set(toKey(info.market, strategy), bot);
    return added;
  };
}

function toKey(market: MarketNo, strategy: string): string {
  return `${market} ${strategy}`;
}
