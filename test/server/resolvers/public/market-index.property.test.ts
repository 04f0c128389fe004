/** Compares the incremental market index and cached market views with ones computed from all markets. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialNo, epochMs, type MarketNo, microShares, unchecked } from '../../../../src/domain/index.ts';
import type { ExchangeCommand, MarketRecord } from '../../../../src/exchange/index.ts';
import { centsDown, type MarketSort } from '../../../../src/protocol/index.ts';
import { MarketIndex } from '../../../../src/server/market-index.ts';
import { presentMarket } from '../../../../src/server/presenters/market-presenter.ts';
import { runs } from '../../../runs.ts';
import { claimCommand, convertCommand, DAY, orderCommand } from './commands.ts';
import { ONE, openVenue, TWO, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const VALUES: Readonly<Record<string, (record: Readonly<MarketRecord>) => number>> = {
  CREATED_AT: ({ createdAt }) => createdAt,
  VOLUME: ({ volume }) => centsDown(volume),
  RESOLUTION_DATE: ({ resolutionDate }) => resolutionDate,
};

type Step =
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
const anyStep: fc.Arbitrary<Step> = fc.oneof(
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

async function runStep(venue: Venue, makers: Parameters<Venue['trade']>[1], step: Step): Promise<void> {
  const time = venue.clock.now();
  if (step.type === 'create') {
    await venue.execute({ type: 'setMode', time, mode: 'NORMAL' });
    const slugs = { categorySlug: `c${step.slug}`, topicSlugs: step.slug === 0 ? [] : ['t0', `t${step.slug}`] };
    await venue.open(makers[step.slug === 1 ? 1 : 0], { ...slugs, resolutionDate: epochMs(time + step.days * DAY) });
    return;
  }
  if (step.type === 'pass') {
    venue.pass(step.size * 9 * 3_600_000);
    return;
  }
  if (step.type === 'mode') {
    const mode = (['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'NORMAL'] as const)[step.size - 1] ?? 'NORMAL';
    await venue.execute({ type: 'setMode', time, mode });
    return;
  }
  if (step.type === 'spread') {
    await venue.execute({ type: 'configure', time, config: { spreadBps: 500 * step.size } });
    return;
  }
  const [first, second] = makers;
  // The market or venue may refuse the command, which changes nothing.
  const tryExecute = (command: ExchangeCommand) => venue.engine.queue.execute(command);
  if (step.type === 'claim') {
    await tryExecute(claimCommand(venue, first));
    return;
  }
  const open = venue.view.markets.filter(({ status }) => status === 'OPEN');
  const market: MarketNo | undefined = open[step.pick % open.length]?.number;
  if (market === undefined) return;
  const operator = { time, market, note: '' };
  switch (step.type) {
    case 'trade': {
      const buy = { market, side: 'BUY', shares: SHARE * step.size + 10_000 } as const;
      await tryExecute(orderCommand(venue, { ...buy, account: first, outcome: 'YES', price: 10 * step.size }));
      await tryExecute(orderCommand(venue, { ...buy, account: second, outcome: 'NO', price: 10_000 - 10 * step.size }));
      return;
    }
    case 'quote': {
      const terms = { side: 'BUY', outcome: 'YES', price: 1_000 * step.size, shares: 10 * SHARE } as const;
      await tryExecute(orderCommand(venue, { ...terms, account: first, market }));
      return;
    }
    case 'split':
      await tryExecute(convertCommand(venue, 'split', first, market, SHARE * step.size));
      return;
    case 'merge':
      // Creates the pairs to merge.
      await tryExecute(convertCommand(venue, 'split', first, market, 5 * SHARE));
      await tryExecute(convertCommand(venue, 'merge', first, market, SHARE * step.size));
      return;
    case 'cancel':
      await tryExecute({ type: 'cancelAllOrders', time, account: first, credential: credentialNo(0) });
      return;
    case 'tick':
      await tryExecute({ type: 'changeTick', ...operator, tickBps: 10 * step.size });
      return;
    case 'minimum':
      await tryExecute({ type: 'changeMinOrder', ...operator, minOrderShares: microShares(SHARE * step.size) });
      return;
    case 'void':
      await venue.execute({ type: 'voidMarket', ...operator });
      return;
    case 'move':
      await venue.execute({
        type: 'moveDate',
        ...operator,
        by: 'operator',
        resolutionDate: epochMs(time + step.days * DAY),
      });
      return;
    default:
      await tryExecute({ type: step.type, ...operator });
  }
}

/** Compares cached market views with new ones. */
function assertViews({ marketViews, view }: Venue): void {
  for (const record of view.markets) expect(marketViews.present(record)).toEqual(presentMarket(record, view));
}

function assertIndex({ marketIndex: index, view }: Venue): void {
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  for (const sort of Object.keys(SORTS) as MarketSort[]) {
    const [, key = '', direction] = /^(.*)_(ASC|DESC)$/.exec(sort) ?? [];
    const value = VALUES[key] ?? Number.NaN;
    if (typeof value !== 'function') throw new Error(sort);
    const ascending = view.markets.toSorted(
      (first, second) => value(first) - value(second) || (first.id < second.id ? -1 : 1),
    );
    const order = index.sortedBy(sort);
    expect(order.direction).toBe(direction === 'ASC' ? 'ascending' : 'descending');
    expect(order.ascending.map(({ record }) => record.id)).toEqual(ascending.map(({ id }) => id));
    expect(order.ascending.filter(({ status }) => status === 'OPEN').length).toBe(
      view.markets.filter(({ status }) => status === 'OPEN').length,
    );
  }
  for (const slug of ['c0', 'c1', 'c2']) {
    const inCategory = view.markets.filter(({ categorySlug }) => categorySlug === slug);
    expect(index.getCategoryTotals(slug)).toEqual({
      count: inCategory.length,
      volume: sum(inCategory.map(({ volume }) => volume)),
    });
  }
  for (const slug of ['t0', 't1', 't2']) {
    expect(index.countTopicMarkets(slug)).toBe(
      view.markets.filter(({ topicSlugs }) => topicSlugs.includes(slug)).length,
    );
  }
  for (const account of [1, 2, 3]) {
    const { ascending } = index.createdBy(account);
    expect(ascending.length).toBe(view.markets.filter(({ creator }) => creator === unchecked.account(account)).length);
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

it('the sort orders, totals and cached views of markets equal recomputed ones after every command', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      const venue = await openVenue();
      try {
        const makers = [await venue.account(ONE), await venue.account(TWO)] as const;
        for (const step of [{ type: 'create', slug: 0, days: 3 } as const, ...steps]) {
          await runStep(venue, makers, step);
          assertIndex(venue);
          assertViews(venue);
        }
        const fresh = new MarketIndex(venue.view);
        for (const sort of Object.keys(SORTS) as MarketSort[]) {
          const [actual, recomputed] = [venue.marketIndex.sortedBy(sort), fresh.sortedBy(sort)];
          expect(actual).toEqual(recomputed);
        }
        expect(venue.faults).toEqual([]);
      } finally {
        await venue.close();
      }
    }),
    { numRuns: runs(40) },
  );
});
