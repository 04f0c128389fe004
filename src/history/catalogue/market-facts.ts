/** Fields of recorded markets that conditions test. Some are known at the start of a run, others only later. */
import { FULL_BPS, InputFault } from '../../domain/index.ts';
import {
  BLOCK_ROWS,
  CANCELLED_PAYOUT,
  FLAG,
  KIND,
  makeBlock,
  type TapeManifest,
  type TapeMarket,
} from '../../tape/index.ts';
import { MarketReplay } from '../quality/market-replay.ts';
import { TapeFile } from '../tape-file.ts';
import type { FieldKind, FieldValue } from './condition.ts';

const HOUR_MS = 3_600_000;
const MICRO_USD = 1_000_000;

/** Fields from the manifest, which are known at the start of a run: their type and value. */
const MANIFEST_VALUES: Readonly<
  Record<string, readonly [FieldKind, (market: TapeMarket, manifest: TapeManifest) => FieldValue]>
> = {
  tape: ['text', (_, { name }) => name],
  content: ['text', (_, { contentHash }) => contentHash],
  licence: ['text', (_, { source }) => source.licence],
  slug: ['text', ({ slug }) => slug],
  question: ['text', ({ question }) => question],
  category: ['text', ({ category }) => category],
  tags: ['list of texts', ({ tags }) => tags],
  event: ['text', ({ eventId }) => eventId],
  commission_bps: ['number', ({ commissionBps }) => commissionBps],
  tick_bps: ['number', ({ grid }) => (grid.type === 'tick' ? grid.tickBps : undefined)],
};
/** Numbers that are known at the start of a run. */
const INITIAL = ['hours_left', 'age_hours', 'volume_before', 'trades_before', 'spread_before', 'price_before'] as const;
/** Numbers that are known only later. */
const LOOK_AHEAD = ['hours', 'rows', 'volume', 'trades', 'payout'] as const;

export const MARKET_FIELDS: ReadonlyMap<string, FieldKind> = new Map([
  ...Object.entries(MANIFEST_VALUES).map(([name, [kind]]) => [name, kind] as const),
  ...[...INITIAL, ...LOOK_AHEAD].map((name) => [name, 'number'] as const),
]);
export const LOOK_AHEAD_FIELDS: ReadonlySet<string> = new Set(LOOK_AHEAD);
/** Fields that are known without reading rows. */
export const MANIFEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(MANIFEST_VALUES),
  ...['hours_left', 'age_hours', 'hours', 'rows'],
]);
const INITIAL_FIELDS: ReadonlySet<string> = new Set(INITIAL);

/** Measures of a market's rows up to a time. */
interface Measures {
  trades: number;
  /** Micro-USD of trades, at their YES price. */
  volume: number;
  spreadBps: number | undefined;
  /** Last mark times 2, bps. */
  doubleMark: number | undefined;
  payout: number | undefined;
}

/** Reads the fields of a tape's markets. A field that needs rows reads the rows before the run's start, or all rows. */
export class MarketFacts {
  readonly #manifest: TapeManifest;
  readonly #path: string;
  readonly #from: number | undefined;
  #measuresAtStart: readonly Measures[] | undefined;
  #finalMeasures: readonly Measures[] | undefined;

  /** @param from start of the run, epoch ms; undefined if not set */
  constructor(path: string, manifest: TapeManifest, from: number | undefined) {
    this.#path = path;
    this.#manifest = manifest;
    this.#from = from;
  }

  /** @throws InputFault if the field needs a start of the run and none is set @throws FileFault for a damaged tape */
  get(market: number, field: string): FieldValue {
    const { markets, from, to, rows } = this.#manifest;
    const info = markets[market];
    if (info === undefined) return undefined;
    const [, getManifestValue] = MANIFEST_VALUES[field] ?? [];
    if (getManifestValue !== undefined) return getManifestValue(info, this.#manifest);
    if (INITIAL_FIELDS.has(field)) return this.#getInitial(market, field);
    if (field === 'hours') return (to - from) / HOUR_MS;
    return field === 'rows' ? rows : this.#getLater(market, field);
  }

  #getInitial(market: number, field: string): FieldValue {
    const start = this.#from;
    if (start === undefined)
      throw new InputFault('from', undefined, `a time, because ${field} is measured at the start of the run`);
    const { markets, from } = this.#manifest;
    const scheduled = markets[market]?.scheduledResolution;
    if (field === 'hours_left') return scheduled === undefined ? undefined : (scheduled - start) / HOUR_MS;
    if (field === 'age_hours') return (start - from) / HOUR_MS;
    this.#measuresAtStart ??= measure(this.#path, this.#manifest, start);
    const measures = this.#measuresAtStart[market];
    if (field === 'volume_before') return (measures?.volume ?? 0) / MICRO_USD;
    if (field === 'trades_before') return measures?.trades ?? 0;
    if (field === 'spread_before') return measures?.spreadBps;
    return measures?.doubleMark === undefined ? undefined : measures.doubleMark / 2 / FULL_BPS;
  }

  #getLater(market: number, field: string): FieldValue {
    this.#finalMeasures ??= measure(this.#path, this.#manifest, Number.POSITIVE_INFINITY);
    const measures = this.#finalMeasures[market];
    if (field === 'payout') return measures?.payout;
    return field === 'volume' ? (measures?.volume ?? 0) / MICRO_USD : (measures?.trades ?? 0);
  }
}

/** Measures all rows before `to`. */
function measure(path: string, { markets, from }: TapeManifest, to: number): readonly Measures[] {
  const replays = markets.map(({ grid }) => new MarketReplay(grid));
  const counts = markets.map(() => ({ trades: 0, volume: 0 }));
  const result = (): readonly Measures[] =>
    counts.map((count, market) => {
      const { book, payout: stated, doubleMark } = replays[market] ?? {};
      const payout = stated === CANCELLED_PAYOUT ? undefined : stated;
      return { ...count, spreadBps: book?.spread(), doubleMark, payout };
    });
  if (to <= from) return result();
  const feed = TapeFile.open(path).feed(Number.isFinite(to) ? { to } : {});
  const block = makeBlock(BLOCK_ROWS);
  const changed = new Set<MarketReplay>();
  try {
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; row += 1) {
        const market = block.market[row] ?? 0;
        const replay = replays[market];
        const count = counts[market];
        if (replay === undefined || count === undefined) continue;
        if (block.kind[row] === KIND.trade) {
          count.trades += 1;
          count.volume += Math.floor(((block.price[row] ?? 0) * (block.shares[row] ?? 0)) / FULL_BPS);
        } else replay.apply(block, row);
        changed.add(replay);
        if (((block.flags[row] ?? 0) & FLAG.last) === 0) continue;
        for (const each of changed) each.endMessage();
        changed.clear();
      }
    }
  } finally {
    feed.close();
  }
  return result();
}
