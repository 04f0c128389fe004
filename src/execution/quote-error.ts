/** How wrong what stands is beside what is wished: what is to be put right first when not all can be. */
import { type BotNo, FULL_BPS, type OrderNo, type QuoteIntent, type Sign } from '../domain/index.ts';
import type { MarketView, OpenOrder } from '../state/index.ts';

/** A quote that is too far from the touch loses less than one that is too near. */
const PASSIVE = 0.01;
/** What is missing loses least. */
const MISSING = 0.001;

/** bps by which an order asks for a worse trade than is wished at all; 0 or less when it does not. */
function exposed({ sign, yesPrice }: OpenOrder, innermost: number): number {
  return sign * (yesPrice - innermost);
}

/** The wished price nearest to the other side, YES bps; beyond all prices where none is wished. */
function innermostOf({ quotes }: QuoteIntent, sign: Sign): number {
  const side = sign === 1 ? 'bid' : 'ask';
  let best = sign === 1 ? 0 : FULL_BPS;
  for (const quote of quotes) if (quote.side === side && sign * (quote.price - best) > 0) best = quote.price;
  return best;
}

/** How far an order is from the nearest wish of its side; bps. */
function nearestBps({ quotes }: QuoteIntent, { sign, yesPrice }: OpenOrder): number {
  const side = sign === 1 ? 'bid' : 'ask';
  let least = FULL_BPS;
  for (const quote of quotes) if (quote.side === side) least = Math.min(least, Math.abs(quote.price - yesPrice));
  return least;
}

/** A figure to sort by: the bps by which the most exposed order is wrong, and less than one for all that is not exposed. */
export function quoteError(intent: QuoteIntent, bot: BotNo, market: MarketView): number {
  const [bid, ask] = [innermostOf(intent, 1), innermostOf(intent, -1)];
  let worst = 0;
  let standing = 0;
  for (const order of market.orders) {
    if (order.bot !== bot || !order.rests || order.phase === 'leaving') continue;
    standing += 1;
    const bps = exposed(order, order.sign === 1 ? bid : ask);
    worst = Math.max(worst, bps > 0 ? bps : Math.min(1, nearestBps(intent, order) * PASSIVE));
  }
  return Math.max(worst, Math.max(0, intent.quotes.length - standing) * MISSING);
}

/** Orders that are live and ask for a worse trade than is wished at all. */
export function exposedOrders(intent: QuoteIntent, bot: BotNo, market: MarketView): readonly OrderNo[] {
  const [bid, ask] = [innermostOf(intent, 1), innermostOf(intent, -1)];
  return market.orders
    .filter((order) => order.bot === bot && order.rests && order.phase === 'live')
    .filter((order) => exposed(order, order.sign === 1 ? bid : ask) > 0)
    .map(({ order }) => order);
}
