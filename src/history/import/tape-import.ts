import { InputFault } from '../../domain/index.ts';
import { BLOCK_ROWS, type BlockWriter, KIND, SIDE, timeProblem } from '../../tape/index.ts';
import type { ImportCounts } from './counts.ts';
import { MarketImport } from './market-import.ts';
import type { MarketRows, MarketRules } from './market-rows.ts';

export interface TapeImportOptions {
  /** A message at most this much earlier than the previous message gets that message's time, ms. Default 1000. */
  readonly maxLateMs?: number;
  /** Whether an even earlier message throws (`refuse`), or is dropped and counted (`drop`). Default `refuse`. */
  readonly tooLate?: 'refuse' | 'drop';
  /** Prints at most this long after their level decrease move before the decrease, ms. Default 0: no prints move. */
  readonly pairWindowMs?: number;
}

/** Length of a row in a flat list: kind, side, price, shares, flags. */
const ROW_WIDTH = 5;
/** Length of a level decrease in a flat list: side, price, micro-shares. */
const DECREASE_WIDTH = 3;

interface PendingMessage extends MarketRows {
  readonly tx: number;
  readonly rx: number;
  readonly market: number;
}

/**
 * Writes the messages of an import in order of exchange time. Between `begin` and `end`, the markets receive the rows
 * of one message of the source. Each market with rows then gets one tape message: prints, then levels, then the rest.
 */
export class TapeImport {
  #out: BlockWriter;
  readonly #counts: ImportCounts;
  readonly #options: Required<TapeImportOptions>;
  readonly #changedMarkets: MarketImport[] = [];
  readonly #pending: PendingMessage[] = [];
  readonly #onJoin = (market: MarketImport): void => {
    if (!this.#isInMessage) throw new Error('Invariant: a row outside of a message');
    this.#changedMarkets.push(market);
  };
  #marketCount = 0;
  #hasLevels = false;
  #isInMessage = false;
  /** Time of the last message, epoch ms; 0 before the first. */
  time = 0;
  #rx = 0;

  constructor(out: BlockWriter, counts: ImportCounts, options: TapeImportOptions = {}) {
    this.#out = out;
    this.#counts = counts;
    this.#options = { maxLateMs: 1_000, tooLate: 'refuse', pairWindowMs: 0, ...options };
  }

  /** Adds a market. Markets are numbered in order of addition. */
  addMarket(rules: MarketRules): MarketImport {
    const market = new MarketImport(this.#marketCount, rules, this.#counts, this.#onJoin);
    this.#marketCount += 1;
    return market;
  }

  /**
   * Begins a message of the source.
   * @param tx exchange time, epoch ms
   * @param rx receive time, epoch ms
   * @returns false if the message is dropped: then add no rows and do not call `end`
   * @throws InputFault if the message is too late and `tooLate` is `refuse`
   */
  begin(tx: number, rx: number = tx): boolean {
    if (timeProblem(tx, rx) !== undefined) {
      this.#counts.countDropped('time out of range');
      return false;
    }
    const lateMs = this.time - tx;
    if (lateMs > this.#options.maxLateMs) {
      if (this.#options.tooLate === 'refuse')
        throw new InputFault('time', toIso(tx), `a time at or after ${toIso(this.time)} (the previous message)`);
      this.#counts.countDropped('message earlier than the previous one');
      return false;
    }
    if (lateMs > 0) this.#counts.countChanged('time moved forward to that of the previous message');
    else this.time = tx;
    this.#rx = rx;
    this.#isInMessage = true;
    return true;
  }

  end(): void {
    this.#isInMessage = false;
    this.#writePending(this.time - this.#options.pairWindowMs);
    for (const market of this.#changedMarkets) {
      market.endMessage();
      if (this.#options.pairWindowMs > 0) this.#addPending(market);
      else this.#writeMessage(this.time, this.#rx, market.number, market);
      market.prints.length = 0;
      market.rows.length = 0;
      market.decreases.length = 0;
    }
    this.#changedMarkets.length = 0;
  }

  /** Value of the manifest's `content`, valid after `finish`: `trades` if no level was written. */
  get content(): 'trades' | undefined {
    return this.#hasLevels ? undefined : 'trades';
  }

  /** Continues in another part of the tape, after `finish`. @param time time of the previous part's last message */
  continueIn(out: BlockWriter, time: number = this.time): void {
    this.#out = out;
    this.time = time;
  }

  /** Writes the pending messages. Call it before you finish the tape. */
  finish(): void {
    this.#writePending(Number.POSITIVE_INFINITY);
  }

  #writePending(before: number): void {
    const end = this.#pending.findIndex(({ tx }) => tx >= before);
    for (const message of this.#pending.splice(0, end < 0 ? this.#pending.length : end))
      this.#writeMessage(message.tx, message.rx, message.market, message);
  }

  #addPending({ number, prints, rows, decreases }: MarketImport): void {
    const ownPrints: number[] = [];
    for (let at = 0; at < prints.length; at += ROW_WIDTH) {
      const print = prints.slice(at, at + ROW_WIDTH);
      const target = consumeDecrease(decreases, print) ? undefined : this.#findPairedMessage(number, print);
      if (target === undefined) ownPrints.push(...print);
      else {
        target.prints.push(...print);
        this.#counts.trades.paired += 1;
      }
    }
    if (ownPrints.length + rows.length === 0) return;
    const copies = { prints: ownPrints, rows: [...rows], decreases: [...decreases] };
    this.#pending.push({ tx: this.time, rx: this.#rx, market: number, ...copies });
  }

  /** Returns the last pending message with a level decrease that covers a print, and subtracts the print. */
  #findPairedMessage(market: number, print: readonly number[]): PendingMessage | undefined {
    return this.#pending.findLast((message) => message.market === market && consumeDecrease(message.decreases, print));
  }

  #writeMessage(tx: number, rx: number, market: number, { prints, rows }: MarketRows): void {
    if (prints.length + rows.length === 0) return;
    this.#out.begin(tx, rx);
    this.#writeRows(tx, rx, market, prints);
    // A book with its changes always fits into one message. Prints have no limit.
    if (prints.length > 0 && prints.length + rows.length > ROW_WIDTH * BLOCK_ROWS) this.#startNextMessage(tx, rx);
    this.#writeRows(tx, rx, market, rows);
    this.#out.end();
    this.#counts.messages += 1;
    this.#counts.rows += (prints.length + rows.length) / ROW_WIDTH;
  }

  #writeRows(tx: number, rx: number, market: number, rows: readonly number[]): void {
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      if (at > 0 && at % (ROW_WIDTH * BLOCK_ROWS) === 0) this.#startNextMessage(tx, rx);
      this.#hasLevels ||= rows[at] === KIND.level;
      this.#out.row(market, rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0, rows[at + 3] ?? 0, rows[at + 4] ?? 0);
    }
  }

  #startNextMessage(tx: number, rx: number): void {
    this.#out.end();
    this.#out.begin(tx, rx);
  }
}

/** Subtracts a print from the first level decrease that covers the print. Returns false if none does. */
function consumeDecrease(decreases: number[], [kind, taker, price, shares = 0]: readonly number[]): boolean {
  if (kind !== KIND.trade || taker === SIDE.unknown) return false;
  const side = taker === SIDE.bid ? SIDE.ask : SIDE.bid;
  for (let at = 0; at < decreases.length; at += DECREASE_WIDTH) {
    const decrease = decreases[at + 2] ?? 0;
    if (decreases[at] !== side || decreases[at + 1] !== price || decrease < shares) continue;
    decreases[at + 2] = decrease - shares;
    return true;
  }
  return false;
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
