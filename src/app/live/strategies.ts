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
  checkPlan,
  instantiateStrategy,
  type LoadedPlan,
  type LoadOptions,
  loadPlans,
  loadStrategy,
  mergeParams,
  type NamedMarket,
  parseParams,
  runWithFaultPrefix,
  type StrategyAssignment,
  type StrategyAssignments,
  type StrategyPlan,
  tradesMarket,
} from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';

export type StrategyPlans = Readonly<Awaited<ReturnType<typeof loadStrategyPlans>>>;

type StrategyKeys = Pick<LiveFile, 'strategy' | 'params' | 'strategies' | 'allow_imports' | 'markets'>;

/** Loads all strategies. @throws FileFault for a strategy; InputFault for a name or a parameter, with its path */
export async function loadStrategyPlans(file: StrategyKeys, options: LoadOptions) {
  const plans = await loadPlans(file, options);
  const overrides = await loadOverrides(file, plans, options);
  const all: readonly StrategyPlan[] = [...plans, ...overrides.values()];
  const strategies = new Map(all.map(({ name, strategy }) => [name, strategy]));
  return {
    all,
    /** Whether the configuration has a list of `strategies`. */
    areListed: file.strategies !== undefined,
    /** Returns the plans that trade a market, in the order of the configuration. */
    forMarket(market: NamedMarket): readonly StrategyPlan[] {
      const override = overrides.get(market.slug) ?? overrides.get(market.id);
      return override === undefined ? plans.filter((plan) => tradesMarket(plan, market)) : [override];
    },
    findStrategy: (name: string): Strategy | undefined => strategies.get(name),
    /** @throws InputFault when a strategy lists a market that is not in `markets` */
    assertMarkets: (markets: readonly NamedMarket[]): void => assertMarkets(plans, markets),
  };
}

/** Loads the plans of `markets.overrides` by slug or id. Each plan replaces the file's strategy in its market. */
async function loadOverrides(
  { strategies, params, markets, allow_imports: allowImports }: StrategyKeys,
  [base]: readonly LoadedPlan[],
  options: LoadOptions,
): Promise<ReadonlyMap<string, StrategyPlan>> {
  const overrides = new Map<string, StrategyPlan>();
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
    const plan = { name: strategy.name, strategy, params: overridden };
    checkPlan(plan, path);
    overrides.set(market, plan);
  }
  return overrides;
}

const EXAMPLES = ['example-market', 'example-market-2'];

/** Creates each strategy's instance without a venue, to find errors of `create`. @throws as `instantiateStrategy` */
export function createInstancesForCheck(plans: StrategyPlans, { markets, seed }: Pick<LiveFile, 'markets' | 'seed'>) {
  const named = [...markets.slugs, ...markets.ids];
  const infos = (named.length === 0 ? EXAMPLES : named).map(exampleMarket);
  return plans.all.map((plan) => {
    const { name, strategy, params } = plan;
    const planned = infos.filter(({ slug }) => plans.forMarket({ id: slug, slug }).includes(plan));
    const all = planned.length === 0 ? EXAMPLES.map(exampleMarket) : planned;
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
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);
  return {
    market: unchecked.market(index),
    id: marketId(isId ? name : `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`),
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

/** Returns parameters that override the plan's parameters, or undefined to leave the strategy out. */
export type OverrideParams = (plan: StrategyPlan, isOnlyPlan: boolean) => Params | undefined;

export type AddInstances = (info: MarketInfo, overrideParams: OverrideParams) => readonly AddedInstance[];

/**
 * Returns a function that creates and numbers the strategy instances for an added market. An instance that is added
 * again, or has scope `run`, keeps its number, because its orders contain the number. The function throws InputFault
 * for parameters that a schema refuses, or a market that no strategy trades.
 */
export function createInstanceAdder(
  assignments: Pick<StrategyAssignments, 'entries'>,
  { forMarket }: Pick<StrategyPlans, 'forMarket'>,
): AddInstances {
  const numbers = new Map<string, InstanceNo>();
  for (const { bot, strategy, markets, removed = [] } of assignments.entries)
    for (const market of [...removed, ...markets]) numbers.set(toKey(market, strategy), bot);
  return (info, overrideParams) => {
    const { entries } = assignments;
    const plans = forMarket(info);
    if (plans.length === 0)
      throw new InputFault('market', info.slug, 'a market that a strategy of the configuration trades (markets: […])');
    const added: AddedInstance[] = [];
    let next = entries.length;
    for (const plan of plans) {
      const { name, strategy } = plan;
      const overrides = overrideParams(plan, plans.length === 1);
      if (overrides === undefined) continue;
      const params = { ...plan.params, ...overrides };
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
