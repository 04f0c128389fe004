import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawClient } from './raw-client.ts';
import { bearer, DOLLAR, idOf, SHARE, Venue } from './venue.ts';

const ORDERS =
  'subscription ($id: ID, $after: UintString) { orderEvents(marketId: $id, afterSeq: $after) { kind seq prevSeq order { status filledShares remainingShares } fill { role shares } cancelReason } }';

describe('streams', () => {
  let venue: Venue;
  let client: RawClient;
  beforeEach(async () => {
    venue = await Venue.open();
    await venue.account();
    await venue.account();
    await venue.market();
    client = await RawClient.ready(venue.url, bearer(1));
  });
  afterEach(async () => {
    expect(venue.errors).toEqual([]);
    await venue.close();
  });

  const expectNoMoreMessages = async () => {
    await client.settle();
    expect(client.received).toEqual([]);
  };

  it('tradeExecuted sends only new trades, each in terms of the taker', async () => {
    client.subscribe(
      't',
      'subscription ($id: ID!) { tradeExecuted(marketId: $id) { seq outcome side priceBps shares } }',
      { id: idOf(0) },
    );
    await venue.place(1, { price: 5000, size: 3 });
    await venue.place(1, { price: 4900, size: 3 });
    await expectNoMoreMessages();
    await venue.place(2, { outcome: 'NO', price: 5100, size: 5 });
    const first = await client.event();
    expect(first).toMatchObject({ outcome: 'NO', side: 'BUY', priceBps: 5000, shares: 3 });
    const second = await client.event();
    expect(second).toMatchObject({ priceBps: 5100, shares: 2 });
    expect(Number(second.seq)).toBeGreaterThan(Number(first.seq));
    await expectNoMoreMessages();
  });

  it('priceUpdated sends current values of each market, then only changes, for at most 200 markets', async () => {
    await venue.market();
    const query = 'subscription ($ids: [ID!]!) { priceUpdated(marketIds: $ids) { marketId yesPriceBps bestBidBps } }';
    client.subscribe('p', query, { ids: [idOf(0), idOf(1), idOf(0)] });
    expect(await client.event()).toEqual({ marketId: idOf(0), yesPriceBps: 6000, bestBidBps: null });
    expect(await client.event()).toMatchObject({ marketId: idOf(1) });
    await venue.place(1, { price: 4000, size: 5 });
    expect(await client.event()).toMatchObject({ marketId: idOf(0), bestBidBps: 4000 });
    await venue.place(1, { price: 3000, size: 5 });
    await expectNoMoreMessages();
    await venue.execute({ type: 'configure', config: { spreadBps: 1000 } });
    expect(await client.event()).toMatchObject({ yesPriceBps: 5500 });
    expect(await client.event()).toMatchObject({ yesPriceBps: 5500 });
    client.subscribe('many', query, { ids: Array.from({ length: 201 }, (_, market) => idOf(market)) });
    expect((await client.next()).payload.errors[0]?.message).toMatch(/^invalid argument: marketIds/);
  });

  it('priceUpdated is null when no market exists, is refused without markets, and skips unknown markets', async () => {
    const query = 'subscription ($ids: [ID!]!) { priceUpdated(marketIds: $ids) { marketId } }';
    client.subscribe('unknown', query, { ids: [idOf(9)] });
    expect((await client.next()).payload).toEqual({ data: { priceUpdated: null } });
    expect(await client.next()).toMatchObject({ id: 'unknown', type: 'complete' });
    client.subscribe('some', query, { ids: [idOf(9), idOf(0)] });
    expect(await client.event()).toEqual({ marketId: idOf(0) });
    client.subscribe('none', query, { ids: [] });
    const message = 'invalid argument: marketIds: expected at least one market';
    expect((await client.next()).payload.errors).toEqual([{ message, path: ['priceUpdated'] }]);
    const changes = 'subscription { marketStatusChanged(marketIds: []) { status } }';
    expect(await client.next()).toMatchObject({ id: 'none', type: 'complete' });
    client.subscribe('no changes', changes);
    expect((await client.next()).payload.errors).toEqual([{ message, path: ['marketStatusChanged'] }]);
  });

  it('marketStatusChanged sends new markets, states and halts of all markets or of the requested ones, even before they exist', async () => {
    const query =
      'subscription ($ids: [ID!]) { marketStatusChanged(marketIds: $ids) { market { id acceptingOrders } previousStatus status created } }';
    client.subscribe('all', query);
    const oneMarket = await RawClient.ready(venue.url);
    oneMarket.subscribe('one', query, { ids: [idOf(1)] });
    await client.settle();
    await oneMarket.settle();
    await venue.market();
    const created = {
      market: { id: idOf(1), acceptingOrders: false },
      previousStatus: null,
      status: 'PENDING_BLOCKCHAIN',
      created: true,
    };
    expect(await client.event()).toEqual(created);
    expect(await oneMarket.event()).toEqual(created);
    expect(await oneMarket.event()).toMatchObject({
      previousStatus: 'PENDING_BLOCKCHAIN',
      status: 'OPEN',
      created: false,
    });
    await client.event();
    await venue.execute({ type: 'halt', market: 0 });
    expect(await client.event()).toMatchObject({
      market: { id: idOf(0), acceptingOrders: false },
      status: 'OPEN',
      previousStatus: 'OPEN',
    });
    await oneMarket.settle();
    expect(oneMarket.received).toEqual([]);
  });

  it('resolutionUpdated sends each step and is null for an unknown market', async () => {
    const query =
      'subscription ($id: ID!) { resolutionUpdated(marketId: $id) { resolution { status } vote { model } step { toStatus digest } } }';
    client.subscribe('none', query, { id: idOf(9) });
    expect((await client.next()).payload).toEqual({ data: { resolutionUpdated: null } });
    await client.next();
    client.subscribe('r', query, { id: idOf(0) });
    await client.settle();
    await venue.execute({ type: 'closeEarly', market: 0 });
    const digest = venue.view.market(0)?.steps.at(-1)?.digest;
    expect(await client.event()).toEqual({
      resolution: { status: 'PENDING_RESOLUTION' },
      vote: null,
      step: { toStatus: 'PENDING_RESOLUTION', digest },
    });
  });

  it('venueStatusChanged sends current values, then changes and announcements', async () => {
    client.subscribe('v', 'subscription { venueStatusChanged { mode message bettingConfig { spreadBps } } }');
    expect(await client.event()).toEqual({ mode: 'NORMAL', message: null, bettingConfig: { spreadBps: 2000 } });
    await venue.execute({ type: 'setMode', mode: 'CANCEL_ONLY' });
    expect((await client.event()).mode).toBe('CANCEL_ONLY');
    venue.announcement = () => ({ message: 'back at noon', nextRestartAt: undefined });
    venue.streams.onAnnouncement();
    expect(await client.event()).toMatchObject({ message: 'back at noon' });
  });

  it('orderEvents sends linked events with the updated order, and SYNC at the start and after 5 s without events', async () => {
    client.subscribe('o', ORDERS);
    const sync = await client.event();
    expect(sync).toMatchObject({ kind: 'SYNC', seq: '0', prevSeq: '0', order: null });
    await Promise.all([
      venue.place(1, { price: 5000, size: 5 }),
      venue.place(2, { outcome: 'NO', price: 5000, size: 2 }),
    ]);
    const accepted = await client.event();
    expect(accepted).toMatchObject({
      kind: 'ACCEPTED',
      prevSeq: '0',
      order: { status: 'LIVE', filledShares: 0, remainingShares: 5 },
    });
    const filled = await client.event();
    expect(filled).toMatchObject({
      kind: 'FILLED',
      prevSeq: accepted.seq,
      fill: { role: 'MAKER', shares: 2 },
      order: { status: 'PARTIALLY_FILLED', remainingShares: 3 },
    });
    await venue.execute({ type: 'cancelAllOrders', account: 1 });
    const cancelled = await client.event();
    expect(cancelled).toMatchObject({ kind: 'CANCELLED', cancelReason: 'USER', prevSeq: filled.seq });
    await expectNoMoreMessages();
    venue.advance(5_000);
    expect(await client.event()).toMatchObject({ kind: 'SYNC', seq: cancelled.seq });
  });

  it('orderEvents sends a reversed trade with its fill and the order without the fill', async () => {
    await venue.execute({ type: 'allowReversals', window: 60_000 });
    await venue.place(1, { price: 5000, size: 5 });
    await venue.place(2, { outcome: 'NO', price: 5000, size: 2 });
    client.subscribe('o', ORDERS);
    await client.event();
    const positions = await RawClient.ready(venue.url, bearer(1));
    positions.subscribe('p', 'subscription { positionUpdated { outcome shares } }');
    expect(await positions.event()).toMatchObject({ outcome: 'YES', shares: 2 });
    const trade = venue.view.reversals.trades[0]?.seq;
    await venue.execute({ type: 'reverseTrade', trade });
    expect(await client.event()).toMatchObject({
      kind: 'REVERSED',
      cancelReason: null,
      fill: { role: 'MAKER', shares: 2 },
      order: { status: 'LIVE', filledShares: 0, remainingShares: 3 },
    });
    expect(await positions.event()).toMatchObject({ outcome: 'YES', shares: 0 });
    const again = await RawClient.ready(venue.url, bearer(1));
    again.subscribe('o', ORDERS, { after: String(trade) });
    expect(await again.event()).toMatchObject({ kind: 'REVERSED', fill: { shares: 2 } });
  });

  it('orderEvents resumes with the missed events of its markets and SYNC, or with GAP from an unknown event', async () => {
    await venue.market();
    const start = String(venue.view.seq);
    for (const market of [0, 1, 0]) await venue.place(1, { market, price: 3000, size: 2 });
    client.subscribe('o', ORDERS, { after: start });
    const kinds: string[] = [];
    let last = '0';
    for (let events = 0; events < 4; events += 1) {
      const event = await client.event();
      expect(event.prevSeq).toBe(event.kind === 'SYNC' ? event.seq : last);
      last = event.seq;
      kinds.push(event.kind);
    }
    expect(kinds).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'SYNC']);
    const own = await RawClient.ready(venue.url, bearer(1));
    own.subscribe('o', ORDERS, { id: idOf(1), after: start });
    const first = await own.event();
    expect(await own.event()).toMatchObject({ kind: 'SYNC', seq: first.seq });
    await venue.place(1, { market: 0, price: 3000, size: 2 });
    await venue.place(1, { market: 1, price: 3000, size: 2 });
    expect(await own.event()).toMatchObject({ kind: 'ACCEPTED', prevSeq: first.seq });
    own.subscribe('far', ORDERS, { after: '99999999' });
    expect(await own.event()).toMatchObject({ kind: 'GAP' });
  });

  it('positionUpdated sends current positions and then changes, but none of other accounts', async () => {
    await venue.execute({ type: 'split', account: 1, market: 0, shares: 5 * SHARE });
    const query = 'subscription ($id: ID) { positionUpdated(marketId: $id) { outcome shares reservedShares seq } }';
    client.subscribe('p', query);
    expect(await client.event()).toMatchObject({ outcome: 'YES', shares: 5 });
    expect(await client.event()).toMatchObject({ outcome: 'NO', shares: 5 });
    await venue.place(1, { side: 'SELL', price: 6000, size: 2 });
    expect(await client.event()).toMatchObject({ outcome: 'YES', shares: 5, reservedShares: 2 });
    await venue.execute({ type: 'split', account: 2, market: 0, shares: 5 * SHARE });
    await expectNoMoreMessages();
    await venue.place(2, { price: 6000, size: 1 });
    expect(await client.event()).toMatchObject({ outcome: 'YES', shares: 4, reservedShares: 1 });
  });

  it('balanceUpdated sends the current balance, then changes', async () => {
    client.subscribe('b', 'subscription { balanceUpdated { availableMicros reservedMicros } }');
    expect((await client.event()).availableMicros).toBe(String(10_000 * DOLLAR));
    await venue.place(1, { price: 5000, size: 2 });
    expect(await client.event()).toEqual({ availableMicros: String(9_999 * DOLLAR), reservedMicros: String(DOLLAR) });
    await venue.place(2, { price: 4000, size: 2 });
    await expectNoMoreMessages();
  });

  it('executes and serializes an event once for subscribers with different ids', async () => {
    let reads = 0;
    Object.defineProperty(venue.betPresets, 0, {
      get: () => {
        reads += 1;
        return 100;
      },
    });
    const others = await Promise.all(Array.from({ length: 20 }, () => RawClient.ready(venue.url)));
    const query = 'subscription { venueStatusChanged { bettingConfig { betPresets } } }';
    for (const [at, other] of others.entries()) other.subscribe(`id-${at}`, query);
    await Promise.all(others.map((other) => other.event()));
    reads = 0;
    await venue.execute({ type: 'setMode', mode: 'HALTED' });
    await Promise.all(others.map((other) => other.event()));
    expect(reads).toBe(1);
  });

  it('closes all subscribers when a stream fails, and accepts new ones', async () => {
    const query = 'subscription { venueStatusChanged { mode } }';
    client.subscribe('v', query);
    await client.event();
    venue.announcement = () => {
      throw new Error('broken');
    };
    await venue.execute({ type: 'setMode', mode: 'HALTED' });
    expect((await client.closed).code).toBe(4500);
    expect(venue.errors.splice(0)).toHaveLength(1);
    venue.announcement = () => undefined;
    client = await RawClient.ready(venue.url, bearer(1));
    client.subscribe('v', query);
    expect(await client.event()).toEqual({ mode: 'HALTED' });
  });
});
