/** Terminal view of a bot: book with own quotes, holdings, P&L and health. */
import type { Colors } from 'picocolors/types.js';
import { formatMicros, formatShares, type MicroShares, type PriceBps, unchecked } from '../../domain/index.ts';
import { escapeLine } from '../../network/index.ts';
import { type BotFill, type BotStatus, HARMLESS_REJECTIONS, sumCounts } from '../../ops/index.ts';
import type { MarketView, OpenOrder } from '../../state/index.ts';

export interface DemoSnapshot {
  readonly status: BotStatus;
  readonly market: MarketView;
  /** Newest first. */
  readonly fills: readonly BotFill[];
  /** Wall clock, ms. */
  readonly elapsedMs: number;
  readonly durationMs: number | undefined;
  /** Approximate time of day in the recording. */
  readonly recorded: string;
  readonly speed: number;
  readonly url: string;
}

export interface ViewSize {
  readonly columns: number;
  readonly rows: number;
}

const LINES_WITHOUT_BOOK_AND_FILLS = 12;
const MAX_LEVELS = 6;
const MAX_FILLS = 3;

/** Returns at most `rows` - 1 lines of at most `columns` - 1 characters. */
export function demoLines(snapshot: DemoSnapshot, { columns, rows }: ViewSize, paint: Colors): readonly string[] {
  const freeLines = Math.max(0, rows - 1 - LINES_WITHOUT_BOOK_AND_FILLS);
  const levels = Math.max(1, Math.min(MAX_LEVELS, Math.floor((freeLines - 1) / 2)));
  const fillCount = Math.max(0, Math.min(MAX_FILLS, freeLines - 2 * levels));
  const lines: readonly Line[] = [
    ...headLines(snapshot),
    ['', 'plain'],
    ...bookLines(snapshot.market, levels),
    ['', 'plain'],
    ...accountLines(snapshot),
    ...snapshot.fills.slice(0, fillCount).map(fillLine),
    ['Ctrl-C ends it: orders are cancelled, and the venue confirms it.', 'dim'],
  ];
  return lines.slice(0, rows - 1).map((line) => paintLine(line, columns, paint));
}

type Style = 'plain' | 'bold' | 'dim' | 'bid' | 'ask' | 'own' | 'bad';
type Line = readonly [text: string, style: Style];

export function paintLine([line, style]: Line, columns: number, paint: Colors): string {
  const { bold, dim, green, red, cyan } = paint;
  const painters: Readonly<Record<Style, (text: string) => string>> = {
    plain: (text) => text,
    bold,
    dim,
    bid: green,
    ask: red,
    own: (text) => bold(cyan(text)),
    bad: (text) => bold(red(text)),
  };
  return painters[style](escapeLine(line).slice(0, columns - 1));
}

function headLines({ market, elapsedMs, durationMs, recorded, speed, url }: DemoSnapshot): readonly Line[] {
  const total = durationMs === undefined ? '' : ` of ${clockText(durationMs)}`;
  return [
    [`halfspread demo  ${market.info.question}`, 'bold'],
    [`wall clock ${clockText(elapsedMs)}${total}, the recording at about ${recorded} (${speed} x)`, 'plain'],
    [`venue ${url}/graphql`, 'dim'],
  ];
}

function bookLines({ book, orders }: MarketView, levels: number): readonly Line[] {
  const asks = bookRows('ask', book.depth('ask', levels), orders, levels);
  const bids = bookRows('bid', book.depth('bid', levels), orders, levels);
  const text = ({ price, others, own }: Row): string =>
    `${(price / 100).toFixed(2).padStart(9)}${sizeText(others).padStart(13)}${sizeText(own).padStart(11)}`;
  const toLines = (name: 'bid' | 'ask', rows: readonly Row[]): readonly Line[] =>
    rows.map((row) => [`${name}${text(row)}`, row.own > 0 ? 'own' : name]);
  return [
    [`       cents       others        own`, 'dim'],
    ...toLines('ask', asks.toReversed()),
    ...(asks.length + bids.length === 0 ? [['    the book is empty', 'dim'] as const] : []),
    ...toLines('bid', bids),
  ];
}

interface Row {
  readonly price: PriceBps;
  readonly others: number;
  readonly own: number;
}

/** Returns the best levels of a side. Drops levels without own orders first. */
function bookRows(
  side: 'bid' | 'ask',
  depth: readonly { readonly price: PriceBps; readonly shares: MicroShares }[],
  orders: readonly OpenOrder[],
  levels: number,
): readonly Row[] {
  const sortSign = side === 'bid' ? -1 : 1;
  const rows = new Map<PriceBps, Row>(depth.map(({ price, shares }) => [price, { price, others: shares, own: 0 }]));
  for (const { sign, yesPrice: price, remaining } of orders) {
    if ((sign === 1) !== (side === 'bid')) continue;
    const row = rows.get(price) ?? { price, others: 0, own: 0 };
    rows.set(price, { ...row, own: row.own + remaining });
  }
  const sorted = [...rows.values()].toSorted((one, other) => sortSign * (one.price - other.price));
  const surplus = Math.max(0, sorted.length - levels);
  const withoutOwn = sorted.filter(({ own }) => own === 0).toReversed();
  const dropped = new Set(withoutOwn.slice(0, surplus));
  return sorted.filter((row) => !dropped.has(row)).slice(0, levels);
}

function accountLines({ status, market, fills }: DemoSnapshot): readonly Line[] {
  const { yes, no } = market.position;
  const [first] = status.markets;
  const age = first?.bookAgeMs;
  const isHealthy = status.link === 'UP' && status.mode === 'ACTIVE' && status.venueMode === 'NORMAL';
  const trading = first?.acceptingOrders === true ? '' : ', suspended';
  const kill = status.killReason === null ? '' : ` (${status.killReason})`;
  return [
    [`p&l       ${signedUsd(status.pnl)}  equity ${usd(status.equity)}`, 'bold'],
    [`position  ${formatShares(yes)} YES, ${formatShares(no)} NO  cash ${usd(status.cash)}`, 'plain'],
    [`orders    ${status.openOrders} open  fills ${status.fills}  rejected ${rejections(status.rejected)}`, 'plain'],
    [
      `health    ${status.mode}${kill}, venue ${status.venueMode}, link ${status.link}, book ${age === null || age === undefined ? 'unknown' : `${(age / 1_000).toFixed(1)} s old`}, market ${first?.status ?? 'unknown'}${trading}`,
      isHealthy ? 'plain' : 'bad',
    ],
    [fills.length === 0 ? 'no fills yet' : 'last fills', 'dim'],
  ];
}

/** Returns the number of rejections and the most frequent reason. Leaves out reasons that a moving market causes. */
function rejections(all: Readonly<Record<string, number>>): string {
  const rejected = Object.fromEntries(Object.entries(all).filter(([reason]) => !HARMLESS_REJECTIONS.has(reason)));
  const [mostFrequent] = Object.entries(rejected).toSorted(([, one], [, other]) => other - one);
  return mostFrequent === undefined ? '0' : `${sumCounts(rejected)} (${mostFrequent[1]} ${mostFrequent[0]})`;
}

function fillLine({ side, outcome, shares, priceBps, liquidity }: BotFill): Line {
  const price = (priceBps / 100).toFixed(2);
  return [`          ${side} ${formatShares(unchecked.shares(shares))} ${outcome} at ${price} (${liquidity})`, 'plain'];
}

/** Formats `01:05`, or `1:01:05`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const twoDigits = (value: number): string => value.toString().padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  return `${hours > 0 ? `${hours}:` : ''}${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

/** Formats dollars with a sign and six decimals. */
export function signedUsd(micros: number): string {
  return `${micros < 0 ? '-' : '+'}${usd(Math.abs(micros))}`;
}

function usd(micros: number): string {
  return `$${formatMicros(unchecked.usd(micros))}`;
}

function sizeText(microShares: number): string {
  return microShares === 0 ? '' : (microShares / 1_000_000).toFixed(2);
}
