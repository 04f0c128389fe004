/** Selection of Polymarket markets. */
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { marketIdFromName } from '../../../src/runtime/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { openPolymarket } from '../../server/polymarket/harness.ts';
import { marketDataHarness } from './market-data-harness.ts';
import { CONDITION, NO, ScriptedVenue, YES } from './scripted-venue.ts';

const ID = marketIdFromName(`polymarket-${CONDITION}`);

describe('a selection of markets', () => {
  it('accepts slugs, condition ids, known market ids and filters, and returns each market once', async () => {
    const venue = await ScriptedVenue.open();
    const { directory } = marketDataHarness(venue.url);
    await expect(directory.select({ ids: [ID] })).rejects.toThrow('expected a condition id');
    const [bySlug] = await directory.select({ slugs: ['rain'] });
    expect(bySlug).toMatchObject({
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
    const known = new Map([[ID as string, unchecked.market(4)]]);
    const chosen = await directory.select(
      { ids: [ID, CONDITION], slugs: ['rain'], filter: { search: 'RAI' } },
      { known },
    );
    expect(chosen.map(({ info }) => info.market)).toEqual([4]);
    expect(directory.market(ID)?.info.market).toBe(4);
    expect(directory.isId(ID) && directory.isId(CONDITION) && !directory.isId('rain')).toBe(true);
  });

  it('uses the token named Yes as YES, whatever its position', async () => {
    const venue = await ScriptedVenue.open();
    Object.assign(venue.listing, { outcomes: '["No","Yes"]', clobTokenIds: JSON.stringify([NO, YES]) });
    const { directory } = marketDataHarness(venue.url);
    await directory.select({ ids: [CONDITION] });
    expect(directory.market(ID)?.tokens).toEqual([YES, NO]);
  });

  it.each([
    [
      'a market that only Gamma calls neg-risk',
      { listing: { negRisk: true, negRiskMarketID: '0x77' } },
      'Gamma and the CLOB disagree',
    ],
    ['a market that only the CLOB calls neg-risk', { terms: { nr: true } }, 'Gamma and the CLOB disagree'],
    ['a market of an augmented event', { listing: { negRiskAugmented: true } }, 'with fixed outcomes'],
    ['a market whose event is augmented', { listing: { events: [{ negRiskAugmented: true }] } }, 'with fixed outcomes'],
    ['a market of Protocol V2', { listing: { version: 'v2' } }, 'Protocol V2 is not supported yet'],
    ['a market without a version', { listing: { version: null } }, 'Protocol V2 is not supported yet'],
    ['a closed market', { listing: { closed: true } }, 'this one is closed'],
    ['a market without a book', { listing: { enableOrderBook: false } }, 'this one has none'],
    ['a market with other tokens at the CLOB', { terms: { t: [{ t: '7' }, { t: '8' }] } }, 'name different tokens'],
    [
      'a market with another condition id at the CLOB',
      { terms: { c: `0x${'cd'.repeat(32)}` } },
      'sent an unexpected answer',
    ],
    [
      'a neg-risk market without an event',
      { listing: { negRisk: true, events: [] }, terms: { nr: true } },
      'the id of its event',
    ],
    ['a market with an invalid tick', { terms: { mts: 0.3 } }, 'a tick such as 0.01'],
  ])('refuses %s by name, and excludes it from a filter', async (_case, changes: object, problem) => {
    const venue = await ScriptedVenue.open();
    for (const [part, fields] of Object.entries(changes)) Object.assign(Reflect.get(venue, part), fields);
    const { directory } = marketDataHarness(venue.url);
    await expect(directory.select({ slugs: ['rain'] })).rejects.toThrow(problem);
    await expect(directory.select({ filter: {} })).rejects.toThrow('a selection without markets');
  });

  it.each([
    ['the market', { negRiskMarketID: '0x77' }],
    ['its event', { negRiskMarketID: null, events: [{ negRiskMarketID: '0x77' }] }],
  ])('reads the event of a neg-risk market, at most one of which ends YES, from %s', async (_where, named) => {
    const venue = await ScriptedVenue.open();
    Object.assign(venue.listing, { negRisk: true, ...named });
    Object.assign(venue.terms, { nr: true });
    const { directory } = marketDataHarness(venue.url);
    const [rain] = await directory.select({ slugs: ['rain'] });
    expect(rain?.info).toMatchObject({ eventId: '0x77', exclusive: true });
    expect(directory.table.byId(ID).isNegRisk).toBe(true);
    expect([...directory.table.exchanges(2)]).toEqual(['negRiskExchangeV2']);
  });

  it('names an unknown market, and quotes a response that is not JSON', async () => {
    const venue = await ScriptedVenue.open();
    const { directory } = marketDataHarness(venue.url);
    await expect(directory.select({ slugs: ['snow'] })).rejects.toMatchObject({
      field: 'markets.slugs',
      received: 'snow',
    });
    await expect(directory.select({ filter: { status: 'CANCELLED' } })).rejects.toThrow('lists only open markets');
    venue.overrides.set(`/clob-markets/${CONDITION}`, (response) => response.writeHead(502).end('<html>down</html>'));
    await expect(directory.select({ slugs: ['rain'] })).rejects.toThrow('502 <html>down</html>');
    venue.overrides.set(`/clob-markets/${CONDITION}`, (response) => response.writeHead(404).end('{}'));
    await expect(directory.select({ slugs: ['rain'] })).rejects.toThrow('the CLOB does not know');
  });

  it.each([
    ['slug', { clobTokenIds: '["1"]' }, { slugs: ['rain'] }, 'clobTokenIds: expected the ids of two tokens'],
    ['condition id', { outcomes: 7 }, { ids: [CONDITION.toUpperCase().replace('X', 'x')] }, 'outcomes: expected'],
    ['slug', { closed: 'maybe' }, { slugs: ['rain'] }, 'closed: expected'],
    ['slug', { version: 7 }, { slugs: ['rain'] }, 'version: expected'],
  ])('says what is unreadable in a market that is selected by %s', async (_name, fields, selection, problem) => {
    const venue = await ScriptedVenue.open();
    Object.assign(venue.listing, fields);
    const { directory } = marketDataHarness(venue.url);
    const selected = directory.select(selection);
    await expect(selected).rejects.toThrow(problem);
    await expect(selected).rejects.not.toThrow('lists');
    await expect(directory.select({ filter: {} })).rejects.toThrow('a selection without markets');
  });

  it('marks fees of an unknown form with a rate above 100 %, and uses no fee when the venue names none', async () => {
    const venue = await ScriptedVenue.open();
    const { directory } = marketDataHarness(venue.url);
    const rate = async (fd: unknown): Promise<number | undefined> => {
      venue.terms['fd'] = fd;
      return (await directory.select({ ids: [CONDITION] }))[0]?.limits.feeRateBps;
    };
    expect(await rate({ r: 0.07, e: 1 })).toBe(700);
    expect(await rate(null)).toBe(0);
    expect(await rate({ r: 0, e: 2 })).toBe(0);
    expect(await rate({ r: 0.25, e: 2 })).toBe(10_001);
    expect(await rate({ r: 0.00001, e: 1 })).toBe(10_001);
  });
});

it('the directory returns no winner for a market that Gamma does not list', async () => {
  const venue = await ScriptedVenue.open();
  const { directory } = marketDataHarness(venue.url);
  expect(await directory.readWinner(`0x${'0'.repeat(64)}`)).toBeUndefined();
});

it('the directory logs once that the winner of a market is unreadable', async () => {
  const venue = await ScriptedVenue.open();
  const { directory, logged } = marketDataHarness(venue.url);
  Object.assign(venue.listing, { closed: true, outcomes: 7 });
  expect(await directory.readWinner(CONDITION)).toBeUndefined();
  expect(await directory.readWinner(CONDITION)).toBeUndefined();
  expect(logged.lines).toEqual([
    expect.stringMatching(`^warn .*the winner of a market cannot be read.*${CONDITION}.*outcomes: expected`),
  ]);
});

it('the directory finds markets of an earlier run by their slugs, and returns the unknown ones separately', async () => {
  const venue = await ScriptedVenue.open();
  const { directory } = marketDataHarness(venue.url);
  const market = {
    market: unchecked.market(3),
    id: ID,
    slug: 'rain',
    question: 'Rain?',
    grid: { type: 'tick', tickBps: 100 },
    scheduledResolution: undefined,
  } as const;
  const gone = { ...market, id: marketIdFromName('gone'), slug: 'gone' };
  const [candidate] = await directory.candidates({ limit: 10 });
  expect(candidate).toMatchObject({ id: ID, slug: 'rain', isOpen: true, acceptsOrders: true, spreadBps: undefined });
  const { found, bad } = await directory.readKnown([market, gone]);
  expect(bad).toMatchObject([{ id: gone.id }]);
  expect(found.map(({ info }) => info.market)).toEqual([3]);
});

it('candidates leave out a traded market that Gamma no longer lists or that is unreadable, and keep the others', async () => {
  const venue = await ScriptedVenue.open();
  const { directory, logged } = marketDataHarness(venue.url);
  const [other, gone] = [`0x${'cd'.repeat(32)}`, `0x${'ef'.repeat(32)}`];
  const entry = { outcomes: '["Yes","No"]', clobTokenIds: JSON.stringify([YES, NO]), version: 'v1' };
  const list = (...markets: readonly object[]): void =>
    void venue.overrides.set('/gamma/markets/keyset', (response) => response.end(JSON.stringify({ markets })));
  list(...[CONDITION, other, gone].map((conditionId) => ({ ...entry, conditionId })));
  const ids = (await directory.candidates({ limit: 10 })).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  list({ ...entry, conditionId: CONDITION, closed: true }, { ...entry, conditionId: other, clobTokenIds: '7' });
  const candidates = await directory.candidates({ limit: 10 }, ids);
  expect(candidates).toMatchObject([{ id: ID, isOpen: false }]);
  expect(logged.lines.filter((line) => line.startsWith('warn'))).toEqual([
    expect.stringMatching(`^warn .* is skipped .*${other}.*clobTokenIds: expected`),
    expect.stringMatching(`^warn .* is skipped .*${gone}.*expected the slug or the condition id of a market`),
  ]);
});

it('the directory selects markets of the embedded venue by a filter and by several condition ids at once', async () => {
  const venue = await openPolymarket();
  afterThisTest.add(() => venue.venue.close());
  await venue.venue.market('Another?');
  const { directory } = marketDataHarness(venue.url);
  const both = await directory.select({ filter: { limit: 5 } });
  expect(both).toHaveLength(2);
  const ids = both.map(({ info }) => directory.market(info.id)?.condition ?? '');
  expect((await directory.select({ ids })).map(({ info }) => info.id)).toEqual(both.map(({ info }) => info.id));
});
