import { afterAll } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { venueContract } from '../../contract/venue-contract.ts';
import { until } from '../service/real-venue.ts';
import { adapter, openPolymarket, openTestMarket, recorder } from './harness.ts';

let marketCount = 0;

const harness = await openPolymarket({ polymarket: { minedMs: 20, confirmedMs: 20 } });
afterAll(() => harness.venue.close());

venueContract(
  'polymarket',
  async () => {
    marketCount += 1;
    const testMarket = await openTestMarket(harness, `TestMarket ${marketCount}?`);
    const { venue, state, records, faults } = await adapter(harness, { no: 100 + marketCount, testMarket });
    const other = await harness.venue.openTrader(1_000 + marketCount);
    const record = recorder(records);
    const connect = venue.connect.bind(venue);
    venue.connect = (sink) =>
      connect({
        rows: (...rows) => sink.rows(...rows),
        event(event, position) {
          sink.event(event, position);
          record(event, position);
        },
      });
    const show = async (side: 'bid' | 'ask', price: number, size: number): Promise<void> => {
      const outcome = side === 'bid' ? 'YES' : 'NO';
      const priceBps = side === 'bid' ? price : 10_000 - price;
      await other.place({ outcome, side: 'BUY', priceBps, size }, testMarket.id);
    };
    return {
      venue,
      state,
      now: () => wallClock().now(),
      async show(...levels) {
        for (const level of levels) await show(...level);
      },
      trade: (side, price, size) => show(side === 'buy' ? 'bid' : 'ask', price, size),
      until: (condition) => until(() => faults.length > 0 || condition()),
      async idle() {
        await until(() => faults.length > 0 || venue.isQuiet, 'quiet');
        if (faults[0] !== undefined) throw faults[0];
        await new Promise((resolve) => setTimeout(resolve, 30));
      },
      async close() {
        await other.request('mutation { cancelAllOrders { seq } }');
        await venue.abortConnect();
      },
    };
  },
  { replace: false, reduce: false, conversions: false },
);
