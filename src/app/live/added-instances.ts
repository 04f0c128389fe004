import {
  type AddedBot,
  type BotNo,
  InputFault,
  type MarketInfo,
  type MarketNo,
  unchecked,
} from '../../domain/index.ts';
import { parsedParams, type StrategyAssignments, type StrategyPlan } from '../../runtime/index.ts';
import type { StrategyPlans } from './strategies.ts';

export type Params = Readonly<Record<string, unknown>>;

/** Returns parameters that override those of a plan, or undefined to leave the strategy out. */
export type OverrideParams = (plan: StrategyPlan, isAlone: boolean) => Params | undefined;

/** Creates strategy instances for markets that are added while the bot runs, and assigns their numbers. */
export class AddedInstances {
  readonly #assignments: Pick<StrategyAssignments, 'entries'>;
  readonly #plans: Pick<StrategyPlans, 'forMarket'>;
  /** By market and strategy. An instance that is added again keeps its number, because its orders have it. */
  readonly #numbers = new Map<string, BotNo>();

  constructor(assignments: Pick<StrategyAssignments, 'entries'>, plans: Pick<StrategyPlans, 'forMarket'>) {
    this.#assignments = assignments;
    this.#plans = plans;
    for (const { bot, strategy, markets, removed = [] } of assignments.entries)
      for (const market of [...removed, ...markets]) this.#numbers.set(keyOf(market, strategy), bot);
  }

  /**
   * The instances that trade a market from now on. An instance of scope `run` keeps its number.
   * @throws InputFault for parameters that a schema refuses, or a market that no strategy trades
   */
  addTo(info: MarketInfo, overrideParams: OverrideParams): readonly AddedBot[] {
    const { entries } = this.#assignments;
    const plans = this.#plans.forMarket(info);
    if (plans.length === 0) {
      throw new InputFault('market', info.slug, 'a market that a strategy of the configuration trades (markets: […])');
    }
    const bots: AddedBot[] = [];
    let next = entries.length;
    for (const plan of plans) {
      const { name, strategy } = plan;
      const overrides = overrideParams(plan, plans.length === 1);
      if (overrides === undefined) continue;
      const params = { ...plan.params, ...overrides };
      parsedParams(strategy, params);
      const instance = strategy.scope === 'run' ? entries.find((entry) => entry.strategy === name)?.bot : undefined;
      const known = instance ?? this.#numbers.get(keyOf(info.market, name));
      bots.push({ bot: known ?? unchecked.bot(next), strategy: name, params: JSON.stringify(params) });
      if (known === undefined) next += 1;
    }
    for (const { bot, strategy } of bots) this.#numbers.set(keyOf(info.market, strategy), bot);
    return bots;
  }
}

function keyOf(market: MarketNo, strategy: string): string {
  return `${market} ${strategy}`;
}
