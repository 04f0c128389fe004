import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountNo, MarketNo } from '../../../../src/domain/index.ts';
import { idOf } from './commands.ts';
import { openVenueWithMakers, type Venue } from './venue.ts';

const SHARE = 1_000_000;
let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

describe('trades', () => {
  const TRADES = `query ($id: ID!, $first: Int, $after: Cursor, $last: Int, $before: Cursor) {
    trades(marketId: $id, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id marketId outcome side priceBps lastTradePriceBps shares amountCents matchType seq executedAt } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`;
  interface Trades {
    readonly edges: readonly {
      readonly cursor: string;
      readonly node: { readonly id: string; readonly seq: string };
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
    readonly totalCount: number;
  }
  const trades = (args: object = {}) => venue.read<Trades>(TRADES, { id: idOf(0), ...args });
  const nodes = (page: Trades) => page.edges.map(({ node }) => node);
  let no: MarketNo;

  beforeEach(async () => {
    no = await venue.open(makers[0]);
  });

  it('are listed newest first in terms of the taker for all three match types', async () => {
    await venue.trade(no, makers, 4_000, 1_330_000);
    venue.pass(500);
    // One account has YES and the other NO: first shares are sold, then a pair is merged.
    await venue.place(makers[0], no, 'SELL', 'YES', 6_000, 300_000);
    await venue.place(makers[1], no, 'BUY', 'YES', 6_100, 300_000);
    await venue.place(makers[0], no, 'SELL', 'YES', 5_500, 400_000);
    await venue.place(makers[1], no, 'SELL', 'NO', 4_500, 400_000);
    const page = await trades();
    expect(nodes(page)).toEqual([
      {
        id: expect.any(String),
        marketId: idOf(0),
        outcome: 'NO',
        side: 'SELL',
        priceBps: 4_500,
        lastTradePriceBps: 5_500,
        shares: 0.4,
        amountCents: 18,
        matchType: 'MERGE',
        seq: expect.any(String),
        executedAt: '2026-11-20T12:00:00.500Z',
      },
      {
        id: expect.any(String),
        marketId: idOf(0),
        outcome: 'YES',
        side: 'BUY',
        priceBps: 6_000,
        lastTradePriceBps: 6_000,
        shares: 0.3,
        amountCents: 18,
        matchType: 'NORMAL',
        seq: expect.any(String),
        executedAt: '2026-11-20T12:00:00.500Z',
      },
      {
        id: expect.any(String),
        marketId: idOf(0),
        outcome: 'NO',
        side: 'BUY',
        priceBps: 6_000,
        // 79.8 cents round down.
        lastTradePriceBps: 4_000,
        shares: 1.33,
        amountCents: 79,
        matchType: 'MINT',
        seq: expect.any(String),
        executedAt: '2026-11-20T12:00:00Z',
      },
    ]);
    expect(new Set(nodes(page).map(({ id }) => id)).size).toBe(3);
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
  });

  it('are paged in both directions without gaps or repetitions while new trades arrive', async () => {
    for (let at = 0; at < 7; at += 1) await venue.trade(no, makers, 4_000, SHARE);
    const all = nodes(await trades());
    for (const size of [1, 2, 3]) {
      for (const isForward of [true, false]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        for (let isLastPage = false; !isLastPage; ) {
          const page: Trades = await trades(
            isForward ? { first: size, after: cursor } : { last: size, before: cursor ?? undefined },
          );
          const pageSeqs = nodes(page).map(({ seq }) => seq);
          if (isForward) seen.push(...pageSeqs);
          else seen.unshift(...pageSeqs);
          isLastPage = isForward ? !page.pageInfo.hasNextPage : !page.pageInfo.hasPreviousPage;
          cursor = isForward ? page.pageInfo.endCursor : page.pageInfo.startCursor;
          if (isForward) await venue.trade(no, makers, 4_000, SHARE);
        }
        const initialSeqs = new Set(all.map(({ seq }) => seq));
        expect(seen.filter((seq) => initialSeqs.has(seq))).toEqual(all.map(({ seq }) => seq));
        expect(seen).toEqual(seen.toSorted((first, second) => Number(second) - Number(first)));
        expect(new Set(seen).size).toBe(seen.length);
      }
    }
  });

  it('have cursors that are valid only for their market', async () => {
    await venue.trade(no, makers, 4_000, SHARE);
    await venue.open(makers[0]);
    const { endCursor: after } = (await trades()).pageInfo;
    expect(await trades({ after })).toMatchObject({ edges: [], totalCount: 1 });
    expect(await venue.refusal(TRADES, { id: idOf(1), after })).toMatch(/^invalid cursor: it belongs to another list/);
    expect(await venue.refusal(TRADES, { id: idOf(0), first: 1, before: after })).toMatch(
      /^invalid argument: expected first/,
    );
    expect(await venue.read(TRADES, { id: idOf(9) })).toBeNull();
    expect(await venue.refusal(TRADES, { id: '' })).toMatch(/^invalid market ID: /);
  });
});
