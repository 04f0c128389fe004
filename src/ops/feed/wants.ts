/** What the strategies want in a market, beside what stands at the venue. */
import type { Quote } from '../../domain/index.ts';
import type { WantedQuotes } from '../../runtime/index.ts';
import type { OpenOrder } from '../../state/index.ts';
import type { WantReport } from './report-types.ts';

interface Line {
  readonly price: number;
  readonly shares: number;
}

/** An own line at the venue: its orders, the phase of the least settled one. */
interface Standing extends Line {
  readonly phase: OpenOrder['phase'];
}

const UNSETTLED: Readonly<Record<OpenOrder['phase'], number>> = {
  live: 0,
  reducing: 1,
  leaving: 2,
  new: 3,
  unknown: 4,
};

/**
 * Lines in the order of the ladder, the highest price first; levels count from the mid.
 * @param refused code of the last refusal in the market; undefined without one
 */
export function wantsOf(
  wanted: readonly WantedQuotes[],
  orders: readonly OpenOrder[],
  refused: string | undefined,
): readonly WantReport[] {
  const deferred = wanted.some((each) => each.deferred);
  const quotes = wanted.flatMap(({ intent }) => intent.quotes);
  const asks = sideOf('ask', quotes, orders, { deferred, refused });
  const bids = sideOf('bid', quotes, orders, { deferred, refused });
  return [...asks.toReversed(), ...bids];
}

interface Why {
  readonly deferred: boolean;
  readonly refused: string | undefined;
}

/** From the mid outwards. */
function sideOf(
  side: Quote['side'],
  quotes: readonly Quote[],
  orders: readonly OpenOrder[],
  why: Why,
): readonly WantReport[] {
  const sign = side === 'bid' ? 1 : -1;
  const wants = linesOf(quotes.filter((quote) => quote.side === side));
  const stands = standingOf(orders.filter((order) => order.sign === sign));
  const prices = [...new Set([...wants.keys(), ...stands.keys()])].sort((a, b) => sign * (b - a));
  return prices.map((price, index) => {
    const [want, stand] = [wants.get(price), stands.get(price)];
    return {
      side: side === 'bid' ? 'BID' : 'ASK',
      level: index + 1,
      wantsPrice: want === undefined ? null : price,
      wantsShares: want ?? null,
      standsPrice: stand === undefined ? null : price,
      standsShares: stand?.shares ?? null,
      difference: differenceOf(want, stand, why),
    };
  });
}

function differenceOf(want: number | undefined, stand: Standing | undefined, { deferred, refused }: Why): string {
  if (stand?.phase === 'unknown') return 'unknown';
  if (want === undefined) return stand?.phase === 'leaving' ? 'leaving' : 'replacing';
  if (stand === undefined) return deferred ? 'waits' : (refused ?? 'sending');
  if (stand.phase === 'new') return 'sending';
  if (stand.phase === 'leaving') return 'leaving';
  if (stand.phase === 'reducing' || stand.shares !== want)
    return deferred ? 'waits' : stand.shares < want ? 'filled' : 'replacing';
  return 'same';
}

/** Wanted shares by price. */
function linesOf(lines: readonly Line[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { price, shares } of lines) sums.set(price, (sums.get(price) ?? 0) + shares);
  return sums;
}

function standingOf(orders: readonly OpenOrder[]): ReadonlyMap<number, Standing> {
  const lines = new Map<number, Standing>();
  for (const { yesPrice: price, remaining, phase, rests } of orders) {
    if (!rests) continue;
    const line = lines.get(price);
    const worse = line !== undefined && UNSETTLED[line.phase] > UNSETTLED[phase] ? line.phase : phase;
    lines.set(price, { price, shares: (line?.shares ?? 0) + remaining, phase: worse });
  }
  return lines;
}
