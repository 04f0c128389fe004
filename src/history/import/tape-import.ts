import { InputFault } from '../../domain/index.ts';
import { BLOCK_ROWS, type BlockWriter, KIND, SIDE, timeProblem } from '../../tape/index.ts';
import type { ImportCounts } from './counts.ts';
import { MarketImport } from './market-import.ts';
import type { MarketRows, MarketRules } from './market-rows.ts';

export interface TapeImportOptions {
  /** A message up to so much earlier than the one before moves forward to its time, ms. Default 1000. */
  readonly lateMs?: number;
  /** A message that is even earlier is a fault, or is dropped and counted. Default `refuse`. */
  readonly later?: 'refuse' | 'drop';
  /** A print up to so long after the fall of the level that it explains moves before it, ms. Default 0: none does. */
  readonly pairWindowMs?: number;
}

/** Numbers of a flat row: kind, side, price, shares, flags. */
const WIDTH = 5;
/** Numbers of a fall: side, price, micro-shares. */
const FALL = 3;

/** A message of one market that waits for a print. */
interface PendingMessage extends MarketRows {
  readonly tx: number;
  readonly rx: number;
  readonly market: number;
}

/**
 * The messages of an import in order of exchange time. Between `begin` and `end`, the markets take what one message of the
 * source holds; each market that it concerns gets one message on the tape: prints, then levels, then the rest.
 */
export class TapeImport {
  #out: BlockWriter;
  readonly #counts: ImportCounts;
  readonly #options: Required<TapeImportOptions>;
  readonly #touched: MarketImport[] = [];
  readonly #pending: PendingMessage[] = [];
  readonly #onTouch = (market: MarketImport): void => {
    if (!this.#isOpen) throw new Error('Invariant: a row outside of a message');
    this.#touched.push(market);
  };
  #markets = 0;
  #hasLevels = false;
  #isOpen = false;
  /** Time of the last message, epoch ms; 0 before the first. */
  time = 0;
  #rx = 0;

  constructor(out: BlockWriter, counts: ImportCounts, options: TapeImportOptions = {}) {
    this.#out = out;
    this.#counts = counts;
    this.#options = { lateMs: 1_000, later: 'refuse', pairWindowMs: 0, ...options };
  }

  /** Markets are numbered in the order in which they are added. */
  addMarket(rules: MarketRules): MarketImport {
    const market = new MarketImport(this.#markets, rules, this.#counts, this.#onTouch);
    this.#markets += 1;
    return market;
  }

  /**
   * Opens a message of the source, epoch ms.
   * @returns false when the message was dropped: the caller drops its rows and does not call `end`
   * @throws InputFault when it is too late and that is to be refused
   */
  begin(tx: number, rx: number = tx): boolean {
    if (timeProblem(tx, rx) !== undefined) {
      this.#counts.drop('time that no tape can hold');
      return false;
    }
    const late = this.time - tx;
    if (late > this.#options.lateMs) {
      if (this.#options.later === 'refuse') {
        throw new InputFault('time', iso(tx), `a time at or after ${iso(this.time)}, which came before it`);
      }
      this.#counts.drop('message earlier than the one before');
      return false;
    }
    if (late > 0) this.#counts.change('time moved forward to the message before');
    else this.time = tx;
    this.#rx = rx;
    this.#isOpen = true;
    return true;
  }

  end(): void {
    this.#isOpen = false;
    this.#write(this.time - this.#options.pairWindowMs);
    for (const market of this.#touched) {
      market.close();
      if (this.#options.pairWindowMs > 0) this.#hold(market);
      else this.#message(this.time, this.#rx, market.number, market);
      market.prints.length = 0;
      market.rows.length = 0;
      market.falls.length = 0;
    }
    this.#touched.length = 0;
  }

  /** `content` of the manifest, after `finish`: `trades` when no level of a book was written since the start or a restart. */
  get content(): 'trades' | undefined {
    return this.#hasLevels ? undefined : 'trades';
  }

  /** Goes on in another part of the tape, after `finish`. @param time of the last message of the parts before */
  continueIn(out: BlockWriter, time: number = this.time): void {
    this.#out = out;
    this.time = time;
  }

  /** Writes what still waits. The tape can then be finished. */
  finish(): void {
    this.#write(Number.POSITIVE_INFINITY);
  }

  /** Writes the waiting messages before this time. */
  #write(before: number): void {
    let written = 0;
    for (const message of this.#pending) {
      if (message.tx >= before) break;
      this.#message(message.tx, message.rx, message.market, message);
      written += 1;
    }
    if (written > 0) this.#pending.splice(0, written);
  }

  #hold({ number, prints, rows, falls }: MarketImport): void {
    const own: number[] = [];
    for (let at = 0; at < prints.length; at += WIDTH) {
      const print = prints.slice(at, at + WIDTH);
      const target = hasFall(falls, print) ? undefined : this.#explained(number, print);
      if (target === undefined) own.push(...print);
      else {
        target.prints.push(...print);
        this.#counts.trades.paired += 1;
      }
    }
    if (own.length + rows.length === 0) return;
    this.#pending.push({
      tx: this.time,
      rx: this.#rx,
      market: number,
      prints: own,
      rows: [...rows],
      falls: [...falls],
    });
  }

  /** The last waiting message with a fall that this print explains completely. Uses the fall up. */
  #explained(market: number, print: readonly number[]): PendingMessage | undefined {
    return this.#pending.findLast((message) => message.market === market && hasFall(message.falls, print));
  }

  #message(tx: number, rx: number, market: number, { prints, rows }: MarketRows): void {
    if (prints.length + rows.length === 0) return;
    this.#out.begin(tx, rx);
    this.#rows(tx, rx, market, prints);
    // A book and its changes fit into one message; prints may be any number.
    if (prints.length > 0 && prints.length + rows.length > WIDTH * BLOCK_ROWS) this.#next(tx, rx);
    this.#rows(tx, rx, market, rows);
    this.#out.end();
    this.#counts.messages += 1;
    this.#counts.rows += (prints.length + rows.length) / WIDTH;
  }

  #rows(tx: number, rx: number, market: number, rows: readonly number[]): void {
    for (let at = 0; at < rows.length; at += WIDTH) {
      if (at > 0 && at % (WIDTH * BLOCK_ROWS) === 0) this.#next(tx, rx);
      this.#hasLevels ||= rows[at] === KIND.level;
      this.#out.row(market, rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0, rows[at + 3] ?? 0, rows[at + 4] ?? 0);
    }
  }

  #next(tx: number, rx: number): void {
    this.#out.end();
    this.#out.begin(tx, rx);
  }
}

/** Whether one of the falls is a level that this print took from. Reduces the fall. */
function hasFall(falls: number[], [kind, taker, price, shares = 0]: readonly number[]): boolean {
  if (kind !== KIND.trade || taker === SIDE.unknown) return false;
  const side = taker === SIDE.bid ? SIDE.ask : SIDE.bid;
  for (let at = 0; at < falls.length; at += FALL) {
    const fall = falls[at + 2] ?? 0;
    if (falls[at] !== side || falls[at + 1] !== price || fall < shares) continue;
    falls[at + 2] = fall - shares;
    return true;
  }
  return false;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
