import type { Cells } from './column-readers.ts';
import type { ImportCounts } from './counts.ts';
import type { ImportTapes } from './import-tapes.ts';
import type { Instruments } from './instruments.ts';
import type { Mapping } from './mapping.ts';
import type { RowDecoder } from './row-decoder.ts';

/** Trade ids, and rows of one time, that are remembered. */
const MAX_IDS = 200_000;
/** Rows after which a mapping by which none could be read is a fault. */
const ENOUGH = 10_000;
/** Separates cells of a row in the key of a duplicate; no text of a source has it. */
const GLUE = '\u0000';

/** Groups rows to messages, drops duplicates, and hands rows to their markets. */
export class MessageReader {
  readonly #mapping: Mapping;
  readonly #instruments: Instruments;
  readonly #tapes: ImportTapes;
  readonly #counts: ImportCounts;
  readonly #decoders: readonly RowDecoder[];
  #isOpen = false;
  #tx = Number.NEGATIVE_INFINITY;
  #rx = 0;
  #key: unknown;
  #used = 0;
  #ids = new Set<string>();
  /** How often each file has a row of this time, by the row's cells. */
  readonly #seen = new Map<string, number[]>();
  #seenAt = 0;
  readonly #candleMs: number;

  constructor(
    mapping: Mapping,
    instruments: Instruments,
    tapes: ImportTapes,
    counts: ImportCounts,
    decoders: readonly RowDecoder[],
  ) {
    this.#mapping = mapping;
    this.#instruments = instruments;
    this.#tapes = tapes;
    this.#counts = counts;
    this.#decoders = decoders;
    const candle = mapping.rows.find((row) => row.means === 'candle');
    // A candle is known when it is over.
    this.#candleMs = candle?.means === 'candle' ? candle.length_ms : 0;
  }

  /** Whether a row of this time ends the message and the search for duplicates. */
  isNewTime(tx: number): boolean {
    return tx + this.#candleMs > Math.max(this.#tx, this.#seenAt);
  }

  /** @param file number of the file @throws InputFault */
  row(file: number, start: number, received: number, cells: Cells): void {
    const reason = this.#apply(file, start, received, cells);
    if (reason === undefined) this.#used += 1;
    else if (reason !== '') this.#counts.drop(reason);
    if (this.#mapping.messages === 'row') this.end();
  }

  /** Ends the open message. */
  end(): void {
    if (this.#isOpen) this.#tapes.end();
    this.#isOpen = false;
  }

  /** Ends the last message, and writes the outcomes that the metadata date after it. */
  finish(): void {
    this.end();
    this.#outcomes(Number.POSITIVE_INFINITY);
  }

  ids(): string[] {
    return [...this.#ids];
  }

  restore(ids: readonly string[]): void {
    this.#ids = new Set(ids);
    this.#used = 1;
  }

  /** @returns why the row is dropped; an empty text when that is counted already */
  #apply(file: number, start: number, received: number, cells: Cells): string | undefined {
    const tx = start + this.#candleMs;
    const rx = received + this.#candleMs;
    const decoder = this.#decoders[file];
    if (decoder === undefined) throw new Error('Invariant: every file has a decoder');
    const name = decoder.instrument(cells);
    if (this.#decoders.length > 1 && this.#isDuplicate(file, tx, name, cells)) return 'row that another file has, too';
    const rule = decoder.ruleOf(cells);
    if (rule === undefined) return 'row that no entry of `rows` takes';
    if (rule.means === 'nothing') return 'row that means nothing';
    if (rule.id !== undefined && this.#isRepeated(String(rule.id(cells)))) return 'trade with the id of one before';
    const instrument = this.#instruments.resolve(name);
    if (instrument === undefined) return 'row of an instrument that is left out';
    const isNo = decoder.isNo?.(cells) ?? (decoder.isNo === undefined ? false : undefined);
    if (isNo === undefined) return `column "${this.#mapping.market.outcome?.column}": no word for YES or NO`;
    this.#begin(tx, rx, decoder.message?.(cells));
    const market = this.#tapes.market(instrument.key);
    return market === undefined ? '' : rule.apply(cells, market, isNo !== instrument.isNo);
  }

  #begin(tx: number, rx: number, key: unknown): void {
    const isSame = typeof this.#mapping.messages === 'object' ? key === this.#key : tx === this.#tx && rx === this.#rx;
    if (this.#isOpen && isSame) return;
    this.end();
    this.#outcomes(tx);
    this.#tx = tx;
    this.#rx = rx;
    this.#key = key;
    this.#isOpen = true;
    this.#tapes.begin(tx, rx);
  }

  #outcomes(time: number): void {
    for (const { key, at, payoutBps } of this.#instruments.takeDue(time)) {
      if (!this.#tapes.has(key)) continue;
      this.#tapes.begin(at, at);
      this.#tapes.market(key)?.resolution(payoutBps);
      this.#tapes.end();
    }
  }

  /** Rows of one time count as often as the file has them that has them most often. */
  #isDuplicate(file: number, tx: number, instrument: string, cells: Cells): boolean {
    if (tx !== this.#seenAt) this.#seen.clear();
    this.#seenAt = tx;
    const key = `${instrument}${GLUE}${cells.map(String).join(GLUE)}`;
    if (this.#seen.size === MAX_IDS) this.#seen.clear();
    const counted = this.#seen.get(key) ?? this.#decoders.map(() => 0);
    const most = Math.max(...counted);
    counted[file] = (counted[file] ?? 0) + 1;
    this.#seen.set(key, counted);
    return (counted[file] ?? 0) <= most;
  }

  #isRepeated(id: string): boolean {
    if (this.#ids.has(id)) return true;
    if (this.#ids.size === MAX_IDS) {
      const [oldest = ''] = this.#ids;
      this.#ids.delete(oldest);
    }
    this.#ids.add(id);
    return false;
  }

  /** Whether a mapping has had its chance and fits nothing. */
  get fitsNothing(): boolean {
    return this.#used === 0 && this.#counts.records >= ENOUGH;
  }
}
