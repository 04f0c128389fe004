import type { Bot, BotAction, BotState } from '../generated/schema-types.ts';
import { counted, money, position } from './format.ts';

/** Returns RESUME instead of PAUSE if the bot's mode is not ACTIVE. */
export function actionFor(action: BotAction, { state }: Pick<Bot, 'state'>): BotAction {
  return action === 'PAUSE' && state !== null && state.mode !== 'ACTIVE' ? 'RESUME' : action;
}

export function describeEffects(action: BotAction, state: BotState | null): readonly string[] {
  const orders = state === null ? 'all open orders' : counted(state.openOrders, 'open order');
  const held = state?.markets.filter((market) => market.position !== 0) ?? [];
  const first = held[0];
  const positions =
    held.length === 0
      ? 'There is no position.'
      : held.length === 1 && first !== undefined
        ? `Position ${position(first.position)} in ${first.slug}.`
        : `Positions in ${held.length} markets, worth $${money(held.reduce((sum, { worth }) => sum + worth, 0))}.`;
  switch (action) {
    case 'PAUSE':
      return [`Cancels ${orders}. Sends nothing more until you resume.`, `Positions stay. ${positions}`];
    case 'RESUME':
      return [
        'Trades again: the strategies quote at once.',
        'After a kill this accepts the losses so far: loss limits start again at zero.',
      ];
    case 'REDUCE':
      return [
        'Cancels orders that add to a position.',
        `Quotes only what makes positions smaller, until you resume. ${positions}`,
      ];
    case 'FLATTEN':
      return [`Cancels ${orders}, then closes positions within the price collar, and pauses.`, positions];
    case 'KILL':
      return [
        `Cancels ${orders} at once and asks the venue whether any order is left.`,
        `Positions stay open. ${positions}`,
        'Stays killed through restarts until an operator resumes it.',
      ];
    case 'CANCEL_ALL':
      return [`Cancels ${orders}.`, 'The bot may quote again at once: to stop it, pause or kill it.'];
  }
}
