import type { Ladder } from '../../book/index.ts';
import { type DurationMs, type InstanceNo, type MarketNo, type PriceGrid, unchecked } from '../../domain/index.ts';
import type { LevelFlags, OutsideBook, OutsideFlow, OwnQueues, ReplayBook } from '../../replay/index.ts';

/** The state of one market beyond the exchange's state. The engine owns and changes this state. */
export class SimMarket {
  readonly number: MarketNo;
  readonly grid: PriceGrid;
  readonly book: ReplayBook;
  readonly flow: OutsideFlow;
  readonly levelFlags: LevelFlags;
  readonly outside: OutsideBook;
  /** Recorded sizes, less what own orders consumed. */
  readonly ladder: Ladder;
  readonly own: OwnQueues;

  acceptsOrders = true;
  placeDelay: DurationMs = unchecked.duration(0);
  /** How often the market stopped accepting orders. A stop during the placing delay refuses the order. */
  stopCount = 0;

  /** Double mid in force (docs/spec/models.md#mark); 0 before the first mark. */
  mark = 0;
  /** Double mid of the recorded touch that the observer last received; 0 for none. */
  reportedMid = 0;
  /** The strategy instance of the last fill. It receives the commission of a market that ends without a claim. */
  lastFillInstance: InstanceNo = unchecked.instance(0);
  isCommissionCharged = false;
  /** Whether an own order has filled. From the first fill on, the ledger receives the market's marks. */
  hasOwnFill = false;

  constructor(number: MarketNo, book: ReplayBook, flow: OutsideFlow) {
    this.number = number;
    this.grid = book.grid;
    this.book = book;
    this.flow = flow;
    this.levelFlags = book.levelFlags;
    this.outside = book.outside;
    this.ladder = book.outside.ladder;
    this.own = book.own;
  }

  /** Takes over the state of `before`, whose book had another price grid. */
  continueFrom(before: SimMarket): void {
    this.placeDelay = before.placeDelay;
    // Orders in flight have prices of the old grid.
    this.stopCount = before.stopCount + 1;
    this.mark = before.mark;
    this.lastFillInstance = before.lastFillInstance;
    this.isCommissionCharged = before.isCommissionCharged;
    this.hasOwnFill = before.hasOwnFill;
  }
}
