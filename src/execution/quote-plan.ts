/**
 * One approved quote set against what stands.
 *
 * The law of a side: it adds orders only in a step after which all that can be open stands for a wished line and no line
 * is exceeded; until then it only takes away. So whatever fills, is refused or comes late, the side holds at most what
 * stood or what was approved. A side that cannot add yet is *blocked*, and the wish is deferred.
 */
import { type Approved, type BotNo, LOT, type OrderNo, type QuoteIntent, type Retained } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import { composePlan, NOTHING_TO_DO, Sizing } from './compose.ts';
import { quoteLines } from './line.ts';
import type { Plan } from './planner.ts';
import { SideDraft } from './side-draft.ts';

/**
 * Beyond so many orders a replace could name more than the venue takes (docs/spec/venue.md#batches): cancels then go
 * first.
 */
const MAX_REPLACE_CANCELS = 200;

/** What a plan is made with. */
export interface QuoteTools {
  /** Draws the next order's number. */
  readonly draw: () => OrderNo;
  /** A line that lacks no more than this part of its size is left as it is; percent. */
  readonly sizeTolerancePct: number;
  /** The last sizing, its sides and lines with it. */
  readonly retained: Retained;
}

/** The smallest set of commands that takes what stands to what is wished, as far as that can be done now. */
export function planQuotes(intent: Approved<QuoteIntent>, bot: BotNo, view: AccountView, tools: QuoteTools): Plan {
  const market = view.market(intent.market);
  const bids = new SideDraft(1, quoteLines(intent, market, 1), tools.sizeTolerancePct);
  const asks = new SideDraft(-1, quoteLines(intent, market, -1), tools.sizeTolerancePct);
  for (const order of market.orders) {
    if (order.bot === bot && order.rests) (order.sign === 1 ? bids : asks).rest(order);
  }
  bids.clear(asks.innermost, intent.tolerance, view.now);
  asks.clear(bids.innermost, intent.tolerance, view.now);
  if (bids.settled && asks.settled) return NOTHING_TO_DO;
  const resting = bids.resting.length + asks.resting.length;
  const atomic = market.state.placeDelay === 0 && resting <= MAX_REPLACE_CANCELS;
  const sides: readonly [SideDraft, SideDraft] = market.position.net > 0 ? [asks, bids] : [bids, asks];
  const base = { view, market, bot, sides, atomic };
  let sizing = new Sizing(base);
  if (sizing.short && swapLegs(bids, sizing) + swapLegs(asks, sizing) > 0) sizing = new Sizing(base);
  tools.retained.last = sizing;
  return composePlan(base, sizing, tools.draw);
}

/**
 * A leg that rests well is not swapped, as it would lose its place in the queue. When cash runs short it is: orders that
 * buy give way, the last first, as far as there are shares to sell instead. Answers how many do.
 */
function swapLegs(side: SideDraft, sizing: Sizing): number {
  let free = sizing.free(side.sign);
  let swapped = 0;
  if (side.blocked) return 0;
  for (const each of side.resting.toReversed()) {
    const { order, line, cancelled } = each;
    if (free < LOT || line === undefined || cancelled || order.side === 'SELL' || order.phase !== 'live') continue;
    if (sizing.outgrown.includes(each)) continue;
    side.cancel(each);
    free -= order.remaining;
    swapped += 1;
  }
  return swapped;
}
