/** Guesses what the rows of a sample mean. */
import { ASK_WORDS, BID_WORDS, findColumn, guessPriceUnit, isNumeric, numbersOf, wordsOf } from './guess-columns.ts';
import type { Sample, SampleColumn } from './sample.ts';
import type { Value } from './yaml-text.ts';

const PRICE = [/^(yes_)?price$/i, /price|px$|odds|probab/i];
const SIZE = [
  /^(size|shares|quantity|qty|contracts|count)$/i,
  /size|shares|qty|quantity|contracts|count/i,
  /volume|amount|stake/i,
];
/** Words of orders that come, go and trade. */
const ORDER_WORDS = [/^(add|insert|new|submit|place)/i, /^(cancel|delete|remove|reduce)/i, /^(exec|fill|trade|match)/i];

/** An entry of `rows` for each kind of row. */
export function rowsOf(sample: Sample, notes: string[], missing: string[]): Value[] {
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
  const orders = ordersOf(sample, types, notes, missing);
  if (orders !== undefined) return [orders];
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

/** Orders with ids that come, go and trade; undefined where the words of a column are not those. */
function ordersOf(
  sample: Sample,
  types: SampleColumn,
  notes: string[],
  missing: string[],
): { [key: string]: Value } | undefined {
  const id = findColumn(sample, [/^order_?id$/i, /order_?(id|ref|no)|^order$/i], () => true);
  const words = wordsOf(types, 12) ?? [];
  const [insert, cancel, execute] = ORDER_WORDS.map((pattern) => words.filter((word) => pattern.test(word)));
  if (id === undefined || insert?.length === 0 || cancel?.length === 0) return undefined;
  const { means: _, ...level } = flatRow(sample, 'snapshot', notes, missing);
  const action = { column: types.name, insert: insert ?? [], cancel: cancel ?? [], execute: execute ?? [] };
  const known = [insert, cancel, execute].flat();
  for (const word of words) if (!known.includes(word)) notes.push(`Rows with ${types.name} "${word}" are dropped.`);
  return { means: 'insert_cancel', ...level, action, order_id: id.name };
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
  const words = sides === undefined ? [] : (wordsOf(sides, 4) ?? []);
  const isTraded =
    words.some((word) => /^(buy|sell)$/i.test(word)) &&
    !sample.columns.some(({ name }) => /level|depth|delta/i.test(name));
  const hasNegative = size !== undefined && numbersOf(size.values).some((value) => value < 0);
  const level = hasNegative ? 'level_delta' : 'level';
  const means = given === 'change' ? level : (given ?? (sides === undefined || isTraded ? 'trade' : level));
  const assumesSize = size === undefined && means === 'trade';
  if (assumesSize) notes.push('No column of sizes. One share a trade is an assumption.');
  else if (size === undefined) missing.push('no column of sizes');
  if (given === undefined || given === 'change')
    notes.push(
      `Rows are taken for "${means}"${means === 'trade' ? '' : hasNegative ? ', because sizes are negative in some' : ', with absolute sizes'}.`,
    );
  return {
    means,
    price: { column: price?.name ?? '?', unit: price === undefined ? 'dollars' : guessPriceUnit(price) },
    size: { ...(assumesSize ? { constant: 1 } : { column: size?.name ?? '?' }), unit: 'shares' },
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
