import { expect, it } from 'vitest';
import { nextTurn } from '../../../../src/clock/index.ts';
import { VenueWatch } from '../../../../src/venues/service/market-data/venue-watch.ts';
import type { Transport } from '../../../../src/venues/service/transport/index.ts';
import { realVenue, transportTo } from '../real-venue.ts';

/** The same way, on which questions wait until they are let through. */
function gated(transport: Transport) {
  const gate = Promise.withResolvers<void>();
  const query: Transport['query'] = async (...requests) => {
    await gate.promise;
    return transport.query(...requests);
  };
  const held = new Proxy(transport, {
    get(target, name) {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { held, open: () => gate.resolve() };
}

it('a caller during a read of all markets waits for the following read', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it rain?');
  const { held, open } = gated(transportTo(venue.url));
  const received: string[] = [];
  const host = {
    ids: () => [id],
    state() {},
    terms() {},
    market: (market: { id: string }) => void received.push(market.id),
    modeUnknown() {},
    statesUnknown() {},
  };
  const watch = new VenueWatch(held, host);
  // As the start does, where the venue's first word has led to a reading by itself.
  const first = watch.read();
  const ends: string[] = [];
  const second = watch.read().then(() => ends.push(`after ${received.length}`));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect([received, ends]).toEqual([[], []]);
  open();
  await Promise.all([first, second]);
  expect(received).toEqual([id, id]);
  expect(ends).toEqual(['after 2']);
  // And again, once nothing is in flight.
  await watch.read();
  expect(received).toHaveLength(3);
  watch.end();
});
