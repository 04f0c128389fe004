import type { Cells } from './column-readers.ts';
import type { ImportCounts } from './counts.ts';
import type { Instruments } from './instruments.ts';
import type { Mapping } from './mapping.ts';
import type { RowDecoder } from './row-decoder.ts';
import type { TapePartsWriter } from './tape-parts-writer.ts';

const MAX_STORED_KEYS = 200_000;
/** Number of rows after which a mapping that fits none of them is a fault. */
const MIN_ROWS_BEFORE_FAULT = 10_000;
/** Separates the parts of a key; sources do not contain it. */
const SEPARATOR = '\u0000';

/** Groups rows into messages, drops duplicates, and applies rows to their markets. */
export class MessageReader {
  readonly #mapping: Mapping;
  readonly #instruments: Instruments;
  readonly #tapes: TapePartsWriter;
  readonly #counts: ImportCounts;
  readonly #decoders: readonly RowDecoder[];
  #isInMessage = false;
  #tx = Number.NEGATIVE_INFINITY;
  #rx = 0;
  #messageKey: unknown;
  #usedRows = 0;
  /** Latest trade ids with their markets. Venues may number the trades of each market. */
  #ids = new Set<string>();
  /** Copies of each row at `#countedTime`, as a count per file. The key is the row's instrument and cells. */
  readonly #rowCounts = new Map<string, number[]>();
  /** Exchange time of the rows in `#rowCounts`. */
  #countedTime = 0;
  readonly #candleMs: number;

  constructor(
    mapping: Mapping,
    instruments: Instruments,
    tapes: TapePartsWriter,
    counts: ImportCounts,
    decoders: readonly RowDecoder[],
  ) {
    this.#mapping = mapping;
    this.#instruments = instruments;
    this.#tapes = tapes;
    this.#counts = counts;
    this.#decoders = decoders;
    const candle = mapping.rows.find((row) => row.means === 'candle');
    // A row has the start of its candle; the print comes at the end of the candle.
    this.#candleMs = candle?.means === 'candle' ? candle.length_ms : 0;
  }

  /** Whether a row at this time is later than all rows so far, and so repeats none of them. */
  isNewTime(start: number): boolean {
    return start + this.#candleMs > Math.max(this.#tx, this.#countedTime);
  }

  /** Applies or drops a row. @param file number of the file @throws InputFault */
  addRow(file: number, start: number, received: number, cells: Cells): void {
    const reason = this.#apply(file, start, received, cells);
    if (reason === undefined) this.#usedRows += 1;
    else if (reason !== '') this.#counts.countDropped(reason);
    if (this.#mapping.messages === 'row') this.endMessage();
  }

  endMessage(): void {
    if (this.#isInMessage) this.#tapes.end();
    this.#isInMessage = false;
  }

  finish(): void {
    this.endMessage();
    this.#writeOutcomesUntil(Number.POSITIVE_INFINITY);
  }

  getIds(): string[] {
    return [...this.#ids];
  }

  restore(ids: readonly string[]): void {
    this.#ids = new Set(ids);
    this.#usedRows = 1;
  }

  /** Applies a row. Returns why the row is dropped, or an empty string if the drop is already counted. */
  #apply(file: number, start: number, received: number, cells: Cells): string | undefined {
    const tx = start + this.#candleMs;
    const rx = received + this.#candleMs;
    const decoder = this.#decoders[file];
    if (decoder === undefined) throw new Error('Invariant: every file has a decoder');
    const name = decoder.readInstrument(cells);
    if (this.#decoders.length > 1 && this.#isDuplicate(file, tx, name, cells)) return 'row that another file has, too';
    const rule = decoder.findRule(cells);
    if (rule === undefined) return 'row that no entry of `rows` matches';
    if (rule.means === 'nothing') return 'row that means nothing';
    const instrument = this.#instruments.resolve(name);
    if (instrument === undefined) return 'row of an instrument that is left out';
    if (rule.readId !== undefined && this.#checkAndAdd(`${instrument.key}${SEPARATOR}${rule.readId(cells)}`))
      return 'trade with the id of an earlier trade';
    const outcome = decoder.readOutcome(cells);
    if (outcome === undefined) return `column "${this.#mapping.market.outcome?.column}": not a word for YES or NO`;
    this.#begin(tx, rx, decoder.readMessageKey?.(cells));
    const market = this.#tapes.market(instrument.key);
    // The YES of an instrument that is NO is the NO of the market.
    return market === undefined ? '' : rule.apply(cells, market, outcome === instrument.outcome ? 'YES' : 'NO');
  }

  #begin(tx: number, rx: number, key: unknown): void {
    const isSame =
      typeof this.#mapping.messages === 'object' ? key === this.#messageKey : tx === this.#tx && rx === this.#rx;
    if (this.#isInMessage && isSame) return;
    this.endMessage();
    this.#writeOutcomesUntil(tx);
    this.#tx = tx;
    this.#rx = rx;
    this.#messageKey = key;
    this.#isInMessage = true;
    this.#tapes.begin(tx, rx);
  }

  #writeOutcomesUntil(time: number): void {
    for (const { key, at, payoutBps } of this.#instruments.takeOutcomes(time)) {
      if (!this.#tapes.hasMarket(key)) continue;
      this.#tapes.begin(at, at);
      this.#tapes.market(key)?.resolution(payoutBps);
      this.#tapes.end();
    }
  }

  /** Whether the row repeats another file's row. If files repeat rows, the file with the most copies counts. */
  #isDuplicate(file: number, tx: number, instrument: string, cells: Cells): boolean {
    if (tx !== this.#countedTime) this.#rowCounts.clear();
    this.#countedTime = tx;
    const key = `${instrument}${SEPARATOR}${cells.map(String).join(SEPARATOR)}`;
    if (this.#rowCounts.size === MAX_STORED_KEYS) this.#rowCounts.clear();
    const counts = this.#rowCounts.get(key) ?? this.#decoders.map(() => 0);
    const max = Math.max(...counts);
    counts[file] = (counts[file] ?? 0) + 1;
    this.#rowCounts.set(key, counts);
    return (counts[file] ?? 0) <= max;
  }

  #checkAndAdd(id: string): boolean {
    if (this.#ids.has(id)) return true;
    if (this.#ids.size === MAX_STORED_KEYS) {
      const [oldest = ''] = this.#ids;
      this.#ids.delete(oldest);
    }
    this.#ids.add(id);
    return false;
  }

  get fitsNoRow(): boolean {
    return this.#usedRows === 0 && this.#counts.records >= MIN_ROWS_BEFORE_FAULT;
  }
}
