/** Strategies and parameters by market, from a bot's configuration. */
import { seededRandom } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { InputFault, type MarketInfo, marketId, unchecked } from '../../domain/index.ts';
import {
  assertMarkets,
  atPath,
  type Bot,
  checkPlan,
  createBot,
  type LoadedPlan,
  type LoadOptions,
  loadPlans,
  loadStrategy,
  type StrategyPlan,
  tradesMarket,
} from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';

interface Named {
  readonly id: string;
  readonly slug: string;
}

export interface StrategyPlans {
  readonly all: readonly StrategyPlan[];
  /** Whether the configuration has a list of `strategies`. */
  readonly areListed: boolean;
  /** Plans that trade a market, in the order of the configuration. */
  forMarket(market: Named): readonly StrategyPlan[];
  findStrategy(name: string): Strategy | undefined;
  /** @throws InputFault when a strategy lists a market that is not one of these */
  assertMarkets(markets: readonly Named[]): void;
}

type Keys = Pick<LiveFile, 'strategy' | 'params' | 'strategies' | 'allow_imports' | 'markets'>;

/** Loads all strategies. @throws FileFault for a strategy; InputFault for a name or a parameter, with its path */
export async function strategyPlans(file: Keys, options: LoadOptions): Promise<StrategyPlans> {
  const plans = await loadPlans(file, options);
  const overrides = await loadOverrides(file, plans, options);
  const all = [...plans, ...overrides.values()];
  const strategies = new Map(all.map(({ name, strategy }) => [name, strategy]));
  return {
    all,
    areListed: file.strategies !== undefined,
    forMarket(market) {
      const override = overrides.get(market.slug) ?? overrides.get(market.id);
      return override === undefined ? plans.filter((plan) => tradesMarket(plan, market)) : [override];
    },
    findStrategy: (name) => strategies.get(name),
    assertMarkets: (markets) => assertMarkets(plans, markets),
  };
}

/** Plans of `markets.overrides`, by slug or id. They replace the strategy of the file. */
async function loadOverrides(
  { strategies, params, markets, allow_imports: allowImports }: Keys,
  [preset]: readonly LoadedPlan[],
  options: LoadOptions,
): Promise<ReadonlyMap<string, StrategyPlan>> {
  const overrides = new Map<string, StrategyPlan>();
  for (const [market, override] of Object.entries(markets.overrides)) {
    if (override.strategy === undefined && override.params === undefined) continue;
    const path = `markets.overrides.${market}.`;
    const field = `${path}${override.strategy === undefined ? 'params' : 'strategy'}`;
    const received = override.strategy ?? override.params;
    if (preset === undefined || strategies !== undefined) {
      const expected = 'no override beside a list of `strategies`: add an entry for the market there (markets: […])';
      throw new InputFault(field, received, expected);
    }
    const named = override.strategy;
    const { strategy } =
      named === undefined
        ? preset
        : await atPath(path, () => loadStrategy(named, { ...options, allowImports }, override.params));
    for (const { name, scope } of [preset.strategy, strategy]) {
      if (scope !== 'run') continue;
      const expected = `no override: "${name}" has scope "run" and trades all its markets with the same parameters. List it under "strategies" with its markets`;
      throw new InputFault(field, received, expected);
    }
    const isSameStrategy = strategy.name === preset.strategy.name;
    const plan = {
      name: strategy.name,
      strategy,
      params: isSameStrategy ? { ...params, ...override.params } : (override.params ?? {}),
    };
    checkPlan(plan, path);
    overrides.set(market, plan);
  }
  return overrides;
}

const EXAMPLES = ['example-market', 'example-market-2'];

/**
 * Creates each strategy once without a venue, to find errors of `create` before a bot starts. Its markets have the names of
 * the configuration, and a tick of 1 cent.
 * @throws as `createBot`
 */
export function createOnce(
  plans: StrategyPlans,
  { markets, seed }: Pick<LiveFile, 'markets' | 'seed'>,
): readonly Bot[] {
  const named = [...markets.slugs, ...markets.ids];
  const infos = (named.length === 0 ? EXAMPLES : named).map(exampleMarket);
  return plans.all.map((plan) => {
    const { name, strategy, params } = plan;
    const planned = infos.filter(({ slug }) => plans.forMarket({ id: slug, slug }).includes(plan));
    const all = planned.length === 0 ? EXAMPLES.map(exampleMarket) : planned;
    const traded = strategy.scope === 'run' ? all : all.slice(0, 1);
    return createBot({ bot: unchecked.bot(0), name, strategy, params, random: seededRandom(seed), markets: traded });
  });
}

/** @param name a slug or an id */
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
