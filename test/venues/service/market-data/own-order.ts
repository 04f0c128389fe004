/** Signed records and venue orders for tests of the book. */
import { unchecked } from '../../../../src/domain/index.ts';
import type { SignedRecord } from '../../../../src/runtime/index.ts';
import { VenueOrder } from '../../../../src/venues/base/venue-orders.ts';

/** Prices in YES terms. */
export interface OwnOrderTerms {
  readonly side: 'bid' | 'ask';
  readonly price: number;
  readonly shares: number;
  readonly hash?: string;
  /** Number of the order; default: the next one. */
  readonly number?: number;
}

let numbers = 0;

export function ownRecord({ side, price, shares, hash, number = nextNumber() }: OwnOrderTerms): SignedRecord {
  const [order, market] = [unchecked.order(number), unchecked.market(0)];
  const terms = { outcome: 'YES', timeInForce: 'GTC', postOnly: true, expiration: 0 } as const;
  const command = {
    type: 'place',
    order,
    bot: unchecked.instance(0),
    market,
    ...terms,
    side: side === 'bid' ? 'BUY' : 'SELL',
    price: unchecked.price(price),
    shares: unchecked.shares(shares),
  } as const;
  const id = hash ?? `0x${String(number).padStart(64, '0')}`;
  return { order, market, marketId: 'm', hash: id, timestampMs: 1, epoch: 0, wire: '{}', command };
}

function nextNumber(): number {
  numbers += 1;
  return numbers;
}

export function ownOrder(terms: OwnOrderTerms): VenueOrder {
  return new VenueOrder(ownRecord(terms));
}
