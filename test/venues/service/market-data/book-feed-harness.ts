/** A `BookFeedHandler` of one market, with recorders of its output. */
import { marketId, unchecked, ZERO_SHARES } from '../../../../src/domain/index.ts';
import type { MarketSetup } from '../../../../src/state/index.ts';
import { RecentKeys } from '../../../../src/venues/base/index.ts';
import type { PrintFlusher } from '../../../../src/venues/base/prints.ts';
import { RowWriter } from '../../../../src/venues/base/row-writer.ts';
import { BookFeedHandler } from '../../../../src/venues/service/market-data/book-feed-handler.ts';
import { SILENT } from '../harness.ts';
import { CoreBooks } from './core-books.ts';

export interface BookFeedHarness {
  readonly handler: BookFeedHandler;
  readonly core: CoreBooks;
  /** Reasons of the snapshot requests. */
  readonly resyncs: string[];
  readonly ownTrades: Set<string>;
  now: number;
  /** Offset of the venue's clock, ms. A positive offset makes changes appear late. */
  clockOffsetMs: number;
}

const NO_LIMITS = {
  minOrderShares: ZERO_SHARES,
  minBet: unchecked.usd(0),
  maxBet: unchecked.usd(0),
  maxExposure: unchecked.usd(0),
  feeRateBps: 0,
  spreadBps: 0,
};

/** A market without limits. @param no its number, from 0 */
export function selected(no: number): MarketSetup {
  const id = marketId(`00000000-0000-4000-8000-${(no + 1).toString(16).padStart(12, '0')}`);
  const grid = { type: 'tick', tickBps: 10 } as const;
  return {
    info: { market: unchecked.market(no), id, slug: `m${no}`, question: 'M?', grid, scheduledResolution: undefined },
    limits: NO_LIMITS,
  };
}

const SELECTED: MarketSetup = selected(0);

export function bookFeedHarness(): BookFeedHarness {
  const core = new CoreBooks();
  const [resyncs, ownTrades]: [string[], Set<string>] = [[], new Set()];
  const harness = {
    core,
    resyncs,
    ownTrades,
    now: 1_700_000_000_000,
    clockOffsetMs: 0,
    handler: undefined as never as BookFeedHandler,
  };
  harness.handler = new BookFeedHandler(SELECTED, {
    rows: new RowWriter(core),
    clock: { now: () => unchecked.time(harness.now) },
    log: SILENT,
    offset: {
      get offsetMs() {
        return harness.clockOffsetMs;
      },
      get errorMs() {
        return harness.clockOffsetMs === 0 ? Number.POSITIVE_INFINITY : 0;
      },
    },
    staleMs: 10_000,
    orders: { ownRoleIn: (id) => (ownTrades.has(id) ? 'maker' : undefined) },
    trades: new RecentKeys(1_000),
    flusher: { add: () => {} } as unknown as PrintFlusher,
    owner: {
      onBookLost: (_handler, problem) => void resyncs.push(problem),
      onFailed: (error) => {
        throw error;
      },
    },
  });
  return harness;
}
