/** What a condition may ask of a recorded market, and which of it was known when a run begins. */
import { FULL_BPS, InputFault } from '../../domain/index.ts';
import { BLOCK_ROWS, CANCELLED_PAYOUT, FLAG, KIND, makeBlock, type TapeManifest } from '../../tape/index.ts';
import { MarketReplay } from '../quality/market-replay.ts';
import { TapeFile } from '../tape-file.ts';
import type { FieldKind, FieldValue } from './where.ts';

const HOUR_MS = 3_600_000;
const MICROS = 1_000_000;

/** Said by the manifest. */
const STATED = {
  tape: 'text',
  content: 'text',
  licence: 'text',
  slug: 'text',
  question: 'text',
  category: 'text',
  tags: 'list of texts',
  event: 'text',
  commission_bps: 'number',
  tick_bps: 'number',
} as const;
/** What was so when the run begins; numbers. */
const BEFORE = ['hours_left', 'age_hours', 'volume_before', 'trades_before', 'spread_before', 'price_before'] as const;
/** Known only after the run has begun; numbers. */
const LATER = ['hours', 'rows', 'volume', 'trades', 'payout'] as const;

export const MARKET_FIELDS: ReadonlyMap<string, FieldKind> = new Map([
  ...Object.entries(STATED),
  ...[...BEFORE, ...LATER].map((name) => [name, 'number'] as const),
]);
export const LATER_FIELDS: ReadonlySet<string> = new Set(LATER);
/** Known without reading rows. */
export const MANIFEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(STATED),
  'hours_left',
  'age_hours',
  'hours',
  'rows',
]);
const BEFORE_FIELDS: ReadonlySet<string> = new Set(BEFORE);

/** What the rows of a market up to a time come to. */
interface Measured {
  trades: number;
  /** Micro-USD of trades, at their YES price. */
  volume: number;
  spreadBps: number | undefined;
  doubleMid: number | undefined;
  payout: number | undefined;
}

/** The fields of the markets of one tape. Its rows are read when a field needs them, once each for before and after. */
export class MarketFacts {
  readonly #manifest: TapeManifest;
  readonly #path: string;
  readonly #from: number | undefined;
  #before: readonly Measured[] | undefined;
  #all: readonly Measured[] | undefined;

  /** @param from start of the run, epoch ms; undefined where it begins with the first row */
  constructor(path: string, manifest: TapeManifest, from: number | undefined) {
    this.#path = path;
    this.#manifest = manifest;
    this.#from = from;
  }

  /** @throws InputFault for what was before a start that is not set, FileFault for a damaged tape */
  get(market: number, field: string): FieldValue {
    const { name, source, contentHash, markets, from, to, rows } = this.#manifest;
    const info = markets[market];
    if (info === undefined) return undefined;
    if (BEFORE_FIELDS.has(field)) return this.#getBefore(market, field);
    switch (field) {
      case 'tape':
        return name;
      case 'content':
        return contentHash;
      case 'licence':
        return source.licence;
      case 'event':
        return info.eventId;
      case 'commission_bps':
        return info.commissionBps;
      case 'tick_bps':
        return info.grid.type === 'tick' ? info.grid.tickBps : undefined;
      case 'slug':
      case 'question':
      case 'category':
      case 'tags':
        return info[field];
      case 'hours':
        return (to - from) / HOUR_MS;
      case 'rows':
        return rows;
      default:
        return this.#getLater(market, field);
    }
  }

  #getBefore(market: number, field: string): FieldValue {
    const start = this.#from;
    if (start === undefined) {
      throw new InputFault('from', undefined, `a time, as ${field} asks for what was known when the run begins`);
    }
    const { markets, from } = this.#manifest;
    const scheduled = markets[market]?.scheduledResolution;
    if (field === 'hours_left') return scheduled === undefined ? undefined : (scheduled - start) / HOUR_MS;
    if (field === 'age_hours') return (start - from) / HOUR_MS;
    this.#before ??= measured(this.#path, this.#manifest, start);
    const measures = this.#before[market];
    if (field === 'volume_before') return (measures?.volume ?? 0) / MICROS;
    if (field === 'trades_before') return measures?.trades ?? 0;
    if (field === 'spread_before') return measures?.spreadBps;
    return measures?.doubleMid === undefined ? undefined : measures.doubleMid / 2 / FULL_BPS;
  }

  #getLater(market: number, field: string): FieldValue {
    this.#all ??= measured(this.#path, this.#manifest, Number.POSITIVE_INFINITY);
    const measures = this.#all[market];
    if (field === 'payout') return measures?.payout;
    return field === 'volume' ? (measures?.volume ?? 0) / MICROS : (measures?.trades ?? 0);
  }
}

/** Reads all rows before `to`. */
function measured(path: string, { markets, from }: TapeManifest, to: number): readonly Measured[] {
  const books = markets.map(({ grid }) => new MarketReplay(grid));
  const counts = markets.map(() => ({ trades: 0, volume: 0 }));
  const result = (): readonly Measured[] =>
    counts.map((count, market) => {
      const { book, payout, mark } = books[market] ?? {};
      const paid = payout === CANCELLED_PAYOUT ? undefined : payout;
      return { ...count, spreadBps: book?.spread(), doubleMid: mark, payout: paid };
    });
  if (to <= from) return result();
  const feed = TapeFile.open(path).feed(Number.isFinite(to) ? { to } : {});
  const block = makeBlock(BLOCK_ROWS);
  const touched = new Set<MarketReplay>();
  try {
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; row += 1) {
        const market = block.market[row] ?? 0;
        const book = books[market];
        const count = counts[market];
        if (book === undefined || count === undefined) continue;
        if (block.kind[row] === KIND.trade) {
          count.trades += 1;
          count.volume += Math.floor(((block.price[row] ?? 0) * (block.shares[row] ?? 0)) / FULL_BPS);
        } else book.apply(block, row);
        touched.add(book);
        if (((block.flags[row] ?? 0) & FLAG.last) === 0) continue;
        for (const each of touched) each.endMessage();
        touched.clear();
      }
    }
  } finally {
    feed.close();
  }
  return result();
}
