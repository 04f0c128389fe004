/** Which markets of Polymarket can be chosen, and by what. */
import { describe, expect, it } from 'vitest';
import { counted } from '../../../src/domain/index.ts';
import { uuidOfName } from '../../../src/runtime/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { openPolymarket } from '../../server/polymarket/harness.ts';
import { CONDITION, LyingVenue, NO, YES } from './lying-venue.ts';
import { marketDataHarness } from './market-data-harness.ts';

const ID = uuidOfName(`polymarket-${CONDITION}`);

describe('a choice of markets', () => {
  it('takes slugs, condition ids, ids of ours that are known, and filters; each market once', async () => {
    const venue = await LyingVenue.open();
    const { directory } = marketDataHarness(venue.url);
    await expect(directory.select({ ids: [ID] })).rejects.toThrow('expected a condition id');
    const [bySlug] = await directory.select({ slugs: ['rain'] });
    expect(bySlug?.setup).toMatchObject({
      info: {
        id: ID,
        market: 0,
        slug: 'rain',
        question: 'Rain?',
        venue: 'polymarket',
        grid: { type: 'tick', tickBps: 100 },
      },
      limits: { minOrderShares: 5_000_000, feeRateBps: 700, minBet: 0 },
      state: { status: 'OPEN', acceptingOrders: true },
    });
    expect(directory.market(ID)).toMatchObject({ condition: CONDITION, tokens: [YES, NO] });
    const known = new Map([[ID as string, counted.market(4)]]);
    const chosen = await directory.select(
      { ids: [ID, CONDITION], slugs: ['rain'], filter: { search: 'RAI' } },
      { known },
    );
    expect(chosen.map(({ setup }) => setup.info.market)).toEqual([4]);
    expect(directory.market(ID)?.info.market).toBe(4);
    expect(directory.isId(ID) && directory.isId(CONDITION) && !directory.isId('rain')).toBe(true);
  });

  it('takes the token named Yes for YES, wherever it stands', async () => {
    const venue = await LyingVenue.open();
    Object.assign(venue.listing, { outcomes: '["No","Yes"]', clobTokenIds: JSON.stringify([NO, YES]) });
    const { directory } = marketDataHarness(venue.url);
    await directory.select({ ids: [CONDITION] });
    expect(directory.market(ID)?.tokens).toEqual([YES, NO]);
  });

  it.each([
    [
      'a neg-risk market of Gamma alone',
      { listing: { negRisk: true, negRiskMarketID: '0x77' } },
      'Gamma and the CLOB disagree',
    ],
    ['a neg-risk market of the CLOB alone', { terms: { nr: true } }, 'Gamma and the CLOB disagree'],
    ['a market of an augmented event', { listing: { negRiskAugmented: true } }, 'with fixed outcomes'],
    [
      'a market of an event that is augmented',
      { listing: { events: [{ negRiskAugmented: true }] } },
      'with fixed outcomes',
    ],
    ['a market of Protocol V2', { listing: { version: 'v2' } }, 'Protocol V2 is not supported yet'],
    ['a market without a version', { listing: { version: null } }, 'Protocol V2 is not supported yet'],
    ['a closed market', { listing: { closed: true } }, 'this one is closed'],
    ['a market without a book', { listing: { enableOrderBook: false } }, 'this one has none'],
    ['tokens that the CLOB does not name', { terms: { t: [{ t: '7' }, { t: '8' }] } }, 'name different tokens'],
    ['another market than was asked for', { terms: { c: `0x${'cd'.repeat(32)}` } }, 'sent an unexpected answer'],
    [
      'neg-risk without an event',
      { listing: { negRisk: true, events: [] }, terms: { nr: true } },
      'the id of its event',
    ],
    ['a tick that is none', { terms: { mts: 0.3 } }, 'a tick such as 0.01'],
  ])('refuses %s that is named, and leaves it out of a filter', async (_what, lies: object, problem) => {
    const venue = await LyingVenue.open();
    for (const [part, fields] of Object.entries(lies)) Object.assign(Reflect.get(venue, part), fields);
    const { directory } = marketDataHarness(venue.url);
    await expect(directory.select({ slugs: ['rain'] })).rejects.toThrow(problem);
    await expect(directory.select({ filter: {} })).rejects.toThrow('a selection without markets');
  });

  it.each([
    ['the market', { negRiskMarketID: '0x77' }],
    ['its event', { negRiskMarketID: null, events: [{ negRiskMarketID: '0x77' }] }],
  ])('knows the event of a neg-risk market, of which at most one market ends YES, from %s', async (_where, named) => {
    const venue = await LyingVenue.open();
    Object.assign(venue.listing, { negRisk: true, ...named });
    Object.assign(venue.terms, { nr: true });
    const { directory } = marketDataHarness(venue.url);
    const [rain] = await directory.select({ slugs: ['rain'] });
    expect(rain?.setup.info).toMatchObject({ eventId: '0x77', exclusive: true });
    expect(directory.table.byId(ID).isNegRisk).toBe(true);
    expect([...directory.table.exchanges(2)]).toEqual(['negRiskExchangeV2']);
  });

  it('says which name is not known, and what is wrong with a venue that answers no JSON', async () => {
    const venue = await LyingVenue.open();
    const { directory } = marketDataHarness(venue.url);
    await expect(directory.select({ slugs: ['snow'] })).rejects.toMatchObject({
      field: 'markets.slugs',
      received: 'snow',
    });
    await expect(directory.select({ filter: { status: 'CANCELLED' } })).rejects.toThrow('lists only open markets');
    venue.instead.set(`/clob-markets/${CONDITION}`, (response) => response.writeHead(502).end('<html>down</html>'));
    await expect(directory.select({ slugs: ['rain'] })).rejects.toThrow('502 <html>down</html>');
    venue.instead.set(`/clob-markets/${CONDITION}`, (response) => response.writeHead(404).end('{}'));
    await expect(directory.select({ slugs: ['rain'] })).rejects.toThrow('the CLOB does not know');
  });

  it('has fees of another form for fees that it cannot know, and none where the venue names none', async () => {
    const venue = await LyingVenue.open();
    const { directory } = marketDataHarness(venue.url);
    const rate = async (fd: unknown): Promise<number | undefined> => {
      venue.terms['fd'] = fd;
      return (await directory.select({ ids: [CONDITION] }))[0]?.setup.limits.feeRateBps;
    };
    expect(await rate({ r: 0.07, e: 1 })).toBe(700);
    expect(await rate(null)).toBe(0);
    expect(await rate({ r: 0, e: 2 })).toBe(0);
    expect(await rate({ r: 0.25, e: 2 })).toBe(10_001);
    expect(await rate({ r: 0.00001, e: 1 })).toBe(10_001);
  });
});

it('returns no winner for a market that Gamma does not list', async () => {
  const venue = await LyingVenue.open();
  const { directory } = marketDataHarness(venue.url);
  expect(await directory.winnerOf(`0x${'0'.repeat(64)}`)).toBeUndefined();
});

it('finds markets of an earlier run by their slugs, and says which it does not know', async () => {
  const venue = await LyingVenue.open();
  const { directory } = marketDataHarness(venue.url);
  const market = {
    market: counted.market(3),
    id: ID,
    slug: 'rain',
    question: 'Rain?',
    grid: { type: 'tick', tickBps: 100 },
    scheduledResolution: undefined,
  } as const;
  const gone = { ...market, id: uuidOfName('gone'), slug: 'gone' };
  const [candidate] = await directory.candidates({ limit: 10 });
  expect(candidate).toMatchObject({ id: ID, slug: 'rain', isOpen: true, acceptsOrders: true, spreadBps: undefined });
  const { found, bad } = await directory.known([market, gone]);
  expect(bad).toMatchObject([{ id: gone.id }]);
  expect(found.map(({ setup }) => setup.info.market)).toEqual([3]);
});

it('lists the markets of the embedded venue, several condition ids at once', async () => {
  const venue = await openPolymarket();
  afterThisTest.add(() => venue.venue.close());
  await venue.venue.market('Another?');
  const { directory } = marketDataHarness(venue.url);
  const both = await directory.select({ filter: { limit: 5 } });
  expect(both).toHaveLength(2);
  const ids = both.map(({ setup }) => directory.market(setup.info.id)?.condition ?? '');
  expect((await directory.select({ ids })).map(({ setup }) => setup.info.id)).toEqual(
    both.map(({ setup }) => setup.info.id),
  );
});
