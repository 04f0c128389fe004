import { expect, it } from 'vitest';
import { marketId, unchecked } from '../../../../src/domain/index.ts';
import { readTerms, ServiceDirectory } from '../../../../src/venues/service/market-data/index.ts';
import { realVenue, transportTo } from '../real-venue.ts';

const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';

async function openDirectory() {
  const venue = await realVenue();
  const transport = transportTo(venue.url);
  return { venue, directory: new ServiceDirectory(transport, await readTerms(transport)) };
}

it('known markets keep their numbers, also ended ones, and unknown ids are omitted', async () => {
  const { venue, directory } = await openDirectory();
  const [first, second] = [await venue.market('First?'), await venue.market('Second?')];
  await venue.operate('void', { market: second });
  const infos = [first, second, UNKNOWN].map((id, index) => {
    const details = { slug: `m${index}`, question: '?', scheduledResolution: undefined };
    return {
      market: unchecked.market(7 - index),
      id: marketId(id),
      grid: { type: 'tick', tickBps: 10 } as const,
      ...details,
    };
  });
  const { found, bad } = await directory.readKnown(infos);
  expect(bad).toEqual([]);
  expect(new Map(found.map(({ info, state }) => [info.market, state?.status]))).toEqual(
    new Map([
      [7, 'OPEN'],
      [6, 'CANCELLED'],
    ]),
  );
});

it('candidates are the open markets and every requested market in any state, each once', async () => {
  const { venue, directory } = await openDirectory();
  const [first, second] = [await venue.market('First?'), await venue.market('Second?')];
  const maker = await venue.trader(1);
  await maker.place(first, { price: 4_800, size: 100 });
  await maker.place(first, { outcome: 'NO', price: 4_800, size: 50 });
  await venue.operate('void', { market: second });
  expect((await directory.candidates({ limit: 10 })).map(({ id }) => id)).toEqual([first]);
  const all = await directory.candidates({ category: 'tests', limit: 10 }, new Set([first, second, UNKNOWN]));
  expect(all).toMatchObject([
    { id: first, slug: 'first', isOpen: true, acceptsOrders: true, category: 'tests', spreadBps: 400 },
    { id: second, slug: 'second', isOpen: false, spreadBps: undefined },
  ]);
});

it('the directory accepts only UUIDs as ids', async () => {
  const { directory } = await openDirectory();
  expect([UNKNOWN, UNKNOWN.toUpperCase(), 'first', '0x12'].map((text) => directory.isId(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
