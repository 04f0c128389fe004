/** Proposes a mapping for a file, from its first rows. */
import { basename } from 'node:path';
import {
  ASK_WORDS,
  BID_WORDS,
  findColumn,
  guessPriceUnit,
  guessTick,
  guessTime,
  isNumeric,
  numbersOf,
  type TimeGuess,
  wordsOf,
} from './guess-columns.ts';
import type { ImportFormat } from './import-files.ts';
import { type Sample, type SampleColumn, sampleOf } from './sample.ts';
import { bpsOf } from './units.ts';
import { type Value, yamlOf } from './yaml-text.ts';

export interface Proposal {
  readonly format: ImportFormat;
  /** The mapping, as the schema takes it once nothing is missing. */
  readonly mapping: { readonly [key: string]: Value | undefined };
  /** The same as YAML, with what is uncertain as comments. */
  readonly yaml: string;
  /** What could not be found out: the mapping needs it. */
  readonly missing: readonly string[];
}

const PRICE = [/^(yes_)?price$/i, /price|px$|odds|probab/i];
const SIZE = [
  /^(size|shares|quantity|qty|contracts|count)$/i,
  /size|shares|qty|quantity|contracts|count/i,
  /volume|amount|stake/i,
];

/** @throws FileFault */
export async function sniff(path: string): Promise<Proposal> {
  const sample = await sampleOf(path);
  const notes: string[] = [];
  const missing: string[] = [];
  const time = timeOf(sample, notes, missing);
  const rows = rowsOf(sample, notes, missing);
  const market = marketOf(sample, notes);
  const mapping = {
    version: 1,
    name:
      basename(path)
        .replace(/\.(gz|csv|tsv|txt|jsonl|ndjson|json|parquet)/gi, '')
        .replace(/[^\w.-]+/g, '-') || 'import',
    description: `${basename(path)}`,
    licence: 'unknown',
    ...(sample.format === 'csv' && (sample.delimiter !== ',' || !sample.hasHeader)
      ? {
          csv: {
            delimiter: sample.delimiter,
            ...(sample.hasHeader ? {} : { columns: sample.columns.map(({ name }) => name) }),
          },
        }
      : {}),
    ...(sample.each === undefined ? {} : { each: sample.each }),
    time,
    rows,
    ...(Object.keys(market).length === 0 ? {} : { market }),
    grid: { tick_bps: tickOf(sample, notes) },
  };
  const head = [
    `# Proposed for ${basename(path)} from its first ${sample.rows} rows: check it before you trust it.`,
    ...missing.map((text) => `# MISSING: ${text}`),
    ...notes.map((text) => `# ${text}`),
  ];
  return { format: sample.format, mapping, yaml: `${head.join('\n')}\n${yamlOf(mapping)}`, missing };
}

function timeOf({ columns }: Sample, notes: string[], missing: string[]): Value {
  const guesses = columns.map(guessTime).filter((guess) => guess !== undefined);
  const isReceived = ({ column }: TimeGuess) => /rec(ei)?v|local|captur|arriv|logged/i.test(column);
  const named = guesses.filter((guess) => !isReceived(guess));
  const best = named.find(({ column }) => /time|date|^ts|ts$/i.test(column)) ?? named[0] ?? guesses[0];
  if (best === undefined) {
    missing.push('no column holds times that are recognised; name it, and its format');
    return { column: '?', format: 'iso8601' };
  }
  const received = guesses.find((guess) => isReceived(guess) && guess !== best);
  if (!best.hasZone) notes.push(`The times of "${best.column}" name no zone. UTC is an assumption.`);
  if (best.order === 'any')
    notes.push('Times go back in the first rows: several captures, or no order. The import sorts them.');
  return {
    column: best.column,
    format: best.format,
    ...(best.hasZone ? {} : { zone: 'UTC' }),
    ...(received === undefined
      ? {}
      : {
          received: { column: received.column, format: received.format, ...(received.hasZone ? {} : { zone: 'UTC' }) },
        }),
    ...(best.order === 'oldest_first' ? {} : { order: best.order }),
  };
}

function rowsOf(sample: Sample, notes: string[], missing: string[]): Value[] {
  const lists = (['bids', 'asks'] as const).map((name) =>
    findColumn(sample, [new RegExp(`(^|[._])${name}$`, 'i')], ({ values }) => values.some(isList)),
  );
  const types = findColumn(
    sample,
    [/^(event_?type|type|event|kind|msg_?type|message_?type)$/i],
    (column) => (wordsOf(column, 12)?.length ?? 0) > 1 && !isSide(column),
  );
  const [bids, asks] = lists;
  const book = bids === undefined || asks === undefined ? undefined : bookOf(bids, asks);
  const top = topOf(sample);
  if (types === undefined) {
    if (book !== undefined) return [book];
    if (top !== undefined) return [top];
    return [flatRow(sample, undefined, notes, missing)];
  }
  return (wordsOf(types, 12) ?? []).map((word) => {
    const when = { column: types.name, is: [word] };
    const only = rowsWith(sample, types, word);
    const hasList = bids !== undefined && only.columns.find(({ name }) => name === bids.name)?.values.some(isList);
    if (hasList && book !== undefined) return { when, ...book };
    if (/trade|fill|match/i.test(word) && !/tick/i.test(word))
      return { when, ...flatRow(only, 'trade', notes, missing) };
    if (/snapshot|^book$/i.test(word)) return { when, ...flatRow(only, 'snapshot', notes, missing) };
    if (/change|delta|update|level|l2/i.test(word) && !/tick/i.test(word))
      return { when, ...flatRow(only, 'change', notes, missing) };
    notes.push(`Rows with ${types.name} "${word}" are left out.`);
    return { when, means: 'nothing' };
  });
}

/** A price, a size and a side in each row. */
function flatRow(
  sample: Sample,
  given: 'trade' | 'snapshot' | 'change' | undefined,
  notes: string[],
  missing: string[],
): { [key: string]: Value } {
  const price = findColumn(sample, PRICE, isNumeric);
  const size = findColumn(sample, SIZE, isNumeric);
  const sides = sample.columns.find(isSide);
  if (price === undefined) missing.push('no column of prices');
  if (size === undefined) missing.push('no column of sizes; `size: { constant: … }` assumes one');
  const words = sides === undefined ? [] : (wordsOf(sides, 4) ?? []);
  const isTraded =
    words.some((word) => /^(buy|sell)$/i.test(word)) &&
    !sample.columns.some(({ name }) => /level|depth|delta/i.test(name));
  const hasNegative = size !== undefined && numbersOf(size.values).some((value) => value < 0);
  const level = hasNegative ? 'level_delta' : 'level';
  const means = given === 'change' ? level : (given ?? (sides === undefined || isTraded ? 'trade' : level));
  if (given === undefined || given === 'change')
    notes.push(
      `Rows are taken for "${means}"${means === 'trade' ? '' : hasNegative ? ', because sizes are negative in some' : ', with absolute sizes'}.`,
    );
  return {
    means,
    price: { column: price?.name ?? '?', unit: price === undefined ? 'dollars' : guessPriceUnit(price) },
    size: { column: size?.name ?? '?', unit: 'shares' },
    ...(sides === undefined
      ? {}
      : {
          side: {
            column: sides.name,
            bid: words.filter((word) => BID_WORDS.includes(word.toLowerCase())),
            ask: words.filter((word) => ASK_WORDS.includes(word.toLowerCase())),
          },
        }),
  };
}

function bookOf(bids: SampleColumn, asks: SampleColumn): { [key: string]: Value } {
  const [first] = levelsIn(bids).concat(levelsIn(asks));
  const isPair = Array.isArray(first);
  const keys = typeof first === 'object' && first !== null && !isPair ? Object.keys(first) : ['0', '1'];
  const price = keys.find((key) => /^p/i.test(key)) ?? '0';
  const size = keys.find((key) => /^(s|q)/i.test(key)) ?? '1';
  const prices = levelsIn(bids).map((level) =>
    typeof level === 'object' && level !== null ? Reflect.get(level, price) : undefined,
  );
  const side = (column: SampleColumn): Value => ({ column: column.name, price, size });
  return {
    means: 'book',
    bids: side(bids),
    asks: side(asks),
    price_unit: guessPriceUnit({ name: bids.name, values: prices }),
  };
}

function topOf(sample: Sample): { [key: string]: Value } | undefined {
  const side = (name: string): Value | undefined => {
    const price = findColumn(sample, [new RegExp(`^(best_?|yes_?)*${name}(_?price|_?px)?$`, 'i')], isNumeric);
    if (price === undefined) return undefined;
    const size = findColumn(
      sample,
      [new RegExp(`^(best_?|yes_?)*${name}_?(size|qty|quantity|volume|shares)$`, 'i')],
      isNumeric,
    );
    const sizes: Value = size === undefined ? { constant: 1, unit: 'shares' } : { column: size.name, unit: 'shares' };
    return { price: { column: price.name, unit: guessPriceUnit(price) }, size: sizes };
  };
  const [bid, ask] = [side('bid'), side('ask')];
  return bid === undefined || ask === undefined ? undefined : { means: 'top_of_book', bid, ask };
}

function marketOf(sample: Sample, notes: string[]): { [key: string]: Value } {
  const outcome = sample.columns.find((column) => {
    const words = wordsOf(column, 3)?.map((word) => word.toLowerCase());
    return words !== undefined && words.length > 0 && words.every((word) => word === 'yes' || word === 'no');
  });
  const names = [
    /^(ticker|market_?ticker|asset_?id|token_?id|instrument|symbol)$/i,
    /ticker|asset|token|instrument|symbol/i,
    /market|slug|question|contract|option|event/i,
  ];
  const isName = (column: SampleColumn) =>
    column !== outcome &&
    (wordsOf(column, Math.max(1, sample.rows / 2))?.length ?? 0) > 0 &&
    guessTime(column) === undefined &&
    !/price|size|type$/i.test(column.name.replace('option_type', ''));
  const market = findColumn(sample, names, isName);
  if (market === undefined) notes.push('All rows are taken for one market.');
  const words = outcome === undefined ? [] : (wordsOf(outcome, 3) ?? []);
  return {
    ...(market === undefined ? {} : { column: market.name }),
    ...(outcome === undefined
      ? {}
      : {
          outcome: {
            column: outcome.name,
            yes: words.filter((word) => /^yes$/i.test(word)),
            no: words.filter((word) => /^no$/i.test(word)),
          },
        }),
  };
}

function tickOf(sample: Sample, notes: string[]): number {
  const flat = sample.columns.filter((column) => /price|px$|bid$|ask$/i.test(column.name) && isNumeric(column));
  const bps = flat.flatMap((column) => numbersOf(column.values).map((value) => bpsOf(value, guessPriceUnit(column))));
  const usable = bps.filter((price) => price > 0 && price < 10_000);
  const { tick, off } = guessTick(usable);
  notes.push(
    usable.length === 0
      ? 'The price grid is a guess.'
      : `${off} of ${usable.length} prices are not on a grid of ${tick} bps.`,
  );
  return usable.length === 0 ? 100 : tick;
}

function rowsWith(sample: Sample, types: SampleColumn, word: string): Sample {
  const rows = types.values.flatMap((value, at) => (String(value) === word ? [at] : []));
  const columns = sample.columns.map(({ name, values }) => ({ name, values: rows.map((at) => values[at]) }));
  return { ...sample, rows: rows.length, columns };
}

/** Whether all words of a column are words for sides. */
function isSide(column: SampleColumn): boolean {
  const words = wordsOf(column, 4)?.map((word) => word.toLowerCase()) ?? [];
  return words.length > 0 && words.every((word) => BID_WORDS.includes(word) || ASK_WORDS.includes(word));
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && /^\s*\[/.test(value));
}

function levelsIn({ values }: SampleColumn): unknown[] {
  return values.flatMap((value) => {
    const list: unknown = typeof value === 'string' && isList(value) ? JSON.parse(value) : value;
    return Array.isArray(list) ? list : [];
  });
}
