import {
  type Approved,
  type BotNo,
  type Conversion,
  column,
  counted,
  isFinal,
  LOT,
  type MarketNo,
  type MicroShares,
  type OrderCommand,
  type OrderNo,
  type TakeIntent,
  yesPrice,
  yesSign,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import { placeLegs } from './compose.ts';
import type { Plan, Planner } from './planner.ts';
import { Pool } from './pool.ts';
import { planQuotes, type QuoteTools } from './quote-plan.ts';

/** How wishes are carried out. */
export interface PlannerOptions {
  /** The number of the first order that is placed. */
  readonly firstOrder: OrderNo;
  /**
   * A line that lacks no more than this part of its size is left as it is, so that a small fill does not cost the rest
   * its place in the queue; percent, 0 or more. Default 10.
   */
  readonly sizeTolerancePct?: number;
  /** Idle pairs beyond this many shares are merged by `sweep`. Default: never. */
  readonly mergeThreshold?: MicroShares;
}

/** The account's planner. One for all its strategies, as order numbers are the account's. */
export function createPlanner(options: PlannerOptions): Planner {
  return new OrderPlanner(options);
}

class OrderPlanner implements Planner {
  readonly #tools: QuoteTools;
  readonly #mergeThreshold: MicroShares | undefined;
  #next: number;

  constructor({ firstOrder, sizeTolerancePct = 10, mergeThreshold }: PlannerOptions) {
    this.#next = firstOrder;
    const draw = (): OrderNo => this.#draw();
    this.#tools = { draw, sizeTolerancePct, retained: { last: undefined } };
    this.#mergeThreshold = mergeThreshold;
  }

  get nextOrder(): OrderNo {
    return counted.order(this.#next);
  }

  plan(intent: Approved, bot: BotNo, view: AccountView): Plan {
    switch (intent.type) {
      case 'quote':
        return planQuotes(intent, bot, view, this.#tools);
      case 'take':
        return planTake(intent, bot, view, this.#tools.draw);
      case 'claim':
        return only({ type: 'claim', bot, market: intent.market, shares: ZERO_SHARES });
      default:
        return only({ type: intent.type, bot, market: intent.market, shares: intent.shares });
    }
  }

  sweep(bot: BotNo, market: MarketNo, view: AccountView): readonly OrderCommand[] {
    const threshold = this.#mergeThreshold;
    if (threshold === undefined) return NOTHING;
    const here = view.market(market);
    if (isFinal(here.state.status)) return NOTHING;
    const pool = new Pool(view, here, false);
    const pairs = Math.min(pool.free(1), pool.free(-1));
    return pairs > threshold ? [{ type: 'merge', bot, market, shares: column.shares(pairs - (pairs % LOT)) }] : NOTHING;
  }

  #draw(): OrderNo {
    const number = counted.order(this.#next);
    this.#next += 1;
    return number;
  }
}

const NOTHING: readonly never[] = [];

function only(command: Conversion): Plan {
  return { commands: [command], deferred: false, dropped: [] };
}

/** Takes at once or not at all (FAK): what is held is sold, the rest bought of the other outcome at the complement. */
function planTake(intent: Approved<TakeIntent>, bot: BotNo, view: AccountView, draw: () => OrderNo): Plan {
  const market = view.market(intent.market);
  const sign = yesSign(intent.outcome, intent.side);
  const price = yesPrice(intent.outcome, intent.limit);
  const terms = { sign, price, largest: intent.shares };
  const legs = new Pool(view, market, true).legs(terms, intent.shares);
  const commands = placeLegs({ bot, market: intent.market, timeInForce: 'FAK', draw }, terms, legs, undefined) ?? [];
  return { commands, deferred: false, dropped: legs.lacking === undefined ? [] : [legs.lacking] };
}
