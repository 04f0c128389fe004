/** Reports of own orders, without a venue. */
import { describe, expect, it } from 'vitest';
import {
  epochMs,
  microShares,
  type PlaceOrder,
  priceBps,
  unchecked,
  type VenueEvent,
} from '../../../src/domain/index.ts';
import type { SignedRecord } from '../../../src/runtime/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { ExecutionReporter } from '../../../src/venues/base/execution-reporter.ts';
import { type VenueOrder, VenueOrders } from '../../../src/venues/base/venue-orders.ts';
import { setup, usd } from '../../state/world.ts';
import { SILENT } from '../service/harness.ts';
import { MemoryRecords } from '../service/memory-records.ts';

const MARKET = unchecked.market(0);
const NOTHING = (): void => {};

function recordOf(number: number): SignedRecord {
  const order = unchecked.order(number);
  const terms = { outcome: 'YES', side: 'BUY', timeInForce: 'GTC', postOnly: true, expiration: 0 } as const;
  const command: PlaceOrder = {
    type: 'place',
    order,
    bot: unchecked.instance(0),
    market: MARKET,
    ...terms,
    price: priceBps(5_000),
    shares: microShares(1_000_000),
  };
  const hash = `0x${String(number).padStart(64, '0')}`;
  return { order, market: MARKET, marketId: 'm', hash, timestampMs: 1, epoch: 0, wire: '{}', command };
}

function fixture() {
  const reported: VenueEvent[] = [];
  const orders = new VenueOrders();
  const clock = { now: () => epochMs(1_000), schedule: () => NOTHING };
  const view = new AccountState({ cash: usd(100), markets: [setup()] });
  const report = (event: VenueEvent): void => void reported.push(event);
  const deps = {
    clock,
    orders,
    view,
    report,
    records: new MemoryRecords(),
    log: SILENT,
    onPositionPassed: NOTHING,
    onProblem: NOTHING,
  };
  const reporter = new ExecutionReporter(deps);
  return { reporter, orders, reported };
}

describe('an order placed by a replace', () => {
  it('keeps no reference to the orders before it, however many replaces follow', () => {
    const { reporter, orders, reported } = fixture();
    let current: VenueOrder = orders.add(recordOf(1));
    reporter.onEvent({
      kind: 'ACCEPTED',
      seq: 1,
      at: epochMs(1),
      hash: current.hash,
      remaining: current.record.command.shares,
    });
    for (let number = 2; number <= 100; number += 1) {
      const next = orders.add(recordOf(number));
      const replace = { cancels: [current], places: [next], isCommitted: false };
      current.cancellingReplace = replace;
      next.placingReplace = replace;
      const at = epochMs(number);
      const remaining = next.record.command.shares;
      reporter.onEvent({ kind: 'CLOSED', reason: 'REPLACED', seq: 2 * number, at, hash: current.hash, remaining });
      reporter.onEvent({ kind: 'ACCEPTED', seq: 2 * number + 1, at, hash: next.hash, remaining });
      expect([current.cancellingReplace, next.placingReplace]).toEqual([undefined, undefined]);
      current = next;
    }
    expect(orders.open()).toEqual([current]);
    expect(reported.map(({ type }) => type)).toEqual(['orderAccepted', ...Array(99).fill('ordersReplaced')]);
  });
});
