/** A single market: every field, every state, and unknown markets. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountNo, epochMs, type MarketNo } from '../../../../src/domain/index.ts';
import type { Decision } from '../../../../src/exchange/index.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { DAY, idOf, voteCommand } from './commands.ts';
import { openVenueWithMakers, START, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const TOPIC = '11111111-2222-3333-4444-555555555555';

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
  await venue.catalogue.putCategory({ slug: 'weather', name: 'Weather', isActive: true });
  await venue.catalogue.putTopic({ id: TOPIC, slug: 'rain', name: 'Rain', categorySlug: 'weather' });
});

const market = (no: number) => venue.read<Record<string, unknown>>(ALL_OPERATIONS.market.text, { id: idOf(no) });

async function vote(no: MarketNo, decision: Decision): Promise<void> {
  for (const model of ['m1', 'm2']) {
    await venue.execute(voteCommand(venue, no, { model, vote: decision, confidenceBps: 9_000 }));
  }
}

describe('a market', () => {
  it('has all fields before and after it is opened, quoted and traded', async () => {
    const no = await venue.create(makers[0], { description: 'In mm.', eventId: 'e1', feeRateBps: 200 });
    const waiting = {
      id: idOf(0),
      slug: 'will-it-rain-on-day-0',
      question: 'Will it rain on day 0?',
      description: 'In mm.',
      status: 'PENDING_BLOCKCHAIN',
      blockchainStep: 'DEPLOY',
      acceptingOrders: false,
      eventId: 'e1',
      yesPriceBps: 6_000,
      noPriceBps: 6_000,
      spreadBps: 2_000,
      volumeCents: 0,
      bestBidBps: null,
      bestAskBps: null,
      midpointBps: null,
      lastTradePriceBps: null,
      tickSizeBps: 10,
      minOrderShares: 1,
      lotShares: 0.01,
      feeRateBps: 200,
      createdAt: '2026-11-20T12:00:00Z',
      updatedAt: '2026-11-20T12:00:00Z',
      resolutionDate: '2026-11-21T12:00:00Z',
      category: { name: 'Weather', slug: 'weather', marketCount: 1, totalVolumeCents: 0 },
      topics: [{ id: TOPIC, name: 'Rain', slug: 'rain', categorySlug: 'weather', marketCount: 1 }],
    };
    expect(await market(0)).toEqual(waiting);
    venue.pass(2_500);
    await venue.confirm(no);
    const open = {
      ...waiting,
      status: 'OPEN',
      blockchainStep: null,
      acceptingOrders: true,
      updatedAt: '2026-11-20T12:00:02.500Z',
    };
    expect(await market(0)).toEqual(open);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_110, SHARE);
    await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - 4_220, SHARE);
    const quoted = {
      ...open,
      bestBidBps: 4_110,
      bestAskBps: 4_220,
      midpointBps: 4_165,
      yesPriceBps: 5_170,
      noPriceBps: 6_840,
      spreadBps: 2_010,
    };
    expect(await market(0)).toEqual(quoted);
    // 0.81 shares at 58.9 cents are 47.709 cents, which round down to 47.
    await venue.place(makers[1], no, 'BUY', 'NO', 5_890, 810_000);
    expect(await market(0)).toEqual({
      ...quoted,
      volumeCents: 47,
      lastTradePriceBps: 4_110,
      category: { ...waiting.category, totalVolumeCents: 47 },
    });
  });

  it('is found by id in any case and by exact slug', async () => {
    await venue.create(makers[0]);
    expect(await market(0)).toMatchObject({ id: idOf(0) });
    expect(await venue.read(ALL_OPERATIONS.market.text, { id: idOf(0).toUpperCase() })).toMatchObject({ id: idOf(0) });
    const bySlug = 'query ($slug: String) { market(slug: $slug) { id } }';
    expect(await venue.read(bySlug, { slug: 'will-it-rain-on-day-0' })).toEqual({ id: idOf(0) });
    expect(await venue.read(bySlug, { slug: 'Will-it-rain-on-day-0' })).toBeNull();
    expect(await venue.read(bySlug, { slug: '' })).toBeNull();
    expect(await venue.read(ALL_OPERATIONS.market.text, { id: idOf(7) })).toBeNull();
  });

  it('cannot be requested with an invalid id, with both keys or without a key', async () => {
    expect(await venue.refusal('{ m: market(id: "not-a-uuid") { id } }')).toMatch(
      /^invalid market ID: expected a UUID \(8-4-4-4-12 hex digits\), got "not-a-uuid" @ m$/,
    );
    const neither = /^invalid argument: expected exactly one of id, slug, got none @ market$/;
    expect(await venue.refusal('{ market { id } }')).toMatch(neither);
    expect(await venue.refusal('{ market(id: null) { id } }')).toMatch(neither);
    expect(await venue.refusal(`{ market(id: "${idOf(0)}", slug: "x") { id } }`)).toMatch(/got id and slug @ market$/);
  });

  it('has a null category and no topics when they are unknown', async () => {
    await venue.create(makers[0], { categorySlug: 'sport', topicSlugs: ['rain', 'football'] });
    expect(await market(0)).toMatchObject({ category: null, topics: [{ slug: 'rain' }] });
  });

  it('has the same cached view until a field changes', async () => {
    const no = await venue.open(makers[0]);
    const { marketViews } = venue;
    const changes: readonly (() => Promise<unknown>)[] = [
      () => venue.place(makers[0], no, 'BUY', 'YES', 4_000, 2 * SHARE),
      () => venue.place(makers[1], no, 'BUY', 'NO', 6_000, SHARE),
      () => venue.execute({ type: 'halt', time: venue.clock.now(), market: no, note: '' }),
      () => venue.execute({ type: 'resume', time: venue.clock.now(), market: no, note: '' }),
      () => venue.execute({ type: 'changeTick', time: venue.clock.now(), market: no, note: '', tickBps: 100 }),
      () => venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'CANCEL_ONLY' }),
      () => venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'NORMAL' }),
      () => venue.execute({ type: 'configure', time: venue.clock.now(), config: { spreadBps: 1_000 } }),
      () =>
        venue.execute({
          type: 'moveDate',
          time: venue.clock.now(),
          market: no,
          note: '',
          by: 'operator',
          resolutionDate: epochMs(START + 2 * DAY),
        }),
      () => venue.execute({ type: 'closeEarly', time: venue.clock.now(), market: no, note: '' }),
    ];
    for (const change of changes) {
      const before = marketViews.getMarket(no);
      expect(marketViews.getMarket(no)).toBe(before);
      const expected = JSON.stringify(before);
      await change();
      expect(marketViews.getMarket(no)).not.toEqual(before);
      expect(JSON.stringify(before)).toBe(expected);
    }
  });

  it('accepts orders when it is open and neither it nor the venue is halted', async () => {
    const no = await venue.open(makers[0]);
    const accepting = async () => {
      const { acceptingOrders } = await market(0);
      return acceptingOrders;
    };
    const time = venue.clock.now();
    expect(await accepting()).toBe(true);
    for (const [mode, isAccepting] of [
      ['POST_ONLY', true],
      ['CANCEL_ONLY', false],
      ['HALTED', false],
      ['NORMAL', true],
    ] as const) {
      await venue.execute({ type: 'setMode', time, mode });
      expect(await accepting()).toBe(isAccepting);
    }
    await venue.execute({ type: 'halt', time, market: no, note: '' });
    expect(await accepting()).toBe(false);
    expect(await market(0)).toMatchObject({ status: 'OPEN' });
  });
});

describe('the nine states of a market', () => {
  const outcome = `query ($id: ID!) { resolutionOutcome(marketId: $id) {
    marketId status outcome yesPayoutBps noPayoutBps decidedAt finalAt disputeWindowEndsAt rationale } }`;
  const outcomeOf = (no: number) => venue.read<Record<string, unknown>>(outcome, { id: idOf(no) });
  const noOutcome = {
    outcome: null,
    yesPayoutBps: null,
    noPayoutBps: null,
    decidedAt: null,
    finalAt: null,
    disputeWindowEndsAt: null,
    rationale: null,
  };
  const WINDOW = 7_200_000;

  async function openPendingResolution(): Promise<MarketNo> {
    const no = await venue.open(makers[0]);
    await venue.trade(no, makers, 4_000, SHARE);
    await venue.execute({ type: 'closeEarly', time: venue.clock.now(), market: no, note: '' });
    return no;
  }

  it('are returned while the market waits for deployment and while it is open', async () => {
    const no = await venue.create(makers[0]);
    expect(await market(0)).toMatchObject({ status: 'PENDING_BLOCKCHAIN', blockchainStep: 'DEPLOY' });
    expect(await outcomeOf(0)).toEqual({ ...noOutcome, marketId: idOf(0), status: 'PENDING_BLOCKCHAIN' });
    await venue.confirm(no);
    expect(await outcomeOf(0)).toEqual({ ...noOutcome, marketId: idOf(0), status: 'OPEN' });
  });

  it('are returned with the last quotes during resolution', async () => {
    await openPendingResolution();
    expect(await market(0)).toMatchObject({
      status: 'PENDING_RESOLUTION',
      acceptingOrders: false,
      lastTradePriceBps: 4_000,
      yesPriceBps: 5_000,
      noPriceBps: 7_000,
      spreadBps: 2_000,
      bestBidBps: null,
      blockchainStep: null,
    });
    expect(await outcomeOf(0)).toEqual({ ...noOutcome, marketId: idOf(0), status: 'PENDING_RESOLUTION' });
  });

  it.each([
    ['YES', 'RESOLVED_YES', 10_000],
    ['NO', 'RESOLVED_NO', 0],
    [undefined, 'RESOLVED_UNCERTAIN', 5_000],
  ] as const)('end with the payouts as quotes: %s', async (decision, status, payout) => {
    const no = await openPendingResolution();
    await vote(no, decision);
    const expected = {
      marketId: idOf(0),
      outcome: decision === undefined ? null : status,
      yesPayoutBps: payout,
      noPayoutBps: 10_000 - payout,
      decidedAt: '2026-11-20T12:00:00Z',
      rationale: expect.stringContaining('saw'),
      disputeWindowEndsAt: '2026-11-20T14:00:00Z',
    };
    expect(await outcomeOf(0)).toEqual({ ...expected, status: 'RESOLVED', finalAt: null });
    expect(await market(0)).toMatchObject({ status: 'RESOLVED', yesPriceBps: 5_000, noPriceBps: 7_000 });
    venue.pass(WINDOW);
    expect(await market(0)).toMatchObject({ status: 'PENDING_BLOCKCHAIN', blockchainStep: 'REPORT_PAYOUT' });
    await venue.confirm(no);
    expect(await outcomeOf(0)).toEqual({ ...expected, status, finalAt: '2026-11-20T14:00:00Z' });
    expect(await market(0)).toMatchObject({
      status,
      yesPriceBps: payout,
      noPriceBps: 10_000 - payout,
      spreadBps: 0,
      lastTradePriceBps: 4_000,
    });
  });

  it('are returned when the resolution fails', async () => {
    await openPendingResolution();
    venue.pass(DAY);
    expect(await market(0)).toMatchObject({ status: 'RESOLUTION_FAILED', yesPriceBps: 5_000 });
    expect(await outcomeOf(0)).toEqual({ ...noOutcome, marketId: idOf(0), status: 'RESOLUTION_FAILED' });
  });

  it('are returned without payouts and with the last quotes when the market is void', async () => {
    const no = await openPendingResolution();
    await vote(no, 'CANCELLED');
    expect(await outcomeOf(0)).toEqual({
      ...noOutcome,
      marketId: idOf(0),
      status: 'CANCELLED',
      outcome: 'CANCELLED',
      rationale: expect.any(String),
      decidedAt: '2026-11-20T12:00:00Z',
      finalAt: '2026-11-20T12:00:00Z',
    });
    expect(await market(0)).toMatchObject({ status: 'CANCELLED', yesPriceBps: 5_000, noPriceBps: 7_000 });
  });

  it('are not returned for an unknown market', async () => {
    for (const field of ['resolutionOutcome', 'transparencyRecord', 'modelVotes']) {
      const query = `query ($id: ID!) { ${field}(marketId: $id) { __typename } }`;
      expect(await venue.read(query, { id: idOf(9) })).toBeNull();
      expect(await venue.refusal(query, { id: '1' })).toMatch(/^invalid market ID: .* @ /);
    }
  });
});

describe('volume', () => {
  it('can exceed 32 bits', async () => {
    const no = await venue.open(makers[0]);
    await venue.trade(no, makers, 10, 1_000_000_000_000_000);
    expect(await market(0)).toMatchObject({ volumeCents: 99_900_000_000 });
  });
});
