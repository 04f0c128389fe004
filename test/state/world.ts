import {
  epochMs,
  type MarketNo,
  type MarketState,
  type MicroShares,
  marketId,
  microShares,
  microUsd,
  type OrderFilled,
  type OrderNo,
  type Outcome,
  type PlaceOrder,
  type PriceGrid,
  priceBps,
  type Side,
  type TimeInForce,
  unchecked,
} from '../../src/domain/index.ts';
import { AccountState, type MarketSetup } from '../../src/state/index.ts';
import { eachMessage, messages } from './messages.ts';

export const BOT = unchecked.instance(0);
const TICK_10: PriceGrid = { type: 'tick', tickBps: 10 };

export function shares(count: number): MicroShares {
  return microShares(count * 1_000_000);
}

/** Dollars in micro-USD. */
export function usd(dollars: number): ReturnType<typeof microUsd> {
  return microUsd(Math.round(dollars * 1_000_000));
}

export function setup(
  number = 0,
  options: { readonly feeRateBps?: number; readonly state?: MarketState; readonly marks?: 'book' | 'trades' } = {},
): MarketSetup {
  const { feeRateBps = 0, ...rest } = options;
  return {
    info: {
      market: unchecked.market(number),
      id: marketId(`00000000-0000-4000-8000-00000000000${number}`),
      slug: `market-${number}`,
      question: `Will market ${number} say yes?`,
      grid: TICK_10,
      scheduledResolution: undefined,
    },
    limits: {
      minOrderShares: shares(1),
      minBet: usd(0.1),
      maxBet: usd(100_000),
      maxExposure: usd(1_000_000),
      feeRateBps,
      spreadBps: 2_000,
    },
    ...rest,
  };
}

/** An account of $1,000 on one or more markets. */
export function account(markets: readonly MarketSetup[] = [setup()]): AccountState {
  return new AccountState({ cash: usd(1_000), markets });
}

/** Folds messages (see `messages.ts`). */
export function applyMessages(state: AccountState, text: string): void {
  eachMessage(messages(text), (row) => state.applyMessage(row));
}

export interface PlaceTerms {
  readonly order: number;
  readonly outcome?: Outcome;
  readonly side?: Side;
  readonly price?: number;
  readonly size?: number;
  readonly timeInForce?: TimeInForce;
  readonly postOnly?: boolean;
  readonly market?: number;
  readonly bot?: number;
}

export function place(terms: PlaceTerms): PlaceOrder {
  const { order, outcome = 'YES', side = 'BUY', price = 5_000, size = 10, timeInForce = 'GTC' } = terms;
  return {
    type: 'place',
    order: unchecked.order(order),
    bot: unchecked.instance(terms.bot ?? 0),
    market: unchecked.market(terms.market ?? 0),
    outcome,
    side,
    price: priceBps(price),
    shares: shares(size),
    timeInForce,
    postOnly: terms.postOnly ?? true,
    expiration: 0,
  };
}

/** Returns the common fields of an event of an order. */
export function about(
  order: number,
  time = 2_000,
  market = 0,
): { readonly order: OrderNo; readonly market: MarketNo } & Pick<OrderFilled, 'time' | 'venueTime'> {
  return {
    order: unchecked.order(order),
    market: unchecked.market(market),
    time: epochMs(time),
    venueTime: epochMs(time),
  };
}

export function filled({
  order,
  outcome = 'YES',
  side = 'BUY',
  price = 5_000,
  size = 10,
  left = Math.max(0, 10 - size),
  market,
}: PlaceTerms & { readonly left?: number }): OrderFilled {
  return {
    type: 'orderFilled',
    ...about(order, 2_000, market),
    outcome,
    side,
    price: priceBps(price),
    shares: shares(size),
    remaining: shares(left),
    fee: usd(0),
    liquidity: 'maker',
    basis: 'queue',
    inside: false,
  };
}
