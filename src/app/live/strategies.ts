/** Which strategy with which parameters a bot puts on which market. */

import type { LiveFile } from '../../config/live-schema.ts';
import { InputFault } from '../../domain/index.ts';
import { type LoadOptions, loadStrategy, parsedParams } from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';

/** A strategy, and its parameters as people wrote them: they have passed its schema. */
interface StrategyPlan {
  readonly strategy: Strategy;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface StrategyPlans {
  readonly all: readonly StrategyPlan[];
  /** Slugs and ids that have their own. */
  readonly overridden: readonly string[];
  /** @param extra laid over the parameters that the file has for it. @throws InputFault when the schema refuses them */
  of(market: { readonly id: string; readonly slug: string }, extra?: Readonly<Record<string, unknown>>): StrategyPlan;
  /** By the name that a stored bot carries. */
  named(name: string): Strategy | undefined;
}

/** Loads all strategies of the file. @throws FileFault for a strategy; InputFault for a name or a parameter, with its path */
export async function strategyPlans(
  { strategy: name, params, markets }: Pick<LiveFile, 'strategy' | 'params' | 'markets'>,
  options: LoadOptions,
): Promise<StrategyPlans> {
  const loaded = new Map<string, Strategy>();
  const load = async (wanted: string): Promise<Strategy> => {
    const known = loaded.get(wanted) ?? (await loadStrategy(wanted, options)).strategy;
    loaded.set(wanted, known);
    return known;
  };
  const preset = checked({ strategy: await load(name), params }, '');
  const plans = new Map<string, StrategyPlan>();
  for (const [market, over] of Object.entries(markets.overrides)) {
    const own = over.strategy !== undefined && over.strategy !== name;
    const plan = {
      strategy: own ? await named(over.strategy ?? name, market, load) : preset.strategy,
      params: own ? (over.params ?? {}) : { ...params, ...over.params },
    };
    plans.set(market, checked(plan, `markets.overrides.${market}.`));
  }
  return {
    all: [preset, ...plans.values()],
    overridden: [...plans.keys()],
    of({ id, slug }, extra = {}) {
      const plan = plans.get(slug) ?? plans.get(id) ?? preset;
      return checked({ strategy: plan.strategy, params: { ...plan.params, ...extra } }, '');
    },
    named: (wanted) => [...loaded.values()].find((strategy) => strategy.name === wanted),
  };
}

/** @throws InputFault with the path of the override */
async function named(name: string, market: string, load: (name: string) => Promise<Strategy>): Promise<Strategy> {
  try {
    return await load(name);
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    throw new InputFault(`markets.overrides.${market}.strategy`, name, fault.expected, { cause: fault });
  }
}

function checked(plan: StrategyPlan, at: string): StrategyPlan {
  try {
    parsedParams(plan.strategy, plan.params);
    return plan;
  } catch (fault) {
    if (!(fault instanceof InputFault) || at === '') throw fault;
    const expected = /expected (.*), (?:got .*|but it is missing)$/s.exec(fault.message)?.[1] ?? 'another value';
    throw new InputFault(`${at}${fault.field}`, fault.received, expected, { cause: fault.cause });
  }
}
