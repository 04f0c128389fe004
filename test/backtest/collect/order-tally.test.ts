import { describe, expect, it } from 'vitest';
import { OrderTally } from '../../../src/backtest/collect/order-tally.ts';
import {
  instanceNo,
  marketNo,
  orderNo,
  type Refused,
  type RejectReason,
  type RiskCode,
  unchecked,
} from '../../../src/domain/index.ts';
import type { Step } from '../../../src/runtime/index.ts';

const AT = { time: unchecked.time(0), venueTime: unchecked.time(0), market: marketNo(0) };

function step(event: Step['event'], refused: readonly RiskCode[] = []): Step {
  const refusals = refused.map((code): Refused => ({ ok: false, market: marketNo(0), code, limit: 1, actual: 2 }));
  return { seq: unchecked.seq(1), time: unchecked.time(0), row: 0, event, refused: refusals, commands: [] };
}

const placeRejected = (reason: RejectReason) => step({ ...AT, type: 'orderRejected', order: orderNo(1), reason });
const cancelRejected = (reason: RejectReason) => step({ ...AT, type: 'cancelRejected', order: orderNo(1), reason });
const splitRejected = (reason: RejectReason) =>
  step({ ...AT, type: 'conversionRejected', conversion: 'split', bot: instanceNo(0), reason });

describe('the reasons of rejections and refusals', () => {
  const tally = new OrderTally();
  tally.add([
    placeRejected('POST_ONLY_WOULD_CROSS'),
    placeRejected('INVALID_TICK'),
    cancelRejected('CONFLICT'),
    placeRejected('CONFLICT'),
    splitRejected('INSUFFICIENT_BALANCE'),
    step(undefined, ['STALE_BOOK', 'MAX_POSITION', 'MAX_POSITION']),
  ]);
  tally.add([step(undefined, ['STALE_BOOK'])]);

  it('are sorted by count and then by code', () => {
    expect(Object.entries(tally.reasons().rejected)).toEqual([
      ['CONFLICT', 2],
      ['INSUFFICIENT_BALANCE', 1],
      ['INVALID_TICK', 1],
      ['POST_ONLY_WOULD_CROSS', 1],
    ]);
    expect(Object.entries(tally.reasons().refused)).toEqual([
      ['MAX_POSITION', 2],
      ['STALE_BOOK', 2],
    ]);
  });

  it('add up to their total', () => {
    expect(tally.counts()).toMatchObject({ rejected: 5, refused: 4 });
  });

  it('include the orders that a replace has closed', () => {
    const replaced = new OrderTally();
    const [closed, accepted] = [[orderNo(1), orderNo(2)], [orderNo(3)]];
    replaced.add([step({ ...AT, type: 'ordersReplaced', closed, accepted })]);
    expect(replaced.counts()).toMatchObject({ cancelled: 2, rejected: 0 });
  });

  it('are empty when nothing was rejected', () => {
    expect(new OrderTally().reasons()).toEqual({ rejected: {}, refused: {} });
  });
});
