import { expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../../src/clock/index.ts';
import { VenueWatch } from '../../../../src/venues/service/market-data/venue-watch.ts';
import type { Transport } from '../../../../src/venues/service/transport/index.ts';
import { realVenue, transportTo } from '../real-venue.ts';

/** Wraps a transport whose queries wait until `open` is called. */
function gated(transport: Transport) {
  const gate = Promise.withResolvers<void>();
  const query: Transport['query'] = async (...requests) => {
    await gate.promise;
    return transport.query(...requests);
  };
  const gatedTransport = new Proxy(transport, {
    get(target, name) {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { gatedTransport, open: () => gate.resolve() };
}

it('a read that is requested during another read queries the venue again and waits for the new answer', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it rain?');
  const { gatedTransport, open } = gated(transportTo(venue.url));
  const received: string[] = [];
  const deps = {
    ids: () => [id],
    onState() {},
    onTerms() {},
    onMarket: (market: { id: string }) => void received.push(market.id),
    onModeUnknown() {},
    onStatesUnknown() {},
  };
  const watch = new VenueWatch(gatedTransport, deps);
  // At a start, the first message of the venue triggers a read before the caller requests one.
  const first = watch.read();
  const completed: string[] = [];
  const second = watch.read().then(() => completed.push(`after ${received.length}`));
  for (let turn = 0; turn < 20; turn += 1) await nextEventLoopTurn();
  expect([received, completed]).toEqual([[], []]);
  open();
  await Promise.all([first, second]);
  expect(received).toEqual([id, id]);
  expect(completed).toEqual(['after 2']);
  // A call without a running read starts one.
  await watch.read();
  expect(received).toHaveLength(3);
  watch.end();
});
