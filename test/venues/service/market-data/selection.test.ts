import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../../src/domain/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import type { Selection } from '../../../../src/venues/base/index.ts';
import { readTerms, ServiceDirectory } from '../../../../src/venues/service/market-data/index.ts';
import { readBetTerms } from '../../../../src/venues/service/market-data/venue-terms.ts';
import { FaultyProxy } from '../faulty-proxy.ts';
import { SILENT } from '../harness.ts';
import { openMarketData, realVenue, transportTo } from '../real-venue.ts';
import { CoreBooks } from './core-books.ts';

it('markets are selected by id, slug and filter, each once, and an error explains an invalid selection', async () => {
  const venue = await realVenue({ readBucket: { capacity: 60, perSecond: 400 } });
  const ids: string[] = [];
  for (let at = 0; at < 45; at += 1) ids.push(await venue.market(`Is it ${at}?`));
  const transport = transportTo(venue.url);
  transport.pace({ capacity: 60, refillPerSecond: 400 });
  const terms = await readTerms(transport);
  const slug = (await new ServiceDirectory(transport, terms).select({ ids: [ids[7] ?? ''] }))[0]?.info.slug ?? '';
  expect(slug).toBe('is-it-7');
  const options = { ids: [ids[3] ?? ''], slugs: [slug], filter: { category: 'tests', limit: 44 } };
  const selected = await new ServiceDirectory(transport, terms).select(options, { first: unchecked.market(5) });
  expect(selected.slice(0, 2).map(({ info }) => info.slug)).toEqual(['is-it-3', 'is-it-7']);
  expect(selected.map(({ info }) => info.market)).toEqual(selected.map((_, at) => 5 + at));
  expect(new Set(selected.map(({ info }) => info.id)).size).toBe(selected.length);
  expect(selected[0]).toMatchObject({
    info: { grid: { tickBps: 10 } },
    state: { status: 'OPEN' },
  });
  expect(selected.length).toBeGreaterThanOrEqual(44);

  await venue.operate('void', { market: ids[3] });
  const expectRefused = (selection: Selection) =>
    expect(new ServiceDirectory(transport, terms).select(selection)).rejects;
  await expectRefused({ ids: ['nonsense'] }).toThrow(/market ID: expected a UUID/);
  await expectRefused({ ids: ['00000000-0000-4000-8000-00000000ffff'] }).toThrow(
    /the id of a market that the venue knows/,
  );
  await expectRefused({ slugs: ['no-such'] }).toThrow(/the slug of a market that the venue knows \(open there: is-it-/);
  await expectRefused({ slugs: ['is-ti-7'] }).toThrow(
    /\(did you mean "is-it-7"\? open there: .* and more\), got "is-ti-7"/,
  );
  await expectRefused({ ids: [ids[3] ?? ''] }).toThrow(/this one is CANCELLED/);
  await expectRefused({ filter: { search: 'not asked' } }).toThrow(/a selection without markets/);
});

it('a slug for which the venue returns another market is refused', async () => {
  const venue = await realVenue();
  await venue.market('This one?');
  const proxy = await FaultyProxy.open(venue.url);
  const to = (text: string): string => text.replaceAll('"this-one"', '"another-one"');
  proxy.rule({ direction: 'down', match: '"this-one"', fault: 'rewrite', to });
  const transport = transportTo(proxy.url);
  const selected = new ServiceDirectory(transport, await readTerms(transport)).select({ slugs: ['this-one'] });
  await expect(selected).rejects.toMatchObject({ code: 'VENUE', message: expect.stringContaining('another-one') });
  await proxy.close();
});

it('a lost answer to the operator’s own document of betLimits does not count as a market without bet limits', async () => {
  const venue = await realVenue();
  const id = await venue.market('This one?');
  const proxy = await FaultyProxy.open(venue.url);
  const transport = transportTo(proxy.url, { retries: 0 });
  transport.operations.override('BetLimits.graphql', OPERATIONS.betLimits.text);
  const directory = new ServiceDirectory(transport, await readTerms(transport));
  expect(await directory.select({ ids: [id] })).toHaveLength(1);
  proxy.rule({ direction: 'up', match: 'betLimits', fault: 'drop' });
  const selected = directory.select({ ids: [id] });
  await expect(selected).rejects.toMatchObject({ code: 'LINK', message: expect.stringContaining('betLimits') });
  await proxy.close();
});

it('a refused read of betLimits is logged, also for the operator’s own document', async () => {
  const venue = await realVenue();
  const id = await venue.market('This one?');
  const proxy = await FaultyProxy.open(venue.url);
  const to = (): string => JSON.stringify({ errors: [{ message: 'no bet limits here' }] });
  const match = '"maxExposurePerMarketCents"';
  const warnings: object[] = [];
  const transport = transportTo(proxy.url, {}, { ...SILENT, warn: (fields) => void warnings.push(fields) });
  const directory = new ServiceDirectory(transport, await readTerms(transport));
  for (const times of [1, 2]) {
    if (times === 2) transport.operations.override('BetLimits.graphql', OPERATIONS.betLimits.text);
    proxy.rule({ direction: 'down', match, fault: 'rewrite', to });
    expect(await directory.select({ ids: [id] })).toHaveLength(1);
    expect(warnings).toEqual(new Array(times).fill({ problem: 'no bet limits here' }));
  }
  await proxy.close();
});

it('the operator’s own document of betLimits may select more fields than the API requires', async () => {
  const venue = await realVenue();
  const id = await venue.market('This one?');
  const transport = transportTo(venue.url);
  const text = OPERATIONS.betLimits.text.replace('maxExposurePerMarketCents', '$& __typename');
  transport.operations.override('BetLimits.graphql', text);
  expect(transport.operations.textOf(OPERATIONS.betLimits)).toContain('__typename');
  const { terms, bad } = await readBetTerms(transport, [id]);
  expect([[...terms.keys()], [...bad]]).toEqual([[id], []]);
});

it.each(['ended', 'open'])(
  'candidates leave out a traded market that is unreadable and %s, and log it once',
  async (status) => {
    const { venue, ids, corrupt, warnings, transport, terms, proxy } = await oneInvalidMarket('tickSizeBps');
    if (status === 'ended') await venue.operate('void', { market: ids[1] });
    corrupt();
    const found = await new ServiceDirectory(transport, terms).candidates({ limit: 10 }, ids);
    expect(found.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[2]].toSorted());
    expect(warnings).toEqual([{ market: ids[1], problem: expect.stringContaining('tickSizeBps: expected') }]);
    await proxy.close();
  },
);

/** Three markets. After `corrupt`, the venue returns an invalid field of the second one. */
async function oneInvalidMarket(field: 'tickSizeBps' | 'maxBetCents') {
  const venue = await realVenue();
  const ids = [await venue.market('First?'), await venue.market('Second?'), await venue.market('Third?')];
  const proxy = await FaultyProxy.open(venue.url);
  const corrupt = (): void => {
    const to = (text: string): string => {
      const { data } = JSON.parse(text);
      for (const { node } of data.markets?.edges ?? [])
        if (node.id === ids[1]) node[field] = field in node ? -7 : undefined;
      if (field === 'maxBetCents' && 'b1' in data) data.b1[field] = -7;
      return JSON.stringify({ data });
    };
    const match = field === 'tickSizeBps' ? '"markets":{"edges"' : '"b1":';
    proxy.rule({ direction: 'down', match, fault: 'rewrite', to, times: Number.POSITIVE_INFINITY });
  };
  const warnings: object[] = [];
  const transport = transportTo(proxy.url, {}, { ...SILENT, warn: (fields) => void warnings.push(fields) });
  return { venue, ids, proxy, corrupt, warnings, transport, terms: await readTerms(transport) };
}

describe.each(['tickSizeBps', 'maxBetCents'] as const)('one market of many with an invalid %s', (field) => {
  it('is left out of a filter’s result and logged with its id', async () => {
    const { ids, corrupt, warnings, transport, terms, proxy } = await oneInvalidMarket(field);
    corrupt();
    const options = field === 'tickSizeBps' ? { filter: {} } : { ids: [ids[0] ?? ''], filter: {} };
    const selected = await new ServiceDirectory(transport, terms).select(options);
    const found = new Set(selected.map(({ info }) => String(info.id)));
    expect(found.size).toBe(2);
    const [invalid] = ids.filter((id) => !found.has(id));
    expect(warnings).toContainEqual({ market: invalid, problem: expect.stringContaining(`${field}: expected`) });
    await proxy.close();
  });

  it('is an error when it is selected by id', async () => {
    const { ids, corrupt, transport, terms, proxy } = await oneInvalidMarket(field);
    corrupt();
    const selected = new ServiceDirectory(transport, terms).select({ ids });
    await expect(selected).rejects.toMatchObject({ code: 'VENUE', message: expect.stringContaining(String(ids[1])) });
    await proxy.close();
  });

  it('is halted during a run, and the others continue', async () => {
    const { ids, corrupt, transport, terms, proxy } = await oneInvalidMarket(field);
    const core = new CoreBooks();
    const data = openMarketData({ transport, terms });
    await data.start(await new ServiceDirectory(transport, terms).select({ ids }), core);
    const states: string[] = [];
    core.onMessage = (market) => {
      if (core.messages.at(-1)?.includes('status') === true) states.push(`${market} ${core.messages.at(-1)}`);
    };
    corrupt();
    await data.refresh();
    expect(states).toEqual(['1 status HALTED']);
    expect(core.errors).toEqual([]);
    await proxy.close();
  });
});
