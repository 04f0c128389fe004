/** Reads a bot's open orders, and waits for their confirmation by the venue after an action. */
import { z } from 'zod';
import { type Clock, sleep } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { UNANSWERED_PHASES } from '../../ops/index.ts';
import type * as Api from '../generated/schema-types.ts';
import { toYesTerms } from './bot-fills.ts';
import { orderSchema } from './report-schema.ts';
import type { WatchedBot } from './watched-bot.ts';

const POLL_MS = 200;
const MAX_WAIT_MS = 10_000;

export async function readOrders(bot: WatchedBot): Promise<readonly Api.Order[]> {
  const orders = z.array(orderSchema).parse(await bot.read('orders'));
  return orders.map(({ order, priceBps, side, outcome, ...rest }) => ({
    ...rest,
    bot: bot.id,
    order: String(order),
    outcome,
    ...toYesTerms(side, outcome, priceBps),
  }));
}

/** Waits at most ten seconds until the venue has answered the bot's requests, and then describes the open orders. */
export async function waitForVenue(bot: WatchedBot, before: number, clock: Clock): Promise<string> {
  const end = clock.now() + MAX_WAIT_MS;
  try {
    for (;;) {
      await sleep(clock, POLL_MS);
      const orders = await readOrders(bot);
      const waiting = orders.filter(({ phase }) => UNANSWERED_PHASES.has(phase)).length;
      if (waiting > 0 && clock.now() < end) continue;
      const rest = waiting === 0 ? '' : `; ${waiting} without an answer yet`;
      return `Open orders confirmed by the venue: ${orders.length} (before: ${before})${rest}.`;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `NOT CONFIRMED: ${error.message}.`;
  }
}
