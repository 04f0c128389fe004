/** Kept orders, totals and market views equal those that are computed from all markets. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { counted, credentialNo, epochMs, type MarketNo, microShares } from '../../../../src/domain/index.ts';
import type { ExchangeCommand, MarketRecord } from '../../../../src/exchange/index.ts';
import { centsDown, type MarketSort } from '../../../../src/protocol/index.ts';
import { type MarketEntry, MarketIndex } from '../../../../src/server/market-index.ts';
import type { Rows } from '../../../../src/server/paging/sorted-page.ts';
import { presentMarket } from '../../../../src/server/presenters/market-presenter.ts';
import { runs } from '../../../runs.ts';
import { DAY, ONE, openVenue, TWO, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const VALUES: Readonly<Record<string, (record: Readonly<MarketRecord>) => number>> = {
  CREATED_AT: ({ createdAt }) => createdAt,
  VOLUME: ({ volume }) => centsDown(volume),
  RESOLUTION_DATE: ({ resolutionDate }) => resolutionDate,
};

type Move =
  | { readonly type: 'create'; readonly slug: number; readonly days: number }
  | { readonly type: 'trade'; readonly pick: number; readonly size: number }
  | { readonly type: 'void'; readonly pick: number }
  | { readonly type: 'pass'; readonly size: number }
  | { readonly type: 'move'; readonly pick: number; readonly days: number }
  | { readonly type: 'quote' | 'tick' | 'minimum'; readonly pick: number; readonly size: number }
  | { readonly type: 'split' | 'merge'; readonly pick: number; readonly size: number }
  | { readonly type: 'claim' }
  | { readonly type: 'halt' | 'resume' | 'cancel'; readonly pick: number }
  | { readonly type: 'mode'; readonly size: number }
  | { readonly type: 'spread'; readonly size: number };

const size = fc.integer({ min: 1, max: 4 });
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ type: fc.constant('create' as const), slug: fc.nat(2), days: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('trade' as const), pick: fc.nat(), size }),
  fc.record({ type: fc.constant('trade' as const), pick: fc.nat(), size }),
  fc.record({ type: fc.constant('void' as const), pick: fc.nat() }),
  fc.record({ type: fc.constant('pass' as const), size }),
  fc.record({ type: fc.constantFrom('quote', 'tick', 'minimum'), pick: fc.nat(), size }),
  fc.record({ type: fc.constantFrom('split', 'merge'), pick: fc.nat(), size }),
  fc.record({ type: fc.constant('claim' as const) }),
  fc.record({ type: fc.constantFrom('halt', 'resume', 'cancel'), pick: fc.nat() }),
  fc.record({ type: fc.constantFrom('mode', 'spread'), size }),
  fc.record({ type: fc.constant('move' as const), pick: fc.nat(), days: fc.integer({ min: 1, max: 3 }) }),
);

async function make(venue: Venue, makers: Parameters<Venue['trade']>[1], each: Move): Promise<void> {
  const time = venue.clock.now();
  if (each.type === 'create') {
    await venue.do({ type: 'setMode', time, mode: 'NORMAL' });
    const slugs = { categorySlug: `c${each.slug}`, topicSlugs: each.slug === 0 ? [] : ['t0', `t${each.slug}`] };
    await venue.open(makers[each.slug === 1 ? 1 : 0], { ...slugs, resolutionDate: epochMs(time + each.days * DAY) });
    return;
  }
  if (each.type === 'pass') {
    venue.pass(each.size * 9 * 3_600_000);
    return;
  }
  if (each.type === 'mode') {
    const mode = (['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'NORMAL'] as const)[each.size - 1] ?? 'NORMAL';
    await venue.do({ type: 'setMode', time, mode });
    return;
  }
  if (each.type === 'spread') {
    await venue.do({ type: 'configure', time, config: { spreadBps: 500 * each.size } });
    return;
  }
  const [one, other] = makers;
  // May be refused, as market and venue are: a refusal changes nothing.
  const attempt = (command: ExchangeCommand) => venue.engine.queue.execute(command);
  if (each.type === 'claim') {
    await attempt(venue.claim(one));
    return;
  }
  const open = venue.view.markets.filter(({ status }) => status === 'OPEN');
  const market: MarketNo | undefined = open[each.pick % open.length]?.no;
  if (market === undefined) return;
  const operator = { time, market, note: '' };
  switch (each.type) {
    case 'trade':
      await attempt(venue.order(one, market, 'BUY', 'YES', 10 * each.size, SHARE * each.size + 10_000));
      await attempt(venue.order(other, market, 'BUY', 'NO', 10_000 - 10 * each.size, SHARE * each.size + 10_000));
      return;
    case 'quote':
      await attempt(venue.order(one, market, 'BUY', 'YES', 1_000 * each.size, 10 * SHARE));
      return;
    case 'split':
      await attempt(venue.convert('split', one, market, SHARE * each.size));
      return;
    case 'merge':
      // Of pairs that are there.
      await attempt(venue.convert('split', one, market, 5 * SHARE));
      await attempt(venue.convert('merge', one, market, SHARE * each.size));
      return;
    case 'cancel':
      await attempt({ type: 'cancelAllOrders', time, account: one, credential: credentialNo(0) });
      return;
    case 'tick':
      await attempt({ type: 'changeTick', ...operator, tickBps: 10 * each.size });
      return;
    case 'minimum':
      await attempt({ type: 'changeMinOrder', ...operator, minOrderShares: microShares(SHARE * each.size) });
      return;
    case 'void':
      await venue.do({ type: 'voidMarket', ...operator });
      return;
    case 'move':
      await venue.do({
        type: 'moveDate',
        ...operator,
        by: 'operator',
        resolutionDate: epochMs(time + each.days * DAY),
      });
      return;
    default:
      await attempt({ type: each.type, ...operator });
  }
}

/** What is cached equals a new presentation. */
function assertViews({ marketViews, view }: Venue): void {
  for (const record of view.markets) expect(marketViews.marketOf(record)).toEqual(presentMarket(record, view));
}

function entries(rows: Rows<MarketEntry>): readonly (MarketEntry | undefined)[] {
  return Array.from({ length: rows.length }, (_, at) => rows.at(at));
}

function assertIndex({ marketIndex: index, view }: Venue): void {
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  for (const sort of Object.keys(SORTS) as MarketSort[]) {
    const [, key = '', direction] = /^(.*)_(ASC|DESC)$/.exec(sort) ?? [];
    const value = VALUES[key] ?? Number.NaN;
    if (typeof value !== 'function') throw new Error(sort);
    const ascending = view.markets.toSorted((one, other) => value(one) - value(other) || (one.id < other.id ? -1 : 1));
    const { rows } = index.order(sort);
    const kept = entries(rows).map((entry) => entry?.id);
    const wanted = direction === 'ASC' ? ascending : ascending.toReversed();
    expect(kept).toEqual(wanted.map(({ id }) => id));
    expect(index.order(sort).passing(({ status }) => status === 'OPEN').length).toBe(
      view.markets.filter(({ status }) => status === 'OPEN').length,
    );
  }
  for (const slug of ['c0', 'c1', 'c2']) {
    const own = view.markets.filter(({ categorySlug }) => categorySlug === slug);
    expect(index.totalsOfCategory(slug)).toEqual({ count: own.length, volume: sum(own.map(({ volume }) => volume)) });
  }
  for (const slug of ['t0', 't1', 't2']) {
    expect(index.countOfTopic(slug)).toBe(view.markets.filter(({ topicSlugs }) => topicSlugs.includes(slug)).length);
  }
  for (const account of [1, 2, 3]) {
    const { rows } = index.createdBy(account);
    expect(rows.length).toBe(view.markets.filter(({ creator }) => creator === counted.account(account)).length);
  }
}

const SORTS: Readonly<Record<MarketSort, true>> = {
  CREATED_AT_DESC: true,
  CREATED_AT_ASC: true,
  VOLUME_DESC: true,
  VOLUME_ASC: true,
  RESOLUTION_DATE_ASC: true,
  RESOLUTION_DATE_DESC: true,
};

it('order, totals and cached views of markets equal newly computed ones after every command', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
      const venue = await openVenue();
      try {
        const makers = [await venue.account(ONE), await venue.account(TWO)] as const;
        for (const each of [{ type: 'create', slug: 0, days: 3 } as const, ...moves]) {
          await make(venue, makers, each);
          assertIndex(venue);
          assertViews(venue);
        }
        const fresh = new MarketIndex(venue.view);
        for (const sort of Object.keys(SORTS) as MarketSort[]) {
          const [kept, anew] = [venue.marketIndex.order(sort), fresh.order(sort)];
          expect(entries(kept.passing(() => true))).toEqual(entries(anew.rows));
        }
        expect(venue.faults).toEqual([]);
      } finally {
        await venue.close();
      }
    }),
    { numRuns: runs(40) },
  );
});
