import type { Ladder } from '../../book/index.ts';
import { type BotNo, column, counted, type DurationMs, type MarketNo, type PriceGrid } from '../../domain/index.ts';
import type { LevelMarks, OutsideBook, OwnQueues, RecordedFlow, ReplayBook } from '../../replay/index.ts';

/** State of one market beside the exchange. Mutable, and owned by the engine. */
export class SimMarket {
  readonly no: MarketNo;
  readonly grid: PriceGrid;
  readonly book: ReplayBook;
  readonly flow: RecordedFlow;
  /** Of the book; `ladder` is V. */
  readonly marks: LevelMarks;
  readonly outside: OutsideBook;
  readonly ladder: Ladder;
  readonly own: OwnQueues;

  accepting = true;
  placeDelay: DurationMs = column.duration(0);
  /** Number of times that it stopped accepting orders. A held order is refused after a stop. */
  stops = 0;

  /** Double mid in force (docs/spec/models.md#mark); 0 before the first. */
  mark = 0;
  /** Double mid of the recorded touch as the tap knows it; 0 for none. */
  reportedMid = 0;
  /** The bot with the last fill here; it receives settlements without a claim. */
  lastBot: BotNo = counted.bot(0);
  commissioned = false;
  /** Whether the ledger follows this market's marks: from the first own fill on. */
  traded = false;

  constructor(no: MarketNo, book: ReplayBook, flow: RecordedFlow) {
    this.no = no;
    this.grid = book.grid;
    this.book = book;
    this.flow = flow;
    this.marks = book.marks;
    this.outside = book.outside;
    this.ladder = book.outside.ladder;
    this.own = book.own;
  }

  /** Goes on after `before`, whose book had other prices. */
  continueFrom(before: SimMarket): void {
    this.placeDelay = before.placeDelay;
    // Orders that are on their way have the old prices.
    this.stops = before.stops + 1;
    this.mark = before.mark;
    this.lastBot = before.lastBot;
    this.commissioned = before.commissioned;
    this.traded = before.traded;
  }
}
