/** Formats results of a bot or a venue for people. `--json` prints them for programs. */
import { formatUsd, unchecked } from '../../domain/index.ts';
import { escapeLine } from '../../network/index.ts';
import { refusedText, rejectedText } from '../../ops/index.ts';
import { type Column, columnsText } from './columns-text.ts';
import { type TextOutput, tableWidth } from './terminal.ts';

type Row = Readonly<Record<string, unknown>>;
type Format = (value: unknown) => string;

const MILLION = 1_000_000;
const MICROS_PER_CENT = 10_000;

/** Formats by field name. Amounts are in internal units. */
const FORMATS: Readonly<Record<string, Format>> = {
  ...formatAll(usd, 'cash', 'available', 'equity', 'pnl', 'yesCost', 'noCost', 'worth', 'realized', 'fees', 'fee'),
  ...formatAll(usd, 'availableMicros', 'reservedMicros', 'realizedPnlMicros', 'feeMicros'),
  ...formatAll(shares, 'remaining', 'yes', 'no', 'position'),
  ...formatAll((ms) => new Date(Number(ms)).toISOString(), 'startedAt', 'now', 'since', 'time'),
  ...formatAll((bps) => `${(Number(bps) / 100).toFixed(2)}c`, 'priceBps', 'bidBps', 'askBps', 'averagePriceBps'),
  valueCents: (cents) => usd(Number(cents) * MICROS_PER_CENT),
  clockSkewMs: (value) => `${Math.round(Number(value))} ms`,
  ...formatAll((value) => `${String(value)} bps`, 'feeBps', 'acceptedFeeBps'),
  stopped: (value) => String(value).replaceAll('_', ' ').toLowerCase(),
  refused: (value) => (isRow(value) ? refusedText(toCounts(value)) : String(value)),
  rejected: (value) => (isRow(value) ? rejectedText(toCounts(value)) : String(value)),
  run: (value) =>
    isRow(value) ? `${usd(value['pnl'])} and ${value['fills']} fills since this process started` : String(value),
  strategies: (value) => toRows(value).map(strategyText).join('; '),
  signals: (value) => (isRow(value) ? `${value['received']} received, ${value['refused']} refused` : String(value)),
  bookAgeMs: (value) => (value === null ? 'none yet' : `${Math.round(Number(value))} ms`),
  recovery: (value) => (isRow(value) ? String(value['text']) : '-'),
  orderId: (value) => `${String(value).slice(0, 10)}…`,
  market: (value) => String(isRow(value) ? (value['slug'] ?? '') : value),
};

function formatAll(format: Format, ...names: readonly string[]): Readonly<Record<string, Format>> {
  return Object.fromEntries(names.map((name) => [name, format]));
}

const HIDDEN: ReadonlySet<string> = new Set(['marketId', 'seq', 'id']);
const REALIZED = 'realized after fees';
const TITLES: Readonly<Record<string, string>> = {
  priceBps: 'price',
  bidBps: 'bid',
  askBps: 'ask',
  averagePriceBps: 'average',
  bookAgeMs: 'book age',
  feeBps: 'fee',
  acceptedFeeBps: 'accepted',
  valueCents: 'value',
  availableMicros: 'available',
  reservedMicros: 'reserved',
  realizedPnlMicros: REALIZED,
  feeMicros: 'fee',
  clockSkewMs: 'clock skew',
  now: 'as of',
  pnl: 'p&l if closed now',
  realized: REALIZED,
  openOrderCount: 'open orders',
  remainingShares: 'remaining',
  createdAt: 'since',
  executedAt: 'time',
};

/** @param result the result of a control command */
export function botText(command: string, result: unknown, out: Pick<TextOutput, 'columns' | 'isTty'>): string {
  const columns = tableWidth(out);
  if (command === 'status' && isRow(result)) {
    const { markets, running, ...rest } = result;
    // A mode survives restarts.
    const shown = running === false ? { ...rest, mode: `${String(rest['mode'])} at the next start` } : rest;
    return `${fieldsText(shown)}\n${listText(toRows(markets), 'no markets', columns)}`;
  }
  if (command === 'fills') return listText(toRows(result).map(toFillRow), 'no fills', columns);
  if (Array.isArray(result)) return listText(toRows(result), `no ${command}`, columns);
  const { text, ...rest } = isRow(result) ? result : {};
  return typeof text === 'string' ? `${text}\n` : fieldsText(rest);
}

const OPEN_POSITIONS_ONLY = 'open positions only: `positions` without --venue has the results of closed ones, too\n';

/** @param answer the venue's answer to the command */
export function venueText(command: string, answer: object, out: Pick<TextOutput, 'columns' | 'isTty'>): string {
  const columns = tableWidth(out);
  if (command === 'cancel-all' && isRow(answer)) {
    const { cancelled, open } = answer;
    return `${String(cancelled)} orders cancelled, ${String(open)} open at the venue\n`;
  }
  const [first] = Object.values(answer);
  const note = command === 'positions' ? OPEN_POSITIONS_ONLY : '';
  if (Array.isArray(first)) return `${listText(toRows(first), `no ${command}`, columns)}${note}`;
  return fieldsText(
    Object.fromEntries(
      Object.entries(answer).flatMap(([name, value]) => (isRow(value) ? Object.entries(value) : [[name, value]])),
    ),
  );
}

function strategyText({ name, pnlMicros, fills }: Row): string {
  return `${String(name)} ${usd(pnlMicros)} at mid prices with ${String(fills)} fills`;
}

function fieldsText(row: Row): string {
  const entries = Object.entries(row).filter(([name, value]) => value !== null && !HIDDEN.has(name));
  const width = Math.max(...entries.map(([name]) => titleText(name).length), 0) + 2;
  return entries.map(([name, value]) => `${titleText(name).padEnd(width)}${cellText(name, value)}\n`).join('');
}

/** Columns that a narrow terminal drops, the least important first. */
const DROP_ORDER = [
  ...['tradeId', 'trade', 'tag'],
  ...['acceptedFeeBps', 'feeBps'],
  ...['acceptingOrders', 'strategy', 'noCost', 'yesCost', 'orderId', 'order', 'bookAgeMs', 'createdAt', 'liquidity'],
  ...['since', 'phase', 'feeMicros', 'fee', 'fees', 'reservedMicros'],
];
/** Columns whose cells may be shortened in the middle. */
const SHRINKING: ReadonlySet<string> = new Set(['market', 'slug']);
/** Matches an ISO time. The short form keeps month, day and time to the second. */
const LONG_TIME = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/;

function listText(rows: readonly Row[], emptyText: string, width: number): string {
  const [first] = rows;
  if (first === undefined) return `${emptyText}\n`;
  const names = Object.keys(first).filter((name) => !HIDDEN.has(name));
  return columnsText(
    names.map((name): Column => {
      const cells = rows.map((row) => cellText(name, row[name]));
      const dropOrder = DROP_ORDER.indexOf(name) + 1;
      const isTime = cells.every((cell) => LONG_TIME.test(cell));
      return {
        title: titleText(name),
        cells,
        shrinks: SHRINKING.has(name),
        dropOrder: dropOrder === 0 ? undefined : dropOrder,
        short: isTime ? cells.map((cell) => cell.replace(LONG_TIME, '$1 $2')) : undefined,
      };
    }),
    width,
  );
}

/** Formats a value as one harmless line, because slugs and reasons come from a venue. */
function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  return escapeLine(valueText(Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined, value));
}

function valueText(format: Format | undefined, value: unknown): string {
  if (format !== undefined) return format(value);
  if (!isRow(value)) return String(value);
  const entries = Object.entries(value);
  return entries.length === 0 ? 'none' : entries.map(([key, count]) => `${String(count)} ${key}`).join(', ');
}

/** Order number 0 marks a fill of an order that the bot did not place. */
function toFillRow({ shares: micros, order, ...row }: Row): Row {
  const { time: at, ...rest } = row;
  return { time: at, order: order === 0 ? 'external' : order, ...rest, shares: shares(micros) };
}

function toCounts(row: Row): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(row).map(([reason, count]) => [reason, Number(count)]));
}

function toRows(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function titleText(name: string): string {
  const title = Object.hasOwn(TITLES, name) ? TITLES[name] : undefined;
  return title ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function usd(value: unknown): string {
  return formatUsd(unchecked.usd(Number(value)));
}

function shares(value: unknown): string {
  return String(Number(value) / MILLION);
}
