/** Guesses the meaning of a sample's rows. */
import { tryParseJson } from '../../network/index.ts';
import {
  ASK_WORDS,
  BID_WORDS,
  distinctValues,
  findColumn,
  guessPriceUnit,
  isNumeric,
  parseNumbers,
} from './guess-columns.ts';
import type { Sample, SampleColumn } from './sample.ts';

export type YamlValue = string | number | readonly YamlValue[] | { readonly [key: string]: YamlValue | undefined };

const PRICE_NAMES = [/^(yes_)?price$/i, /price|px$|odds|probab/i];
const SIZE_NAMES = [
  /^(size|shares|quantity|qty|contracts|count)$/i,
  /size|shares|qty|quantity|contracts|count/i,
  /volume|amount|stake/i,
];
const ORDER_WORDS = [/^(add|insert|new|submit|place)/i, /^(cancel|delete|remove|reduce)/i, /^(exec|fill|trade|match)/i];

/** Returns the column that names the kind of each row, such as "trade" or "quote"; undefined without such a column. */
export function findRowTypes(sample: Sample): SampleColumn | undefined {
  return findColumn(
    sample,
    [/^(event_?type|type|event|kind|msg_?type|message_?type)$/i],
    (column) => (distinctValues(column, 12)?.length ?? 0) > 1 && !isSide(column),
  );
}

/** Returns the mapping's `rows`: one entry for each kind of row. */
export function guessRows(sample: Sample, notes: string[], missing: string[]): YamlValue[] {
  const lists = (['bids', 'asks'] as const).map((name) =>
    findColumn(sample, [new RegExp(`(^|[._])${name}$`, 'i')], ({ values }) => values.some(isList)),
  );
  const types = findRowTypes(sample);
  const [bids, asks] = lists;
  const book = bids === undefined || asks === undefined ? undefined : guessBook(bids, asks);
  const top = guessTop(sample);
  if (types === undefined) return [book ?? top ?? guessLevelOrTrade(sample, undefined, notes, missing)];
  const orders = guessOrders(sample, types, notes, missing);
  if (orders !== undefined) return [orders];
  return (distinctValues(types, 12) ?? []).map((word) => {
    const when = { column: types.name, is: [word] };
    const typed = filterRows(sample, types, word);
    const hasList = bids !== undefined && typed.columns.find(({ name }) => name === bids.name)?.values.some(isList);
    if (hasList && book !== undefined) return { when, ...book };
    if (/trade|fill|match/i.test(word) && !/tick/i.test(word))
      return { when, ...guessLevelOrTrade(typed, 'trade', notes, missing) };
    if (/snapshot|^book$/i.test(word)) return { when, ...guessLevelOrTrade(typed, 'snapshot', notes, missing) };
    if (/change|delta|update|level|l2/i.test(word) && !/tick/i.test(word))
      return { when, ...guessLevelOrTrade(typed, 'change', notes, missing) };
    const best = guessTop(typed);
    if (best !== undefined) return { when, ...best };
    notes.push(`Rows with ${types.name} "${word}" are left out.`);
    return { when, means: 'nothing' };
  });
}

/** Guesses orders with ids; undefined if the words of the type column do not fit. */
function guessOrders(
  sample: Sample,
  types: SampleColumn,
  notes: string[],
  missing: string[],
): { [key: string]: YamlValue } | undefined {
  const id = findColumn(sample, [/^order_?id$/i, /order_?(id|ref|no)|^order$/i], () => true);
  const words = distinctValues(types, 12) ?? [];
  const [insert, cancel, execute] = ORDER_WORDS.map((pattern) => words.filter((word) => pattern.test(word)));
  if (id === undefined || insert?.length === 0 || cancel?.length === 0) return undefined;
  const { means: _, ...level } = guessLevelOrTrade(sample, 'snapshot', notes, missing);
  const action = { column: types.name, insert: insert ?? [], cancel: cancel ?? [], execute: execute ?? [] };
  const known = [insert, cancel, execute].flat();
  for (const word of words) if (!known.includes(word)) notes.push(`Rows with ${types.name} "${word}" are dropped.`);
  return { means: 'insert_cancel', ...level, action, order_id: id.name };
}

function guessLevelOrTrade(
  sample: Sample,
  kind: 'trade' | 'snapshot' | 'change' | undefined,
  notes: string[],
  missing: string[],
): { [key: string]: YamlValue } {
  const price = findColumn(sample, PRICE_NAMES, isNumeric);
  const size = findColumn(sample, SIZE_NAMES, isNumeric);
  const sides = sample.columns.find(isSide);
  if (price === undefined) missing.push('no column of prices');
  const words = sides === undefined ? [] : (distinctValues(sides, 4) ?? []);
  const areTrades =
    words.some((word) => /^(buy|sell)$/i.test(word)) &&
    !sample.columns.some(({ name }) => /level|depth|delta/i.test(name));
  const hasNegative = size !== undefined && parseNumbers(size.values).some((value) => value < 0);
  const level = hasNegative ? 'level_delta' : 'level';
  const means = kind === 'change' ? level : (kind ?? (sides === undefined || areTrades ? 'trade' : level));
  const assumesSize = size === undefined && means === 'trade';
  if (assumesSize) notes.push('No column of sizes. One share per trade is an assumption.');
  else if (size === undefined) missing.push('no column of sizes');
  if (kind === undefined || kind === 'change')
    notes.push(
      `Rows count as "${means}"${means === 'trade' ? '' : hasNegative ? ', because some sizes are negative' : ', with absolute sizes'}.`,
    );
  return {
    means,
    price: { column: price?.name ?? '?', unit: price === undefined ? 'dollars' : guessPriceUnit(price) },
    size: { ...(assumesSize ? { constant: 1 } : { column: size?.name ?? '?' }), unit: 'shares' },
    ...(sides !== undefined && {
      side: {
        column: sides.name,
        bid: words.filter((word) => BID_WORDS.includes(word.toLowerCase())),
        ask: words.filter((word) => ASK_WORDS.includes(word.toLowerCase())),
      },
    }),
  };
}

function guessBook(bids: SampleColumn, asks: SampleColumn): { [key: string]: YamlValue } {
  const [first] = readLevels(bids).concat(readLevels(asks));
  const isPair = Array.isArray(first);
  const keys = typeof first === 'object' && first !== null && !isPair ? Object.keys(first) : ['0', '1'];
  const price = keys.find((key) => /^p/i.test(key)) ?? '0';
  const size = keys.find((key) => /^(s|q)/i.test(key)) ?? '1';
  const prices = readLevels(bids).map((level) =>
    typeof level === 'object' && level !== null ? Reflect.get(level, price) : undefined,
  );
  const toSide = (column: SampleColumn): YamlValue => ({ column: column.name, price, size });
  const unit = guessPriceUnit({ name: bids.name, values: prices });
  return { means: 'book', bids: toSide(bids), asks: toSide(asks), price_unit: unit };
}

function guessTop(sample: Sample): { [key: string]: YamlValue } | undefined {
  const guessSide = (name: string): YamlValue | undefined => {
    const find = (suffix: string) =>
      findColumn(sample, [new RegExp(`^(best_?|yes_?)*${name}${suffix}$`, 'i')], isNumeric);
    const price = find('(_?price|_?px)?');
    if (price === undefined) return undefined;
    const size = find('_?(size|qty|quantity|volume|shares)');
    const sizes: YamlValue =
      size === undefined ? { constant: 1, unit: 'shares' } : { column: size.name, unit: 'shares' };
    return { price: { column: price.name, unit: guessPriceUnit(price) }, size: sizes };
  };
  const [bid, ask] = [guessSide('bid'), guessSide('ask')];
  return bid === undefined || ask === undefined ? undefined : { means: 'top_of_book', bid, ask };
}

function filterRows(sample: Sample, types: SampleColumn, word: string): Sample {
  const rows = types.values.flatMap((value, at) => (String(value) === word ? [at] : []));
  const columns = sample.columns.map(({ name, values }) => ({ name, values: rows.map((at) => values[at]) }));
  return { ...sample, rows: rows.length, columns };
}

function isSide(column: SampleColumn): boolean {
  const words = distinctValues(column, 4)?.map((word) => word.toLowerCase()) ?? [];
  return words.length > 0 && words.every((word) => BID_WORDS.includes(word) || ASK_WORDS.includes(word));
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && /^\s*\[/.test(value));
}

function readLevels({ values }: SampleColumn): unknown[] {
  return values.flatMap((value) => {
    const list: unknown = typeof value === 'string' && isList(value) ? tryParseJson(value) : value;
    return Array.isArray(list) ? list : [];
  });
}
