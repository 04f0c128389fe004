/** Markets that accounts create, void and dispute. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountNo, epochMs, marketId } from '../../../../src/domain/index.ts';
import type { Hex } from '../../../../src/signing/index.ts';
import { address, DAY, idOf, signedOrder } from './commands.ts';
import { ONE, openVenueWithMakers, START, session, TWO, type Venue } from './venue.ts';

const CREATE = `mutation ($input: CreateMarketInput!) { createMarket(input: $input) {
  market { id slug status blockchainStep question description category { slug marketCount } topics { slug } createdAt }
  initialOrder { id status side outcome priceBps shares remainingShares reservedCents queueAheadShares }
  duplicate rejection { reason field message limit value unit retryAfterMs } } }`;
const TOPIC = '11111111-2222-3333-4444-555555555555';
const CREATOR = address(0);
const creator = session(CREATOR);

interface Created {
  readonly market: Record<string, unknown> | null;
  readonly initialOrder: { readonly id: string } | null;
  readonly duplicate: boolean;
  readonly rejection: { readonly reason: string; readonly field: string | null } | null;
}

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
  await venue.account(CREATOR, 1_000);
  await venue.account(address(1), 1_000);
  await venue.catalogue.putCategory({ slug: 'weather', name: 'Weather', isActive: true });
  await venue.catalogue.putCategory({ slug: 'sport', name: 'Sport', isActive: true });
  await venue.catalogue.putTopic({ id: TOPIC, slug: 'rain', name: 'Rain', categorySlug: 'weather' });
});

const input = (changes: object = {}) => ({
  id: idOf(0),
  question: 'Will it rain?',
  categorySlug: 'weather',
  topicSlugs: ['rain'],
  resolutionDate: '2026-12-01T00:00:00Z',
  rules: 'By the gauge.',
  ...changes,
});
const create = (changes: object = {}, viewer = creator) =>
  venue.read<Created>(CREATE, { input: input(changes) }, viewer);
const rejected = async (changes: object, viewer = creator) => {
  const hash = venue.engine.stateHash();
  const { market, initialOrder, duplicate, rejection } = await create(changes, viewer);
  expect({ market, initialOrder, duplicate }).toEqual({ market: null, initialOrder: null, duplicate: false });
  expect(venue.engine.stateHash()).toBe(hash);
  return rejection;
};
const initial = (changes: Parameters<typeof signedOrder>[2] = { marketId: marketId(idOf(0)) }) => ({
  initialOrder: { order: signedOrder(venue, 0, changes), clientOrderId: 'first' },
});

describe('a new market', () => {
  it('has the id that its creator chose and waits for its deployment', async () => {
    expect(await create({ description: 'In mm.' })).toEqual({
      market: {
        id: idOf(0),
        slug: 'will-it-rain',
        question: 'Will it rain?',
        description: 'In mm.',
        status: 'PENDING_BLOCKCHAIN',
        blockchainStep: 'DEPLOY',
        createdAt: '2026-11-20T12:00:00Z',
        category: { slug: 'weather', marketCount: 1 },
        topics: [{ slug: 'rain' }],
      },
      initialOrder: null,
      duplicate: false,
      rejection: null,
    });
    const { market } = await create({ id: idOf(1).toUpperCase(), topicSlugs: null, description: null });
    expect(market).toMatchObject({ id: idOf(1), slug: 'will-it-rain-2', topics: [], description: null });
  });

  it('is returned for the same input and is a CONFLICT for another input with its id', async () => {
    await create();
    const hash = venue.engine.stateHash();
    venue.pass(60_000);
    expect(await create()).toMatchObject({ duplicate: true, market: { id: idOf(0) }, rejection: null });
    expect(await create({ topicSlugs: ['rain', 'rain'] })).toMatchObject({ duplicate: true });
    expect(venue.engine.stateHash()).toBe(hash);
    expect(await rejected({ question: 'Will it snow?' })).toMatchObject({ reason: 'CONFLICT', field: 'id' });
    expect(await rejected({}, session(address(1)))).toMatchObject({ reason: 'CONFLICT', field: 'id' });
    // Only new markets need an active category.
    await venue.catalogue.putCategory({ slug: 'weather', name: 'Weather', isActive: false });
    expect(await create()).toMatchObject({ duplicate: true });
    expect(await rejected({ id: idOf(1) })).toMatchObject({ reason: 'CONFLICT', field: 'categorySlug' });
  });

  it('is refused with an invalid id or date, and without credentials or scope', async () => {
    const refusal = (changes: object, viewer = creator) => venue.refusal(CREATE, { input: input(changes) }, viewer);
    expect(await refusal({ id: 'x' })).toMatch(/^invalid market ID: expected a UUID .* @ createMarket$/);
    expect(await refusal({ resolutionDate: 'soon' })).toMatch(/^invalid argument: resolutionDate: expected /);
    expect(await venue.request(CREATE, { input: input() })).toEqual({
      data: null,
      errors: [{ message: 'UNAUTHORIZED', path: ['createMarket'] }],
    });
    expect(await venue.request(CREATE, { input: input() }, session(CREATOR, ['READ', 'TRADE']))).toMatchObject({
      errors: [{ message: 'forbidden: needs scope CREATE_MARKET' }],
    });
    expect(venue.view.markets).toHaveLength(0);
  });

  it.each([
    [{ categorySlug: 'nowhere' }, { reason: 'NOT_FOUND', field: 'categorySlug' }],
    [{ topicSlugs: ['rain', 'snow'] }, { reason: 'NOT_FOUND', field: 'topicSlugs' }],
    [{ categorySlug: 'sport' }, { reason: 'NOT_FOUND', field: 'topicSlugs' }],
    [
      { question: 'é'.repeat(301) },
      { reason: 'ABOVE_MAX', field: 'question', limit: '300', value: '301', unit: 'COUNT' },
    ],
    [
      { rules: 'é'.repeat(10_001) },
      { reason: 'ABOVE_MAX', field: 'rules', limit: '10000', value: '10001', unit: 'COUNT' },
    ],
    [{ question: '  ' }, { reason: 'BELOW_MIN', field: 'question' }],
    [{ rules: '' }, { reason: 'BELOW_MIN', field: 'rules', limit: '1', value: '0', unit: 'COUNT' }],
    [{ rules: ' \n' }, { reason: 'BELOW_MIN', field: 'rules' }],
    [
      { resolutionDate: '2026-11-20T12:00:00Z' },
      { reason: 'EXPIRED_PARAMS', field: 'resolutionDate', unit: 'MILLISECONDS' },
    ],
  ])('is rejected and changes nothing: %j', async (changes, rejection) => {
    expect(await rejected(changes)).toMatchObject(rejection);
  });

  it('can have a question of 300 code points in 400 UTF-16 units', async () => {
    expect(await create({ question: '☔️🌧'.repeat(100) })).toMatchObject({ rejection: null });
  });

  it('is rejected for a restricted caller and while the venue is halted', async () => {
    venue.creationRestriction = 'GEO_BLOCKED';
    expect(await rejected({})).toMatchObject({ reason: 'GEO_BLOCKED' });
    venue.creationRestriction = 'EMAIL_NOT_VERIFIED';
    expect(await rejected({})).toMatchObject({ reason: 'EMAIL_NOT_VERIFIED' });
    venue.creationRestriction = undefined;
    await venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'HALTED' });
    expect(await rejected({})).toMatchObject({ reason: 'VENUE_MODE' });
  });
});

describe('an initial order', () => {
  it('is verified and reserves its cost at creation, and enters the book when the market opens', async () => {
    const { initialOrder } = await create(initial());
    expect(initialOrder).toEqual({
      id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      status: 'LIVE',
      side: 'BUY',
      outcome: 'YES',
      priceBps: 5_000,
      shares: 10,
      remainingShares: 10,
      reservedCents: 500,
      queueAheadShares: null,
    });
    expect(venue.view.account(venue.view.accountOf(CREATOR))).toMatchObject({ reserved: 5_000_000 });
    const book = 'query ($id: ID!) { orderBook(marketId: $id) { bids { priceBps shares } } }';
    expect(await venue.read(book, { id: idOf(0) })).toEqual({ bids: [] });
    await venue.confirm(venue.view.markets[0]?.number ?? (0 as never));
    expect(await venue.read(book, { id: idOf(0) })).toEqual({ bids: [{ priceBps: 5_000, shares: 10 }] });
  });

  it('is returned when its market is created again, also after it is filled', async () => {
    const signed = initial();
    const { initialOrder } = await create(signed);
    const no = venue.view.markets[0]?.number ?? (0 as never);
    await venue.confirm(no);
    await venue.place(makers[0], no, 'BUY', 'NO', 5_000, 10_000_000);
    expect(await create(signed)).toMatchObject({
      duplicate: true,
      initialOrder: { id: initialOrder?.id, status: 'FILLED' },
    });
    expect(await rejected({})).toMatchObject({ reason: 'CONFLICT', field: 'id' });
  });

  it('must name the new market', async () => {
    const other = initial({ marketId: marketId(idOf(1)) });
    expect(await venue.refusal(CREATE, { input: input(other) }, creator)).toMatch(
      /^invalid argument: initialOrder.order.marketId: expected [0-9a-f-]{36}, the id of the new market @ createMarket$/,
    );
  });

  it('is rejected together with its market, which is then not created', async () => {
    const initialWith = (changes: Partial<Parameters<typeof signedOrder>[2]>) =>
      initial({ marketId: marketId(idOf(0)), ...changes });
    expect(await rejected(initialWith({ side: 'SELL' }))).toMatchObject({ reason: 'INVALID_ORDER', field: 'side' });
    expect(await rejected(initialWith({ timeInForce: 'FOK' }))).toMatchObject({
      reason: 'INVALID_ORDER',
      field: 'timeInForce',
    });
    expect(await rejected(initialWith({ priceBps: 5_005 }))).toMatchObject({ reason: 'INVALID_TICK' });
    expect(await rejected(initialWith({ shares: 10_000n }))).toMatchObject({ reason: 'BELOW_MIN' });
    expect(await rejected(initialWith({ priceBps: 9_990, shares: 10_000_000_000n }))).toMatchObject({
      reason: 'ABOVE_MAX',
      limit: '1000000000',
      unit: 'MICRO_USD',
    });
    const tampered = initial();
    tampered.initialOrder.order = { ...tampered.initialOrder.order, priceBps: 4_000 };
    expect(await rejected(tampered)).toMatchObject({ reason: 'BAD_SIGNATURE' });
    const foreignOrder = { order: signedOrder(venue, 1, { marketId: marketId(idOf(0)) }) };
    expect(await rejected({ initialOrder: foreignOrder })).toMatchObject({ reason: 'SIGNER_NOT_ALLOWED' });
    const replacing: Hex = `0x${'ab'.repeat(32)}`;
    expect(await rejected(initialWith({ replaces: replacing }))).toMatchObject({ reason: 'CONFLICT' });
  });

  it('costs an order token like any order', async () => {
    venue.orderTokens = 1;
    expect(await create()).toMatchObject({ rejection: null });
    expect(await create({ id: idOf(1), ...initial({ marketId: marketId(idOf(1)) }) })).toMatchObject({
      rejection: null,
    });
    expect(await rejected({ id: idOf(2), ...initial({ marketId: marketId(idOf(2)) }) })).toMatchObject({
      reason: 'RATE_LIMITED',
      retryAfterMs: 1_500,
    });
  });
});

describe('cancelMarket', () => {
  const CANCEL = `mutation ($id: ID!) { cancelMarket(marketId: $id) { market { id status } rejection { reason field } } }`;
  const cancel = (viewer = creator, id = idOf(0)) => venue.read(CANCEL, { id }, viewer);
  const refused = (reason: string) => ({ market: null, rejection: { reason, field: 'marketId' } });

  it('lets only the creator void a market, once and before the first trade', async () => {
    await create();
    expect(await cancel(session(address(1)))).toEqual(refused('NOT_FOUND'));
    expect(await cancel(creator, idOf(9))).toEqual(refused('NOT_FOUND'));
    expect(await venue.refusal(CANCEL, { id: 'x' }, creator)).toMatch(/^invalid market ID: .* @ cancelMarket$/);
    const no = venue.view.markets[0]?.number ?? (0 as never);
    await venue.confirm(no);
    expect(await cancel()).toEqual({ market: { id: idOf(0), status: 'CANCELLED' }, rejection: null });
    expect(await cancel()).toEqual(refused('MARKET_NOT_OPEN'));
    await create({ id: idOf(1) });
    const traded = venue.view.markets[1]?.number ?? (0 as never);
    await venue.confirm(traded);
    await venue.trade(traded, makers, 5_000, 1_000_000);
    expect(await cancel(creator, idOf(1))).toEqual(refused('CONFLICT'));
  });
});

describe('a dispute', () => {
  const DISPUTE = `mutation ($id: ID!, $reason: String!) { disputeResolution(marketId: $id, reason: $reason) {
    resolution { status disputeWindowEndsAt outcome } rejection { reason field } } }`;
  const dispute = (viewer: ReturnType<typeof session>, reason = 'It did not rain', id = idOf(0)) =>
    venue.read(DISPUTE, { id, reason }, viewer);
  const refused = (reason: string, field = 'marketId') => ({ resolution: null, rejection: { reason, field } });

  it('can be opened by holders within the dispute window', async () => {
    const no = await venue.open(makers[0], { resolutionDate: epochMs(START + DAY) });
    await venue.trade(no, makers, 4_000, 1_000_000);
    expect(await dispute(session(ONE))).toEqual(refused('CONFLICT'));
    await venue.execute({ type: 'closeEarly', time: venue.clock.now(), market: no, note: '' });
    for (const model of ['m1', 'm2']) {
      await venue.execute({
        type: 'castVote',
        time: venue.clock.now(),
        market: no,
        note: '',
        round: 1,
        vote: { id: model, model, vote: 'YES', confidenceBps: undefined, rationale: '', sources: [] },
      });
    }
    expect(await dispute(session(CREATOR))).toEqual(refused('INSUFFICIENT_SHARES'));
    expect(await dispute(session(ONE), ' ')).toEqual(refused('BELOW_MIN', 'reason'));
    expect(await dispute(session(ONE), 'x', idOf(9))).toEqual(refused('NOT_FOUND'));
    expect(await dispute(session(ONE))).toEqual({
      resolution: { status: 'RESOLVED', outcome: 'RESOLVED_YES', disputeWindowEndsAt: '2026-11-20T14:00:00Z' },
      rejection: null,
    });
    expect(await dispute(session(ONE))).toEqual(refused('CONFLICT'));
    expect(await venue.refusal(DISPUTE, { id: 'x', reason: 'x' }, creator)).toMatch(/^invalid market ID: /);
    venue.pass(7_200_000);
    expect(await dispute(session(TWO))).toEqual(refused('CONFLICT'));
  });
});
