/** Ids and the documented example frames of the market channel (values are synthetic). */
export const MARKET = `0x${'ab'.repeat(32)}`;
export const YES = '47611377983922317250784812980376557454107008393253041408495181648663352997953';
export const NO = '61116252166340166638556508508422695381755023581062707779965880428856132284483';
export const AT = '1700000000000';

const common = { market: MARKET, timestamp: AT };

export const BOOK = {
  event_type: 'book',
  ...common,
  asset_id: YES,
  bids: [{ price: '0.51', size: '50' }],
  asks: [{ price: '0.53', size: '40.5' }],
  hash: 'cf0c92f7a2b60243e2395be67ce1fc2a9e167b64',
  tick_size: '0.01',
  last_trade_price: '0.52',
};
export const PRICE_CHANGE = {
  event_type: 'price_change',
  ...common,
  price_changes: [
    { asset_id: YES, price: '0.52', size: '10', side: 'BUY', hash: '1f', best_bid: '0.52', best_ask: '0.53' },
  ],
};
export const TRADE = {
  event_type: 'last_trade_price',
  ...common,
  asset_id: YES,
  price: '0.53',
  side: 'BUY',
  size: '4',
  fee_rate_bps: '0',
};
export const TICK_CHANGE = {
  event_type: 'tick_size_change',
  ...common,
  asset_id: YES,
  old_tick_size: '0.01',
  new_tick_size: '0.001',
};
export const TOUCH = {
  event_type: 'best_bid_ask',
  ...common,
  asset_id: YES,
  best_bid: '0.52',
  best_ask: '0.53',
  spread: '0.01',
};
export const NEW_MARKET = {
  event_type: 'new_market',
  ...common,
  id: '7',
  question: 'Rain?',
  slug: 'rain',
  assets_ids: [YES, NO],
  outcomes: ['Yes', 'No'],
  condition_id: MARKET,
  order_price_min_tick_size: '0.01',
};
export const RESOLVED = {
  event_type: 'market_resolved',
  ...common,
  id: '7',
  assets_ids: [YES, NO],
  winning_asset_id: YES,
  winning_outcome: 'Yes',
};
