import type { Ladder } from '../../book/index.ts';
import {
  type BotNo,
  column,
  counted,
  type DurationMs,
  FULL_BPS,
  type MarketNo,
  type MarketStatus,
  type MicroShares,
  type MicroUsd,
  type PriceGrid,
  ZERO_SHARES,
  ZERO_USD,
} from '../../domain/index.ts';
import { LevelMarks } from './level-marks.ts';
import { OutsideBook } from './outside-book.ts';
import { OwnBook } from './own-book.ts';

/** Everything about one market at the simulated venue. Mutable; it belongs to the engine. */
export class SimMarket {
  readonly no: MarketNo;
  readonly grid: PriceGrid;
  readonly marks = new LevelMarks();
  readonly outside: OutsideBook;
  /** `outside.ladder`: V. */
  readonly ladder: Ladder;
  readonly own: OwnBook;

  /** OPEN until the tape says otherwise. */
  status: MarketStatus = 'OPEN';
  /** OPEN and not halted. */
  accepting = true;
  placeDelay: DurationMs = column.duration(0);
  /** How often it has stopped accepting orders: an order held back meanwhile is refused. */
  stops = 0;

  /** Double mid in force (models 0); 0 before the first. */
  mark = 0;
  /** Recorded touch as of the end of the last message; 0 and 10000 for an empty side. */
  touchBid = 0;
  touchAsk = FULL_BPS;
  /** Double mid of the recorded touch as the tap knows it; 0 for none. */
  toldMid = 0;
  /** Price of the last print; 0 before the first. */
  lastPrint = 0;
  /** Whose fill was the last here: told of what is settled unasked. */
  lastBot: BotNo = counted.bot(0);
  /** Commission has been taken. */
  commissioned = false;
  /** Whether the ledger follows this market's marks: from the first own fill on. */
  traded = false;

  /** What open SELL orders hold, and the cash that open BUY orders hold. */
  heldYes: MicroShares = ZERO_SHARES;
  heldNo: MicroShares = ZERO_SHARES;
  heldCash: MicroUsd = ZERO_USD;

  constructor(no: MarketNo, grid: PriceGrid) {
    this.no = no;
    this.grid = grid;
    this.outside = new OutsideBook(grid, this.marks);
    this.ladder = this.outside.ladder;
    this.own = new OwnBook(this.marks);
  }
}
