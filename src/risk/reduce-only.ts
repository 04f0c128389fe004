import { column, type MicroShares, type Refused, type Sign } from '../domain/index.ts';
import { refusal } from './refusal.ts';
import type { Tally } from './tally.ts';

/** How much of `shares` may go without turning the position round; the rest is refused. */
export function cutToPosition(shares: MicroShares, sign: Sign, tally: Tally, refused: Refused[]): MicroShares {
  const { market } = tally.ground;
  const room = Math.max(0, -sign * market.position.net - tally.open(sign));
  if (shares <= room) return shares;
  refused.push(refusal(market.info.market, 'REDUCE_ONLY', room, shares));
  return column.shares(room);
}
