import { expect, it } from 'vitest';
import { nextTurn } from '../../../../src/clock/index.ts';
import { VenueWatch } from '../../../../src/venues/service/market-data/venue-watch.ts';
import type { Transport } from '../../../../src/venues/service/transport/index.ts';
import { realVenue, transportTo } from '../real-venue.ts';

/** The same transport, but queries wait until `open` is called. */
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
  // At a start, the first message of the venue triggers a read before the caller's own read.
  const first = watch.read();
  const ended: string[] = [];
  const second = watch.read().then(() => ended.push(`after ${received.length}`));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect([received, ended]).toEqual([[], []]);
  open();
  await Promise.all([first, second]);
  expect(received).toEqual([id, id]);
  expect(ended).toEqual(['after 2']);
  // A call without a running read starts one.
  await watch.read();
  expect(received).toHaveLength(3);
  watch.end();
});
