/** Decodes the rows of one file by a mapping, with functions that are compiled once per file. */
import type { Outcome } from '../../domain/index.ts';
import { type Cells, ColumnReaders, type RowReader } from './column-readers.ts';
import type { Mapping } from './mapping.ts';
import type { RowMapping } from './row-mapping.ts';
import { type ApplyRow, compileRow } from './row-meanings.ts';
import { makeTimeReader } from './time-format.ts';
import type { RowTimes } from './timed-rows.ts';
import { isEmpty } from './units.ts';

const EXTENSIONS = /\.(csv|tsv|txt|jsonl|ndjson|json|parquet)?(\.gz)?$/i;

interface RowRule {
  readonly means: RowMapping['means'];
  readonly matches: RowReader<boolean>;
  readonly apply: ApplyRow;
  /** Reads the trade id, to drop repeated trades. */
  readonly readId: RowReader<unknown> | undefined;
}

export class RowDecoder {
  readonly times: RowTimes;
  readonly readInstrument: RowReader<string>;
  /** Reads which outcome of its instrument a row is about; undefined for an unknown word. */
  readonly readOutcome: RowReader<Outcome | undefined>;
  readonly readMessageKey: RowReader<unknown> | undefined;
  readonly #rules: readonly RowRule[];

  /** @param file its name @param onZone called with each zone in the times @throws InputFault for a missing column */
  constructor(mapping: Mapping, file: string, columnNames: readonly string[], onZone: (zone: string) => void) {
    const columns = new ColumnReaders(file, columnNames);
    const { time, market, messages, rows } = mapping;
    const readTimeCell = columns.cell(time.column, 'time.column');
    const toTime = makeTimeReader(time.format, time.zone, onZone);
    const { received } = time;
    const readReceivedCell = received === undefined ? undefined : columns.cell(received.column, 'time.received.column');
    const toReceivedTime = received === undefined ? undefined : makeTimeReader(received.format, received.zone, onZone);
    this.times = {
      column: time.column,
      missing: time.missing,
      isMissing: (cells) => isEmpty(readTimeCell(cells)),
      tx: (cells) => toTime(readTimeCell(cells)),
      rx: readReceivedCell && toReceivedTime && ((cells) => toReceivedTime(readReceivedCell(cells))),
    };
    this.readInstrument = makeInstrumentReader(columns, mapping, file);
    this.readOutcome = market.outcome === undefined ? () => 'YES' : makeOutcomeReader(columns, market.outcome);
    if (typeof messages === 'object') this.readMessageKey = columns.cell(messages.column, 'messages.column');
    this.#rules = rows.map((row, index) => ({
      means: row.means,
      matches: makeMatcher(columns, row.when, `rows[${index}].when.column`),
      apply: compileRow(columns, row, `rows[${index}]`),
      readId: row.means === 'trade' && row.id !== undefined ? columns.cell(row.id, `rows[${index}].id`) : undefined,
    }));
  }

  findRule(cells: Cells): RowRule | undefined {
    return this.#rules.find((rule) => rule.matches(cells));
  }
}

function makeInstrumentReader(columns: ColumnReaders, { name, market }: Mapping, file: string): RowReader<string> {
  if (market.column === undefined) {
    const instrument = market.per_file ? file.replace(EXTENSIONS, '') : name;
    return () => instrument;
  }
  const readCell = columns.cell(market.column, 'market.column');
  return (cells) => String(readCell(cells) ?? '');
}

function makeOutcomeReader(
  columns: ColumnReaders,
  { column, yes, no }: NonNullable<Mapping['market']['outcome']>,
): RowReader<Outcome | undefined> {
  const readCell = columns.cell(column, 'market.outcome.column');
  const words = new Map<string, Outcome>();
  for (const word of yes) words.set(word, 'YES');
  for (const word of no) words.set(word, 'NO');
  return (cells) => words.get(String(readCell(cells)));
}

function makeMatcher(columns: ColumnReaders, when: RowMapping['when'], field: string): RowReader<boolean> {
  if (when === undefined) return () => true;
  const readCell = columns.cell(when.column, field);
  const words = new Set(when.is);
  return (cells) => words.has(String(readCell(cells) ?? ''));
}
