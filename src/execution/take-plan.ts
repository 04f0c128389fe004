import { type Approved, type BotNo, type OrderNo, type TakeIntent, yesPrice, yesSign } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import { placeLegs } from './place-legs.ts';
import type { Plan } from './planner.ts';
import { Pool } from './pool.ts';

/** Takes at once or not at all (FAK): what is held is sold, the rest bought of the other outcome at the complement. */
export function planTake(intent: Approved<TakeIntent>, bot: BotNo, view: AccountView, draw: () => OrderNo): Plan {
  const market = view.market(intent.market);
  const sign = yesSign(intent.outcome, intent.side);
  const price = yesPrice(intent.outcome, intent.limit);
  const terms = { sign, price, largest: intent.shares };
  const legs = new Pool(view, market, true).legs(terms, intent.shares);
  const commands = placeLegs({ bot, market: intent.market, timeInForce: 'FAK', draw }, terms, legs, undefined) ?? [];
  return { commands, deferred: false, dropped: legs.lacking === undefined ? [] : [legs.lacking] };
}
