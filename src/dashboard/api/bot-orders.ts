/** Open orders of a bot, and their confirmation by the venue after an action. */
import { z } from 'zod';
import { type Clock, sleep } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type * as Api from '../generated/schema-types.ts';
import { inYesTerms } from './bot-fills.ts';
import { orderSchema } from './report-schema.ts';
import type { WatchedBot } from './watched-bot.ts';

const POLL_MS = 200;
const SETTLE_MS = 10_000;
/** Phases of orders whose last request has no answer yet. */
const UNSETTLED: ReadonlySet<string> = new Set(['new', 'leaving', 'reducing', 'unknown']);

export async function ordersOf(bot: WatchedBot): Promise<readonly Api.Order[]> {
  const orders = z.array(orderSchema).parse(await bot.read('orders'));
  return orders.map(({ order, priceBps, side, outcome, ...rest }) => ({
    ...rest,
    bot: bot.id,
    order: String(order),
    outcome,
    ...inYesTerms(side, outcome, priceBps),
  }));
}

/** Waits until the venue has answered the bot's requests, at most ten seconds. Returns the orders that are open then. */
export async function settledText(bot: WatchedBot, before: number, clock: Clock): Promise<string> {
  const end = clock.now() + SETTLE_MS;
  try {
    for (;;) {
      await sleep(clock, POLL_MS);
      const orders = await ordersOf(bot);
      const waiting = orders.filter(({ phase }) => UNSETTLED.has(phase)).length;
      if (waiting > 0 && clock.now() < end) continue;
      const rest = waiting === 0 ? '' : `; ${waiting} without an answer yet`;
      return `Open as the venue confirmed it: ${orders.length} (before: ${before})${rest}.`;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `NOT CONFIRMED: ${error.message}.`;
  }
}
