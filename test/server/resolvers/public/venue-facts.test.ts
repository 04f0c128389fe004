/** Categories, topics, settings, health, and reads while a command is being committed. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountNo } from '../../../../src/domain/index.ts';
import type { Json, Registry, RegistryChange } from '../../../../src/exchange/index.ts';
import { Catalogue } from '../../../../src/server/catalogue.ts';
import { idOf } from './commands.ts';
import { openVenueWithMakers, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const TOPIC = '11111111-2222-3333-4444-555555555555';

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

describe('categories and topics', () => {
  const CATEGORY = 'name slug marketCount totalVolumeCents';
  const TOPICS = `query ($category: String, $search: String) {
    topics(categorySlug: $category, search: $search) { id name slug categorySlug marketCount } }`;

  beforeEach(async () => {
    await venue.catalogue.putCategory({ slug: 'weather', name: 'Weather', isActive: true });
    await venue.catalogue.putCategory({ slug: 'arts', name: 'Arts', isActive: true });
    await venue.catalogue.putCategory({ slug: 'old', name: 'Bygone', isActive: false });
    await venue.catalogue.putTopic({ id: TOPIC, slug: 'rain', name: 'Rain', categorySlug: 'weather' });
    await venue.catalogue.putTopic({ id: TOPIC.replace('1', '2'), slug: 'drama', name: 'Drama', categorySlug: 'arts' });
  });

  it('count markets in all states and sum volumes before rounding to cents', async () => {
    for (let at = 0; at < 3; at += 1) {
      const no = await venue.open(makers[0]);
      await venue.trade(no, makers, 5_000, 1_010_000);
    }
    await venue.create(makers[0]);
    await venue.create(makers[0], { categorySlug: 'old', topicSlugs: [] });
    expect(await venue.read(`{ categories { ${CATEGORY} } }`)).toEqual([
      { name: 'Arts', slug: 'arts', marketCount: 0, totalVolumeCents: 0 },
      // Three volumes of 50.5 cents are 151.5 cents, rounded down.
      { name: 'Weather', slug: 'weather', marketCount: 4, totalVolumeCents: 151 },
    ]);
    const category = `query ($slug: String!) { category(slug: $slug) { ${CATEGORY} } }`;
    expect(await venue.read(category, { slug: 'old' })).toEqual({
      name: 'Bygone',
      slug: 'old',
      marketCount: 1,
      totalVolumeCents: 0,
    });
    expect(await venue.read(category, { slug: 'nowhere' })).toBeNull();
    const topic = 'query ($slug: String!) { topic(slug: $slug) { id slug name categorySlug marketCount } }';
    expect(await venue.read(topic, { slug: 'rain' })).toEqual({
      id: TOPIC,
      slug: 'rain',
      name: 'Rain',
      categorySlug: 'weather',
      marketCount: 4,
    });
    expect(await venue.read(topic, { slug: 'snow' })).toBeNull();
  });

  it('are sorted by name and can be filtered by category and part of the name', async () => {
    const slugs = async (args: object) =>
      (await venue.read<readonly { readonly slug: string }[]>(TOPICS, { ...args })).map(({ slug }) => slug);
    expect(await slugs({})).toEqual(['drama', 'rain']);
    expect(await slugs({ category: 'weather' })).toEqual(['rain']);
    expect(await slugs({ category: 'nowhere' })).toEqual([]);
    expect(await slugs({ search: 'RA' })).toEqual(['drama', 'rain']);
    expect(await slugs({ search: 'dra', category: null })).toEqual(['drama']);
    expect(await slugs({ search: 'dra', category: 'weather' })).toEqual([]);
  });

  it('are the same after a restart', async () => {
    const no = await venue.open(makers[0]);
    await venue.trade(no, makers, 5_000, SHARE);
    const reloaded = new Catalogue(venue.registry);
    expect(reloaded.categories).toEqual(venue.catalogue.categories);
    expect(reloaded.topics).toEqual(venue.catalogue.topics);
  });

  it('are refused when invalid, and a topic cannot change its category', async () => {
    const { catalogue } = venue;
    const topic = { id: TOPIC, slug: 'rain', name: 'Rain', categorySlug: 'weather' };
    for (const slug of ['', 'A', 'a b', '-a', 'a--b', 'ü', 'a'.repeat(101)]) {
      await expect(catalogue.putCategory({ slug, name: 'x', isActive: true })).rejects.toThrow(/^slug: expected /);
    }
    await expect(catalogue.putCategory({ slug: 'a', name: ' ', isActive: true })).rejects.toThrow(/^name: expected /);
    await expect(catalogue.putTopic({ ...topic, slug: 'x', categorySlug: 'nowhere' })).rejects.toThrow(
      /^categorySlug: /,
    );
    await expect(catalogue.putTopic({ ...topic, categorySlug: 'arts' })).rejects.toThrow(/"weather", the category of/);
    await catalogue.putTopic({ ...topic, id: 'other', name: 'Drizzle' });
    expect(catalogue.topic('rain')).toEqual({ ...topic, name: 'Drizzle' });
  });

  it('appear after the commit, and not when the commit fails', async () => {
    const rows = new Map<string, Json>();
    let fail = false;
    let waiting: RegistryChange | undefined;
    const registry: Registry = {
      put: (change) => {
        waiting = change;
      },
      sync(done) {
        expect(catalogue.category(waiting?.key ?? '')).toBeUndefined();
        if (fail) done(Object.assign(new Error('full'), { code: 'DISK', retryable: false, received: '' }));
        else done(undefined);
      },
      load: (table) => (table === 'category' ? [...rows].map(([key, value]) => ({ key, value })) : []),
      find: () => undefined,
    };
    const catalogue = new Catalogue(registry);
    await catalogue.putCategory({ slug: 'a', name: 'A', isActive: true });
    expect(catalogue.category('a')).toBeDefined();
    fail = true;
    await expect(catalogue.putCategory({ slug: 'b', name: 'B', isActive: true })).rejects.toThrow(/full/);
    expect(catalogue.category('b')).toBeUndefined();
    rows.set('c', { name: 'C' });
    expect(() => new Catalogue(registry)).toThrow(/the category c in the registry is invalid/);
  });
});

describe('the settings', () => {
  const BETTING = `{ bettingConfig { minBetCents maxInitialBetCents betPresets spreadBps maxBatchOrders maxBatchCancels
    minHeartbeatMs maxHeartbeatMs maxClockSkewMs feeRateBps } }`;
  const MARKET = `{ marketConfig { maxQuestionLength maxExposurePerMarketCents maxBetPerMarketCents tickSizeBps
    minOrderShares lotShares disputeWindowSeconds } }`;

  it('are those of the specification until they are changed', async () => {
    const betting = {
      minBetCents: 10,
      maxInitialBetCents: 100_000,
      betPresets: [100, 500],
      spreadBps: 2_000,
      maxBatchOrders: 20,
      maxBatchCancels: 200,
      minHeartbeatMs: 1_000,
      maxHeartbeatMs: 300_000,
      maxClockSkewMs: 30_000,
      feeRateBps: 0,
    };
    const market = {
      maxQuestionLength: 300,
      maxExposurePerMarketCents: 100_000_000,
      maxBetPerMarketCents: 10_000_000,
      tickSizeBps: 10,
      minOrderShares: 1,
      lotShares: 0.01,
      disputeWindowSeconds: 7_200,
    };
    expect(await venue.read(BETTING)).toEqual(betting);
    expect(await venue.read(MARKET)).toEqual(market);
    const config = { minBet: 15_000, maxBetPerMarket: 19_999, disputeWindow: 1_999, spreadBps: 0 } as never;
    await venue.execute({ type: 'configure', time: venue.clock.now(), config });
    // Minimums round up and maximums round down, so a client that keeps the shown limits is never refused.
    expect(await venue.read(BETTING)).toEqual({ ...betting, minBetCents: 2, spreadBps: 0 });
    expect(await venue.read(MARKET)).toEqual({ ...market, maxBetPerMarketCents: 1, disputeWindowSeconds: 1 });
  });
});

describe('the health query', () => {
  const HEALTH = '{ health { status mode version serverTime engineSeq } }';

  it('returns the mode, the time and the number of the last event', async () => {
    venue.pass(1_001);
    await venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'POST_ONLY' });
    expect(await venue.read(HEALTH)).toEqual({
      status: 'OK',
      mode: 'POST_ONLY',
      version: '1.2.3',
      serverTime: '2026-11-20T12:00:01.001Z',
      engineSeq: String(venue.view.seq),
    });
  });
});

describe('while a command is being committed', () => {
  it('health returns durable state at once, and other queries wait for the commit', async () => {
    await venue.catalogue.putCategory({ slug: 'weather', name: 'Weather', isActive: true });
    const no = await venue.open(makers[0]);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    const before = venue.view.seq;
    venue.hold();
    const trade = venue.place(makers[1], no, 'BUY', 'NO', 6_000, SHARE);
    const halt = venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'HALTED' });
    expect(venue.view.seq).toBeGreaterThan(before);
    expect(await venue.read('{ health { mode engineSeq } }')).toEqual({ mode: 'NORMAL', engineSeq: String(before) });
    expect(await venue.read('{ categories { totalVolumeCents } }')).toEqual([{ totalVolumeCents: 0 }]);
    const answered: string[] = [];
    const queries = [
      `query ($id: ID!) { market(id: $id) { volumeCents category { totalVolumeCents } } }`,
      `query ($id: ID!) { markets(input: { filter: { ids: [$id] minVolumeCents: 60 } }) { totalCount } }`,
      `query ($id: ID!) { orderBook(marketId: $id) { lastTradePriceBps } }`,
      `query ($id: ID!) { trades(marketId: $id) { totalCount } }`,
      `query ($id: ID!) { priceHistory(marketId: $id, interval: ONE_DAY) { volumeCents } }`,
      `query ($id: ID!) { betQuote(marketId: $id, outcome: NO, side: SELL, shares: 1) { fillable } }`,
    ].map(async (query) => {
      const value = await venue.read(query, { id: idOf(0) });
      answered.push(query);
      return value;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual([]);
    venue.release();
    expect(await Promise.all(queries)).toEqual([
      { volumeCents: 60, category: { totalVolumeCents: 60 } },
      { totalCount: 1 },
      { lastTradePriceBps: 4_000 },
      { totalCount: 1 },
      [{ volumeCents: 60 }],
      { fillable: false },
    ]);
    await Promise.all([trade, halt]);
    expect(await venue.read('{ health { mode engineSeq } }')).toEqual({
      mode: 'HALTED',
      engineSeq: String(venue.view.seq),
    });
  });

  it('health returns the old mode until the new one is durable', async () => {
    venue.hold();
    const halt = venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'HALTED' });
    expect(venue.view.mode).toBe('HALTED');
    expect(await venue.read('{ health { mode } }')).toEqual({ mode: 'NORMAL' });
    venue.release();
    await halt;
    expect(await venue.read('{ health { mode } }')).toEqual({ mode: 'HALTED' });
  });
});
