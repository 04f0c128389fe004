/** Proposes a mapping for a file from its first rows. */
import { basename } from 'node:path';
import {
  distinctValues,
  findColumn,
  guessPriceUnit,
  guessTick,
  guessTime,
  isNumeric,
  parseNumbers,
  type TimeGuess,
} from './guess-columns.ts';
import type { ImportFormat } from './import-files.ts';
import { readSample, type Sample, type SampleColumn } from './sample.ts';
import { findRowTypes, guessRows, type YamlValue } from './sniff-rows.ts';
import { toBps } from './units.ts';

export interface Proposal {
  readonly format: ImportFormat;
  /** The mapping, which is valid if nothing is missing. */
  readonly mapping: { readonly [key: string]: YamlValue | undefined };
  /** The mapping as YAML, with assumptions as comments. */
  readonly yaml: string;
  /** Required parts that could not be guessed. */
  readonly missing: readonly string[];
}

/** @throws FileFault */
export async function sniff(path: string): Promise<Proposal> {
  const sample = await readSample(path);
  const notes: string[] = [];
  const missing: string[] = [];
  const time = guessTimeSection(sample, notes, missing);
  const rows = guessRows(sample, notes, missing);
  const market = guessMarket(sample, notes);
  const mapping = {
    version: 1,
    name:
      basename(path)
        .replace(/\.(gz|csv|tsv|txt|jsonl|ndjson|json|parquet)/gi, '')
        .replace(/[^\w.-]+/g, '-') || 'import',
    description: basename(path),
    licence: 'unknown',
    ...(sample.format === 'csv' &&
      (sample.delimiter !== ',' || !sample.hasHeader) && {
        csv: {
          delimiter: sample.delimiter,
          ...(!sample.hasHeader && { columns: sample.columns.map(({ name }) => name) }),
        },
      }),
    ...(sample.rowListColumn !== undefined && { each: sample.rowListColumn }),
    time,
    rows,
    ...(Object.keys(market).length > 0 && { market }),
    grid: { tick_bps: guessTickBps(sample, notes) },
  };
  const head = [
    `# Proposed for ${basename(path)} from its first ${sample.rows} rows: check it before you trust it.`,
    ...missing.map((text) => `# MISSING: ${text}`),
    ...notes.map((text) => `# ${text}`),
  ];
  return { format: sample.format, mapping, yaml: `${head.join('\n')}\n${toYaml(mapping)}`, missing };
}

function guessTimeSection({ columns }: Sample, notes: string[], missing: string[]): YamlValue {
  const guesses = columns.map(guessTime).filter((guess) => guess !== undefined);
  const isReceived = ({ column }: TimeGuess) => /rec(ei)?v|local|captur|arriv|logged/i.test(column);
  const exchange = guesses.filter((guess) => !isReceived(guess));
  const best = exchange.find(({ column }) => /time|date|^ts|ts$/i.test(column)) ?? exchange[0] ?? guesses[0];
  if (best === undefined) {
    missing.push('no column with a known time format; name the column and its format');
    return { column: '?', format: 'iso8601' };
  }
  const received = guesses.find((guess) => isReceived(guess) && guess !== best);
  if (!best.hasZone) notes.push(`The times of "${best.column}" name no zone. UTC is an assumption.`);
  if (best.order === 'any')
    notes.push('Times go back in the first rows: several captures, or no order. The import sorts them.');
  if (best.empty > 0) notes.push(`${best.empty} rows have no time. The time of the next row is an assumption.`);
  const toSection = ({ column, format, hasZone }: TimeGuess) => ({ column, format, ...(!hasZone && { zone: 'UTC' }) });
  return {
    ...toSection(best),
    ...(best.empty > 0 && { missing: 'next' }),
    ...(received !== undefined && { received: toSection(received) }),
    ...(best.order !== 'oldest_first' && { order: best.order }),
  };
}

function guessMarket(sample: Sample, notes: string[]): { [key: string]: YamlValue } {
  const outcome = sample.columns.find(isYesOrNo) ?? sample.columns.find(isPairOfOutcomes);
  const names = [
    /^(ticker|market_?ticker|asset_?id|token_?id|instrument|symbol)$/i,
    /ticker|asset|token|instrument|symbol/i,
    /market|slug|question|contract|option|event/i,
  ];
  const rowTypes = findRowTypes(sample);
  const isMarketName = (column: SampleColumn) =>
    column !== outcome &&
    column !== rowTypes &&
    (distinctValues(column, Math.max(1, sample.rows / 2))?.length ?? 0) > 0 &&
    guessTime(column) === undefined &&
    !/price|size|type$/i.test(column.name.replace('option_type', ''));
  const market = findColumn(sample, names, isMarketName);
  if (market === undefined)
    notes.push('All rows count as one market. If each file is a market or an outcome, set market.per_file.');
  const words = outcome === undefined ? [] : (distinctValues(outcome, 3) ?? []);
  const isPair = outcome !== undefined && !isYesOrNo(outcome);
  if (isPair) notes.push(`"${words[0]}" counts as YES and "${words[1]}" as NO of one market. This is a guess.`);
  return {
    ...(market !== undefined && { column: market.name }),
    ...(outcome !== undefined && {
      outcome: {
        column: outcome.name,
        yes: isPair ? words.slice(0, 1) : words.filter((word) => /^yes$/i.test(word)),
        no: isPair ? words.slice(1) : words.filter((word) => /^no$/i.test(word)),
      },
    }),
  };
}

function isYesOrNo(column: SampleColumn): boolean {
  const words = distinctValues(column, 3)?.map((word) => word.toLowerCase()) ?? [];
  return words.length > 0 && words.every((word) => word === 'yes' || word === 'no');
}

/** Whether a column has the names of two outcomes, such as two parties. */
function isPairOfOutcomes(column: SampleColumn): boolean {
  return /outcome/i.test(column.name) && distinctValues(column, 2)?.length === 2 && !isNumeric(column);
}

function guessTickBps(sample: Sample, notes: string[]): number {
  const priceColumns = sample.columns.filter((column) => /price|px$|bid$|ask$/i.test(column.name) && isNumeric(column));
  const bps = priceColumns.flatMap((column) =>
    parseNumbers(column.values).map((value) => toBps(value, guessPriceUnit(column))),
  );
  const usable = bps.filter((price) => price > 0 && price < 10_000);
  if (usable.length === 0) {
    notes.push('The price grid is a guess.');
    return 100;
  }
  const { tick, offTick } = guessTick(usable);
  notes.push(`${offTick} of ${usable.length} prices are not on a grid of ${tick} bps.`);
  return tick;
}

/** Writes YAML with one line per section member, and nested values in flow style. */
function toYaml(mapping: { readonly [key: string]: YamlValue | undefined }): string {
  const lines = Object.entries(mapping).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return [`${key}:`, ...value.map((entry) => `  - ${toFlow(entry)}`)];
    if (typeof value !== 'object') return [`${key}: ${toFlow(value)}`];
    return [`${key}:`, ...Object.entries(value).map(([name, inner]) => `  ${name}: ${toFlow(inner)}`)];
  });
  return `${lines.join('\n')}\n`;
}

function toFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return `{ ${members.map(([key, inner]) => `${key}: ${toFlow(inner)}`).join(', ')} }`;
  }
  if (typeof value === 'number') return String(value);
  const text = String(value);
  return /^[A-Za-z_][\w.-]*$/.test(text) && !/^(yes|no|true|false|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
