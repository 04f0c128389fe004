/** The contract of every implementation of `Archive`: its lists and pages, compared with a naive implementation. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../src/domain/index.ts';
import { LEDGER_KINDS } from '../../src/exchange/archive/rows.ts';
import {
  type Archive,
  type ExchangeCommand,
  type FillFilter,
  type LedgerFilter,
  ORDER_STATUSES,
  type OrderFilter,
  type OrderRow,
  type Page,
  type PageRequest,
  PRICE_INTERVALS,
} from '../../src/exchange/index.ts';
import { EngineBody } from '../exchange/properties/bodies.ts';
import { move } from '../exchange/properties/moves.ts';
import { runSequence } from '../exchange/properties/sequence.ts';

/** Creates an archive that holds the durable results of the commands. */
export type ArchiveAfter = (
  commands: readonly ExchangeCommand[],
) => Promise<{ readonly archive: Archive; readonly close: () => Promise<void> }>;

const ALL = { maxRows: 1_000_000, direction: 'forward', from: undefined } as const;
const ACCOUNTS = [1, 2, 3, 4, 99];
const CHECKS = 200;

/** Returns a page by sorting all rows. `order` is negative when `a` comes before `b`. */
function naive<Row>(all: readonly Row[], page: PageRequest<Row>, order: (a: Row, b: Row) => number): Page<Row> {
  const { maxRows, direction, from } = page;
  const sorted = all.toSorted(order);
  const isForward = direction === 'forward';
  const remaining = sorted.filter(
    (row) => from === undefined || (isForward ? order(row, from) > 0 : order(row, from) < 0),
  );
  const rows = isForward ? remaining.slice(0, maxRows) : remaining.slice(Math.max(0, remaining.length - maxRows));
  const [hasSkipped, hasMore] = [remaining.length < sorted.length, remaining.length > maxRows];
  return {
    rows,
    totalCount: all.length,
    hasPrevious: isForward ? hasSkipped : hasMore,
    hasNext: isForward ? hasMore : hasSkipped,
  };
}

const sortKey = ({ id }: OrderRow) => `${/^0x[0-9a-f]{64}$/.test(id) ? 1 : 0}${id}`;
const newestOrder = (a: OrderRow, b: OrderRow) => {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return sortKey(a) < sortKey(b) ? 1 : sortKey(a) > sortKey(b) ? -1 : 0;
};
const newest = (a: { readonly id: number }, b: { readonly id: number }) => b.id - a.id;
const oldest = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

/** Makes a value optional: it is undefined half of the time. */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const pages = fc.record({ maxRows: fc.nat(6), direction: fc.constantFrom('forward', 'backward'), at: maybe(fc.nat()) });

function request<Row>(
  all: readonly Row[],
  { maxRows, direction, at }: { maxRows: number; direction: 'forward' | 'backward'; at: number | undefined },
) {
  const from = at === undefined || all.length === 0 ? undefined : all[at % all.length];
  return { maxRows, direction, from } satisfies PageRequest<Row>;
}

export function archiveContract(name: string, after: ArchiveAfter): void {
  /** Runs the check on the archives of two long random sequences of commands. */
  async function forRandomArchives(check: (archive: Archive) => void): Promise<void> {
    const sequences = fc.sample(fc.noBias(fc.array(move, { minLength: 150, maxLength: 250, size: 'max' })), 2);
    for (const moves of sequences) {
      const { archive, close } = await after(runSequence(moves, new EngineBody()));
      check(archive);
      await close();
    }
  }

  describe(`archive contract: ${name}`, () => {
    it('lists orders by any filter, page by page, in both directions', async () => {
      await forRandomArchives((archive) => {
        const filters = fc.record({
          market: maybe(fc.constantFrom(0, 1, 2)),
          statuses: maybe(fc.subarray([...ORDER_STATUSES])),
          group: maybe(fc.constantFrom(0, 1)),
          since: maybe(fc.nat()),
          openOrders: maybe(fc.array(fc.nat(60))),
          clientOrderIds: maybe(fc.array(fc.nat())),
        });
        fc.assert(
          fc.property(fc.constantFrom(...ACCOUNTS), filters, pages, (account, generated, page) => {
            const all = archive.orders(account, {}, ALL).rows;
            const resolved = {
              ...generated,
              since: generated.since === undefined ? undefined : all[generated.since % all.length]?.createdAt,
            };
            const open = all.filter(({ status }) => status === 'LIVE' || status === 'PARTIALLY_FILLED');
            const openOrders = generated.openOrders && [...open.map(({ order }) => order), ...generated.openOrders];
            const clientOrderIds = generated.clientOrderIds?.map((at) => all[at % all.length]?.clientOrderId ?? 'none');
            const filter: OrderFilter = { ...resolved, clientOrderIds, openOrders };
            const expected = all.filter(
              (row) =>
                (filter.market === undefined || row.market === filter.market) &&
                (filter.statuses === undefined || filter.statuses.includes(row.status)) &&
                (filter.group === undefined || row.group === filter.group) &&
                (filter.since === undefined || row.createdAt >= filter.since) &&
                (filter.clientOrderIds === undefined || filter.clientOrderIds.includes(row.clientOrderId ?? '')),
            );
            const requests = request(all, page);
            expect(archive.orders(account, filter, requests)).toEqual(naive(expected, requests, newestOrder));
          }),
          { numRuns: CHECKS },
        );
      });
    });

    it('lists fills in both directions, trades and ledger entries by any filter, page by page', async () => {
      await forRandomArchives((archive) => {
        const fillFilters = fc.record({
          market: maybe(fc.nat(2)),
          order: maybe(fc.nat(60)),
          afterSeq: maybe(fc.nat(400)),
          since: maybe(fc.nat()),
        });
        const ledgerFilters = fc.record({
          kinds: maybe(fc.subarray([...LEDGER_KINDS])),
          market: maybe(fc.nat(2)),
          since: maybe(fc.nat()),
        });
        /** Returns the time of one of the rows, or a time after all rows. */
        const sinceFilter = (rows: readonly { readonly at: number }[], at: number | undefined) =>
          at === undefined ? undefined : unchecked.time(at % 7 === 0 ? 9e12 : (rows[at % rows.length]?.at ?? 0));
        const generated = fc.record({
          account: fc.constantFrom(...ACCOUNTS),
          isNewest: fc.boolean(),
          fills: fillFilters,
        });
        fc.assert(
          fc.property(generated, ledgerFilters, pages, ({ account, isNewest, fills }, entries, page) => {
            const [direction, order] = isNewest ? (['newest', newest] as const) : (['oldest', oldest] as const);
            const all = archive.fills(account, {}, direction, ALL).rows;
            const fillFilter: FillFilter = { ...fills, since: sinceFilter(all, fills.since) };
            const { market, order: orderFilter, afterSeq = 0, since = 0 } = fillFilter;
            const expected = all.filter(
              (row) =>
                row.seq > afterSeq &&
                (fillFilter.afterSeq === undefined || archive.reversalSeqOf(row.seq) === undefined) &&
                row.at >= since &&
                [row.market, undefined].includes(market) &&
                [row.order, undefined].includes(orderFilter),
            );
            const fillPage = request(all, page);
            const asFill = { ...fillPage, from: fillPage.from?.id };
            expect(archive.fills(account, fillFilter, direction, asFill)).toEqual(naive(expected, fillPage, order));

            const trades = archive.trades(0, ALL).rows;
            const tradePage = request(trades, page);
            const asTrade = { ...tradePage, from: tradePage.from?.id };
            expect(archive.trades(0, asTrade)).toEqual(naive(trades, tradePage, newest));

            const cash = archive.ledger(account, {}, ALL).rows;
            const ledgerFilter: LedgerFilter = { ...entries, since: sinceFilter(cash, entries.since) };
            const expectedEntries = cash.filter(
              (row) =>
                (ledgerFilter.kinds?.includes(row.kind) ?? true) &&
                row.at >= (ledgerFilter.since ?? 0) &&
                [row.market, undefined].includes(ledgerFilter.market),
            );
            const cashPage = request(cash, page);
            const asCash = { ...cashPage, from: cashPage.from?.id };
            expect(archive.ledger(account, ledgerFilter, asCash)).toEqual(naive(expectedEntries, cashPage, newest));
          }),
          { numRuns: CHECKS },
        );
      });
    });

    it('returns price buckets with the last point and the total volume of each bucket', async () => {
      await forRandomArchives((archive) => {
        for (const interval of ['ONE_MINUTE', 'FIVE_MINUTES', 'ONE_HOUR', 'SIX_HOURS', 'ONE_DAY'] as const) {
          const points = archive.prices({ market: 0, interval: 'RAW', max: 1_000_000 });
          const length = PRICE_INTERVALS[interval];
          const buckets = Map.groupBy(points, ({ at }) => Math.floor(at / length) * length);
          const expected = [...buckets].map(([at, list]) => ({
            ...list.at(-1),
            at,
            volume: list.reduce((sum, { volume }) => sum + volume, 0),
          }));
          expect(archive.prices({ market: 0, interval, max: 1_000_000 })).toEqual(expected);
          const [since, until] = [expected[0]?.at ?? 0, expected.at(-2)?.at ?? 0].map(unchecked.time);
          if (since === undefined || until === undefined) continue;
          const cut = expected.filter(({ at }) => at >= since && at <= until).slice(-2);
          expect(archive.prices({ market: 0, interval, since, until, max: 2 })).toEqual(cut);
        }
      });
    });

    it('returns the events after a sequence number in order, of all markets or of one, and reports a range above the limit', async () => {
      await forRandomArchives((archive) => {
        for (const account of ACCOUNTS) {
          const { events } = archive.orderEvents(account, 0);
          const last = events.at(-1)?.seq ?? 0;
          for (const afterSeq of [0, 1, Math.floor(last / 2), last - 1, last, last + 5]) {
            const expected = events.filter(({ seq }) => seq > afterSeq);
            expect(archive.orderEvents(account, afterSeq)).toEqual({ events: expected, isComplete: true });
            const marketEvents = events.filter(({ market }) => market === 1);
            const linked = marketEvents.map((event, at) => ({ ...event, prevSeq: marketEvents[at - 1]?.seq ?? 0 }));
            const inMarket = linked.filter(({ seq }) => seq > afterSeq);
            expect(archive.orderEvents(account, afterSeq, 1)).toEqual({ events: inMarket, isComplete: true });
            const isTooLong = { events: [], isComplete: expected.length <= 2 };
            if (expected.length > 2) expect(archive.orderEvents(account, afterSeq, undefined, 2)).toEqual(isTooLong);
          }
        }
      });
    });

    it('finds orders by number, id and client order id, and fills by id', async () => {
      await forRandomArchives((archive) => {
        for (const account of ACCOUNTS) {
          for (const row of archive.orders(account, {}, ALL).rows) {
            expect(archive.order(row.order)).toEqual(row);
            expect(archive.orderById(row.id)).toEqual(row);
            if (row.clientOrderId !== undefined) {
              expect(archive.orderByClientId(account, row.clientOrderId)).toEqual(row);
              expect(archive.orderByClientId(account + 1, row.clientOrderId)?.account).not.toBe(account);
            }
            for (const fill of archive.fillsOfOrder(row.order)) expect(archive.fill(fill.id)).toEqual(fill);
          }
        }
        expect(archive.order(1_000_000)).toBeUndefined();
        expect(archive.orderById('0x00')).toBeUndefined();
      });
    });
  });
}
