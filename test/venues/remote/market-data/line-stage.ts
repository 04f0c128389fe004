/** One market's line with a host that does nothing by itself. */
import { column, counted, marketId, ZERO_SHARES } from '../../../../src/domain/index.ts';
import type { Selected } from '../../../../src/venues/remote/market-data/index.ts';
import { type LineHost, MarketLine } from '../../../../src/venues/remote/market-data/market-line.ts';
import { RowWriter } from '../../../../src/venues/remote/market-data/row-writer.ts';
import { CoreBooks } from './core-books.ts';

export interface LineStage {
  readonly line: MarketLine;
  readonly core: CoreBooks;
  /** Why snapshots were asked for. */
  readonly resyncs: string[];
  readonly ownTrades: Set<string>;
  now: number;
  /** By how much the next changes are too late; ms. */
  late: number;
}

const NO_LIMITS = {
  minOrderShares: ZERO_SHARES,
  minBet: column.usd(0),
  maxBet: column.usd(0),
  maxExposure: column.usd(0),
  feeRateBps: 0,
  spreadBps: 0,
};

/** A market as the venue tells of it, without limits. @param no from 0 on */
export function selected(no: number): Selected {
  const id = marketId(`00000000-0000-4000-8000-${(no + 1).toString(16).padStart(12, '0')}`);
  const grid = { type: 'tick', tickBps: 10 } as const;
  return {
    setup: {
      info: { market: counted.market(no), id, slug: `m${no}`, question: 'M?', grid, scheduledResolution: undefined },
      limits: NO_LIMITS,
    },
    category: undefined,
    topics: [],
    eventId: undefined,
    volumeCents: 0,
  };
}

export const SELECTED: Selected = selected(0);

export function lineStage(): LineStage {
  const core = new CoreBooks();
  const [resyncs, ownTrades, told]: [string[], Set<string>, Set<number>] = [[], new Set(), new Set()];
  const rows = new RowWriter((block, from, to) => core.rows(block, from, to));
  const host: LineHost = {
    rows,
    now: () => stage.now,
    heard: (_at, now) => now - stage.late,
    resync: (_line, problem) => void resyncs.push(problem),
    isNews: (seq) => told.size < told.add(seq).size,
    isOwn: (id) => ownTrades.has(id),
    waiting: () => {},
  };
  const stage = { core, resyncs, ownTrades, now: 1_700_000_000_000, late: 0, line: undefined as never as MarketLine };
  stage.line = new MarketLine(SELECTED, host);
  return stage;
}
