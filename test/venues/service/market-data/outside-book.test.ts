/** Own orders at a real venue: the core sees the orders of other traders alone. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src/clock/index.ts';
import { unchecked } from '../../../../src/domain/index.ts';
import { OPERATIONS, parseMicroShares } from '../../../../src/protocol/index.ts';
import { readTerms, ServiceDirectory, ServiceMarketData } from '../../../../src/venues/service/market-data/index.ts';
import { afterThisTest } from '../../../cleanup.ts';
import { realVenue, transportTo, until } from '../real-venue.ts';
import { CoreBooks } from './core-books.ts';
import { ownRecord } from './own-order.ts';

const ROUNDS = 60;

it('the book without own orders does not change while own orders are placed, filled and cancelled', async () => {
  const venue = await realVenue();
  const id = await venue.market('Will it stay?');
  const [us, maker, taker] = await Promise.all([venue.trader(1), venue.trader(2), venue.trader(3)]);
  for (const price of [4_700, 4_600, 4_500]) {
    await maker.place(id, { price, size: 50 });
    await maker.place(id, { outcome: 'NO', price, size: 50 });
  }
  const othersBook = { bids: ['4700:50', '4600:50', '4500:50'], asks: ['5300:50', '5400:50', '5500:50'] };
  const transport = transportTo(venue.url);
  transport.setCredentials(us.token);
  const terms = await readTerms(transport);
  const core = new CoreBooks();
  const data = new ServiceMarketData({ transport, terms });
  afterThisTest.add(() => data.close());
  let ownEvents = 0;
  transport.subscribe(
    OPERATIONS.orderEvents,
    () => ({}),
    {
      next: (received) => {
        const event = received?.orderEvents;
        if (event === null || event === undefined) return;
        const { order, fill, seq } = event;
        if (fill !== null)
          data.orders.recordTrade({ tradeId: fill.tradeId, liquidity: fill.role === 'MAKER' ? 'maker' : 'taker' });
        if (order !== null) {
          ownEvents += 1;
          const isOpen = order.status === 'LIVE' || order.status === 'PARTIALLY_FILLED';
          const rests = isOpen ? parseMicroShares('remaining', order.remainingShares) : unchecked.shares(0);
          const ours = data.orders.byHash(order.id);
          if (ours !== undefined) data.orders.setRemaining(ours, Number(seq), rests);
          data.orders.publishWithoutOwnOrders();
        }
        data.orders.advanceTo(Number(seq));
      },
      onMalformed: (problem) => expect(problem).toBe(''),
      onRefused: (errors) => expect(errors).toEqual([]),
    },
    { startsWithEvent: true },
  );
  await data.start(await new ServiceDirectory(transport, terms).select({ ids: [id] }), core);
  expect(core.levels(0)).toEqual(othersBook);
  const unexpected: string[] = [];
  core.onMessage = () => {
    const bookText = JSON.stringify(core.levels(0));
    if (bookText !== JSON.stringify(othersBook)) unexpected.push(`${core.messages.at(-1)}: ${bookText}`);
  };
  const random = seededRandom(4);
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const action = random.int(4);
    const isBid = random.int(2) === 0;
    // At or above the best price of the others, and never through our own orders.
    const price = 4_700 + 10 * random.int(20);
    const size = 1 + random.int(9);
    if (action < 2) {
      const order = us.ready(id, { outcome: isBid ? 'YES' : 'NO', price, size });
      const place = { hash: order.hash, price: isBid ? price : 10_000 - price, shares: size * 1e6 };
      data.orders.addPending(data.orders.add(ownRecord({ ...place, side: isBid ? 'bid' : 'ask' })));
      ids.push(order.hash);
      await order.send();
    } else if (action === 2 && ids.length > 0) {
      const hash = ids[random.int(ids.length)] ?? '';
      const ours = data.orders.byHash(hash);
      if (ours !== undefined) data.orders.markLeaving(ours);
      await us.cancel(hash);
    } else {
      // Takes at most our own shares: only at prices without other orders.
      const [best] = (await venue.book(id))[isBid ? 'asks' : 'bids'];
      if (best === undefined || best.priceBps === 5_300 || best.priceBps === 4_700) continue;
      const taking = {
        price: isBid ? best.priceBps : 10_000 - best.priceBps,
        size: Math.max(1, Math.floor(best.shares / 2)),
      };
      await taker.place(id, { outcome: isBid ? 'YES' : 'NO', ...taking });
    }
  }
  const { seq } = await venue.book(id);
  await until(() => (data.bookStates()[0]?.seq ?? 0) >= Number(seq));
  expect(unexpected).toEqual([]);
  expect(core.prints).toEqual([]);
  expect(ownEvents).toBeGreaterThan(ROUNDS / 2);
});
