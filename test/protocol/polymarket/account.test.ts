import { describe, expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import {
  POLYMARKET_ERRORS,
  readPolymarketCancelAnswer,
  readPolymarketError,
  readPolymarketOrderRecord,
  readPolymarketOwnTrade,
  readPolymarketPlaceAnswer,
} from '../../../src/protocol/polymarket/index.ts';
import { MARKET, NO, YES } from './frames.ts';

describe('an order of the account', () => {
  const record = {
    id: '0x071C',
    market: MARKET,
    asset_id: YES,
    side: 'BUY',
    price: '0.52',
    original_size: '10',
    size_matched: '4',
    status: 'LIVE',
    associate_trades: ['t-1'],
  };

  it('is read in integer units from a response and from the stream', () => {
    const expected = { id: '0x071c', price: 5_200, size: 10_000_000, matched: 4_000_000, trades: ['t-1'] };
    expect(readPolymarketOrderRecord(record)).toMatchObject({ ...expected, status: 'LIVE', change: undefined });
    expect(readPolymarketOrderRecord({ ...record, type: 'UPDATE' })).toMatchObject({ ...expected, change: 'UPDATE' });
  });

  it.each([
    ['ORDER_STATUS_LIVE', 'LIVE'],
    ['unmatched', 'LIVE'],
    ['ORDER_STATUS_MATCHED', 'MATCHED'],
    ['delayed', 'DELAYED'],
    ['CANCELED', 'CANCELED'],
    ['CANCELED_MARKET_RESOLVED', 'CANCELED'],
    ['ORDER_STATUS_CANCELED', 'CANCELED'],
    ['INVALID', 'INVALID'],
    ['RESTING', 'UNKNOWN'],
  ])('has status %s as %s', (status, expected) => {
    expect(readPolymarketOrderRecord({ ...record, status }).status).toBe(expected);
  });

  it('that was killed has nothing matched, although the venue sends an empty size', () => {
    const status =
      'CANCELED_no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.';
    const killed = { ...record, size_matched: '', associate_trades: [], type: 'CANCELLATION', status };
    expect(readPolymarketOrderRecord(killed)).toMatchObject({ matched: 0, status: 'CANCELED', trades: [] });
  });

  it('is refused when a size is not a decimal', () => {
    expect(() => readPolymarketOrderRecord({ ...record, size_matched: '-4' })).toThrow(InputFault);
    expect(() => readPolymarketOrderRecord({ ...record, original_size: '1e30' })).toThrow(InputFault);
  });
});

describe('a trade of the account', () => {
  const record = {
    id: 't-1',
    taker_order_id: '0x99',
    market: MARKET,
    asset_id: YES,
    side: 'BUY',
    price: '0.53',
    size: '4',
    status: 'TRADE_STATUS_MATCHED',
    trader_side: 'MAKER',
    match_time: '1700000000',
    transaction_hash: '',
    maker_orders: [{ order_id: '0x07', asset_id: NO, side: 'BUY', price: '0.47', matched_amount: '4', owner: 'k' }],
  };

  it("contains the maker's part in the other outcome", () => {
    expect(readPolymarketOwnTrade(record)).toEqual({
      id: 't-1',
      takerOrder: '0x99',
      market: MARKET,
      asset: YES,
      side: 'BUY',
      price: 5_300,
      size: 4_000_000,
      status: 'MATCHED',
      role: 'MAKER',
      matchedAt: 1_700_000_000_000,
      makers: [{ order: '0x07', owner: 'k', asset: NO, side: 'BUY', price: 4_700, size: 4_000_000 }],
      transaction: undefined,
    });
  });

  it.each(['MINED', 'CONFIRMED', 'RETRYING', 'FAILED'])('has status %s with and without the prefix', (status) => {
    expect(readPolymarketOwnTrade({ ...record, status }).status).toBe(status);
    expect(readPolymarketOwnTrade({ ...record, status: `TRADE_STATUS_${status}` }).status).toBe(status);
  });

  it('has a match time in seconds or as a date', () => {
    const dated = { ...record, match_time: '2024-01-01T00:00:00Z' };
    expect(readPolymarketOwnTrade(dated).matchedAt).toBe(1_704_067_200_000);
    expect(() => readPolymarketOwnTrade({ ...record, match_time: 'soon' })).toThrow('match_time');
  });

  it('has status UNKNOWN for an unknown status', () => {
    expect(readPolymarketOwnTrade({ ...record, status: 'SETTLING' }).status).toBe('UNKNOWN');
  });
});

describe('the response to an order or cancel', () => {
  it.each([
    [{ success: true, orderID: '0xA', status: 'live' }, 'LIVE'],
    [{ success: true, orderID: '0xA', status: 'unmatched' }, 'LIVE'],
    [{ success: true, orderID: '0xA', status: 'matched', tradeIDs: ['t'] }, 'MATCHED'],
    [{ success: true, orderID: '0xA', status: 'delayed' }, 'DELAYED'],
    [{ success: true, orderID: '0xA', status: 'parked' }, 'UNKNOWN'],
    [{ success: true, orderID: '0xA', status: 'constructor' }, 'UNKNOWN'],
    [{ success: true, orderID: '', errorMsg: 'no' }, 'REFUSED'],
    [{ success: false, errorMsg: 'no' }, 'REFUSED'],
  ])('%j is read as %s', (json, status) => {
    expect(readPolymarketPlaceAnswer(json).status).toBe(status);
  });

  it('contains the canceled orders and the reasons for the others', () => {
    const answer = readPolymarketCancelAnswer({ canceled: ['0xA'], not_canceled: { '0xB': 'Order not found' } });
    expect(answer.canceled).toEqual(['0xa']);
    expect([...answer.notCanceled]).toEqual([['0xb', 'Order not found']]);
  });
});

describe('an error of the venue', () => {
  it.each([
    [400, { error: POLYMARKET_ERRORS.duplicated('0xa') }, 'DUPLICATE'],
    [400, { error: POLYMARKET_ERRORS.balance }, 'BALANCE'],
    [400, { error: POLYMARKET_ERRORS.postOnly }, 'WOULD_CROSS'],
    [400, { error: POLYMARKET_ERRORS.fok }, 'NOT_FILLABLE'],
    [400, { error: POLYMARKET_ERRORS.fak }, 'NOT_FILLABLE'],
    [400, { error: POLYMARKET_ERRORS.versionMismatch }, 'VERSION_MISMATCH'],
    [400, { error: POLYMARKET_ERRORS.tick('0xa', '0.523', '0.01') }, 'REFUSED'],
    [400, { error: POLYMARKET_ERRORS.closedOnly }, 'CLOSED_ONLY'],
    [400, { error: POLYMARKET_ERRORS.banned }, 'FORBIDDEN'],
    [401, { error: POLYMARKET_ERRORS.badApiKey }, 'UNAUTHORIZED'],
    [403, { error: POLYMARKET_ERRORS.region }, 'FORBIDDEN'],
    [404, { error: POLYMARKET_ERRORS.noBook }, 'NO_MARKET'],
    [408, '<html></html>', 'UNKNOWN'],
    [425, {}, 'RESTARTING'],
    [429, {}, 'RATE_LIMITED'],
    [500, { error: 'oops' }, 'UNKNOWN'],
    [503, { error: POLYMARKET_ERRORS.cancelOnly }, 'CANCEL_ONLY'],
    [503, { error: POLYMARKET_ERRORS.disabled }, 'DISABLED'],
    [502, '<html></html>', 'UNKNOWN'],
    [200, null, 'UNKNOWN'],
  ])('with status %i and body %j is %s', (status, body, kind) => {
    expect(readPolymarketError(status, body).kind).toBe(kind);
  });

  it('of the post-only phase contains its remaining time', () => {
    const body = { error: POLYMARKET_ERRORS.postOnlyMode, code: 'post_only_mode', retry_after_seconds: 79 };
    expect(readPolymarketError(503, body)).toMatchObject({ kind: 'POST_ONLY', retryAfterMs: 79_000 });
  });
});
