/** The additive quotes of docs/spec/venue.md#quoted-prices. */
import type { NaiveMarket } from './market.ts';
import { bookSide, yesPriceOf } from './matching.ts';
import type { World } from './world.ts';

export function quotesOf(world: World, market: NaiveMarket): { reference: number; yes: number; no: number } {
  const bid = bookSide(world, market.market, 'bids')[0];
  const ask = bookSide(world, market.market, 'asks')[0];
  const bidPrice = bid === undefined ? undefined : yesPriceOf(bid.terms);
  const askPrice = ask === undefined ? undefined : yesPriceOf(ask.terms);
  const clamp = (price: number) => Math.min(Math.max(price, market.tickBps), 10_000 - market.tickBps);
  const last = market.lastTrade === 0 ? 5000 : market.lastTrade;
  const between =
    bidPrice !== undefined && askPrice !== undefined
      ? Math.floor((bidPrice + askPrice) / 2)
      : Math.min(Math.max(last, bidPrice ?? 0), askPrice ?? 10_000);
  const reference = clamp(between);
  const half = Math.ceil(world.config.spreadBps / 2);
  const quote = (own: number) => clamp(Math.ceil((own + half) / market.tickBps) * market.tickBps);
  return { reference, yes: quote(reference), no: quote(10_000 - reference) };
}
