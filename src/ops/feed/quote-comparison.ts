/** Compares the quotes that strategies want in a market with the open orders at the venue. */
import type { Quote } from '../../domain/index.ts';
import type { WantedQuotes } from '../../runtime/index.ts';
import type { OpenOrder } from '../../state/index.ts';
import type { QuoteComparison } from './report-types.ts';

/** Open orders at one price, with the phase of the least certain order. */
interface OpenLine {
  readonly shares: number;
  readonly phase: OpenOrder['phase'];
}

const UNCERTAINTY: Readonly<Record<OpenOrder['phase'], number>> = {
  live: 0,
  reducing: 1,
  cancelling: 2,
  new: 3,
  unknown: 4,
};

/** Returns a line for each price, the highest first. Levels are numbered from the mid. */
export function compareQuotes(
  wanted: readonly WantedQuotes[],
  orders: readonly OpenOrder[],
  lastRefusal: string | undefined,
): readonly QuoteComparison[] {
  const context = { isDeferred: wanted.some((each) => each.isDeferred), lastRefusal };
  const quotes = wanted.flatMap(({ intent }) => intent.quotes);
  const asks = compareSide('ask', quotes, orders, context);
  return [...asks.toReversed(), ...compareSide('bid', quotes, orders, context)];
}

interface DifferenceContext {
  readonly isDeferred: boolean;
  readonly lastRefusal: string | undefined;
}

/** Returns the lines of one side, from the mid outwards. */
function compareSide(
  side: Quote['side'],
  quotes: readonly Quote[],
  orders: readonly OpenOrder[],
  context: DifferenceContext,
): readonly QuoteComparison[] {
  const sign = side === 'bid' ? 1 : -1;
  const wantedShares = sharesByPrice(quotes.filter((quote) => quote.side === side));
  const openByPrice = openLines(orders.filter((order) => order.sign === sign));
  const prices = [...new Set([...wantedShares.keys(), ...openByPrice.keys()])].sort((a, b) => sign * (b - a));
  return prices.map((price, index) => {
    const [wanted, open] = [wantedShares.get(price), openByPrice.get(price)];
    return {
      side: side === 'bid' ? 'BID' : 'ASK',
      level: index + 1,
      wantedPrice: wanted === undefined ? null : price,
      wantedShares: wanted ?? null,
      restingPrice: open === undefined ? null : price,
      restingShares: open?.shares ?? null,
      difference: describeDifference(wanted, open, context),
    };
  });
}

function describeDifference(
  wanted: number | undefined,
  open: OpenLine | undefined,
  { isDeferred, lastRefusal }: DifferenceContext,
): string {
  if (open?.phase === 'unknown') return 'unknown';
  if (wanted === undefined) return open?.phase === 'cancelling' ? 'cancelling' : 'replacing';
  if (open === undefined) return isDeferred ? 'waits' : (lastRefusal ?? 'sending');
  if (open.phase === 'new') return 'sending';
  if (open.phase === 'cancelling') return 'cancelling';
  if (open.phase === 'reducing' || open.shares !== wanted)
    return isDeferred ? 'waits' : open.shares < wanted ? 'filled' : 'replacing';
  return 'same';
}

function sharesByPrice(quotes: readonly Quote[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { price, shares } of quotes) sums.set(price, (sums.get(price) ?? 0) + shares);
  return sums;
}

function openLines(orders: readonly OpenOrder[]): ReadonlyMap<number, OpenLine> {
  const lines = new Map<number, OpenLine>();
  for (const { yesPrice: price, remaining, phase, rests } of orders) {
    if (!rests) continue;
    const line = lines.get(price);
    const leastCertain = line !== undefined && UNCERTAINTY[line.phase] > UNCERTAINTY[phase] ? line.phase : phase;
    lines.set(price, { shares: (line?.shares ?? 0) + remaining, phase: leastCertain });
  }
  return lines;
}
