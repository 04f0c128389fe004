import { type AddedBot, type BotNo, counted, InputFault, type MarketInfo, type MarketNo } from '../../domain/index.ts';
import { parsedParams, type StrategyAssignments, type StrategyPlan } from '../../runtime/index.ts';
import type { StrategyPlans } from './strategies.ts';

export type Params = Readonly<Record<string, unknown>>;

/** Parameters that are laid over those of a plan; undefined leaves the strategy out. */
export type ParamsOn = (plan: StrategyPlan, isAlone: boolean) => Params | undefined;

/** The instances of strategies that begin on a market while the bot runs, and their numbers. */
export class AddedInstances {
  readonly #roster: Pick<StrategyAssignments, 'entries'>;
  readonly #plans: Pick<StrategyPlans, 'on'>;
  /** By market and strategy: an instance that comes back has the number that its orders carry. */
  readonly #numbers = new Map<string, BotNo>();

  constructor(roster: Pick<StrategyAssignments, 'entries'>, plans: Pick<StrategyPlans, 'on'>) {
    this.#roster = roster;
    this.#plans = plans;
    for (const { bot, strategy, markets, removed = [] } of roster.entries)
      for (const market of [...removed, ...markets]) this.#numbers.set(keyOf(market, strategy), bot);
  }

  /**
   * Those that trade a market from now on. One of scope `run` keeps its number.
   * @throws InputFault for parameters that a schema refuses, or a market that no strategy trades
   */
  on(info: MarketInfo, paramsOn: ParamsOn): readonly AddedBot[] {
    const { entries } = this.#roster;
    const here = this.#plans.on(info);
    if (here.length === 0) {
      throw new InputFault('market', info.slug, 'a market that a strategy of the configuration trades (markets: […])');
    }
    const bots: AddedBot[] = [];
    let next = entries.length;
    for (const plan of here) {
      const { name, strategy } = plan;
      const own = paramsOn(plan, here.length === 1);
      if (own === undefined) continue;
      const params = { ...plan.params, ...own };
      parsedParams(strategy, params);
      const instance = strategy.scope === 'run' ? entries.find((entry) => entry.strategy === name)?.bot : undefined;
      const known = instance ?? this.#numbers.get(keyOf(info.market, name));
      bots.push({ bot: known ?? counted.bot(next), strategy: name, params: JSON.stringify(params) });
      if (known === undefined) next += 1;
    }
    for (const { bot, strategy } of bots) this.#numbers.set(keyOf(info.market, strategy), bot);
    return bots;
  }
}

function keyOf(market: MarketNo, strategy: string): string {
  return `${market} ${strategy}`;
}
