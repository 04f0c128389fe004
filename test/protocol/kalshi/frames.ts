/** The documented example messages of the streams (values are synthetic). */
export const MARKET = 'KXTEST-26NOV20-A';
export const AT = 1_700_000_000_100;
const m = { market_ticker: MARKET };

export const SNAPSHOT = {
  type: 'orderbook_snapshot',
  sid: 7,
  seq: 1,
  msg: { ...m, market_id: '…', yes_dollars_fp: [['0.5200', '10.00']], no_dollars_fp: [['0.4700', '40.50']] },
};
export const DELTA = {
  type: 'orderbook_delta',
  sid: 7,
  seq: 2,
  msg: { ...m, market_id: '…', price_dollars: '0.5200', delta_fp: '-4.00', side: 'yes', ts_ms: AT },
};
export const TRADE = {
  type: 'trade',
  sid: 8,
  msg: {
    trade_id: 't1',
    ...m,
    yes_price_dollars: '0.5200',
    no_price_dollars: '0.4800',
    count_fp: '4.00',
    taker_outcome_side: 'no',
    taker_book_side: 'ask',
    is_block_trade: false,
    ts_ms: AT,
  },
};
export const TICKER = {
  type: 'ticker',
  sid: 9,
  msg: {
    ...m,
    price_dollars: '0.5200',
    yes_bid_dollars: '0.5200',
    yes_ask_dollars: '0.5300',
    yes_bid_size_fp: '6.00',
    yes_ask_size_fp: '40.50',
    volume_fp: '4.00',
    open_interest_fp: '4.00',
    ts_ms: AT,
  },
};
export const DETERMINED = {
  type: 'market_lifecycle_v2',
  sid: 10,
  msg: { ...m, event_type: 'determined', result: 'yes', settlement_value: '1.0000', determination_ts: 1_700_000_000 },
};
