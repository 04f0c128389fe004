import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputFault, priceBps, sharesOfLots } from '../../../src/domain/index.ts';
import {
  areTakerDecimalsValid,
  computeBookHash,
  dollarsText,
  l2SecretBytes,
  l2Signature,
  type PolymarketOrderBody,
  polymarketAmounts,
  polymarketBuckets,
  polymarketOrderText,
  polymarketTerms,
  priceText,
  readL1Headers,
  readL2Headers,
  readPolymarketOrder,
  sharesText,
} from '../../../src/protocol/polymarket/index.ts';
import { POLYMARKET_TICKS } from './ticks.ts';
import { ADDRESS, ORDERS, YES, ZERO } from './vectors.ts';

const KEY_ID = '00000000-0000-4000-8000-000000000001';
const SECRET = 'aGFsZnNwcmVhZC10ZXN0LXNlY3JldC0wMDAwMDAwMDE=';
const CHECKSUMMED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const BODY: PolymarketOrderBody = {
  deferExec: false,
  postOnly: false,
  order: {
    salt: 479249096354n,
    maker: CHECKSUMMED,
    signer: CHECKSUMMED,
    tokenId: YES,
    makerAmount: 5_200_000n,
    takerAmount: 10_000_000n,
    side: 'BUY',
    signatureType: 0,
    timestamp: 1_700_000_000_000n,
    expiration: 0,
    metadata: ZERO,
    builder: ZERO,
    signature: `0x${ORDERS[0]?.signature.slice(2)}`,
  },
  owner: KEY_ID,
  orderType: 'GTC',
};

function sign(request: Omit<Parameters<typeof l2Signature>[0], 'timestamp'>): string {
  const hmac = (text: string): string => createHmac('sha256', l2SecretBytes(SECRET)).update(text).digest('base64');
  return l2Signature({ timestamp: '1700000000', ...request }, hmac);
}

describe('the body of an order', () => {
  it('has the bytes that the official client sends', () => {
    const text = polymarketOrderText(BODY);
    expect(text).toHaveLength(759);
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      'd9fedaa3337c4c9e0f924933ebc87288342e5024bcdb8275eddb30dd672ffd30',
    );
  });

  it('is read as it was written', () => {
    expect(readPolymarketOrder(JSON.parse(polymarketOrderText(BODY)))).toEqual(BODY);
  });

  it.each<[string, object]>([
    ['a negative amount', { makerAmount: '-1' }],
    ['a zero amount', { takerAmount: '0' }],
    ['an amount above 2^53', { makerAmount: '9007199254740992' }],
    ['a fraction', { takerAmount: '1.5' }],
    ['a short address', { maker: '0x12' }],
    ['an unknown side', { side: 'HOLD' }],
    ['an unknown type of signature', { signatureType: 4 }],
    ['a token of more than 256 bits', { tokenId: '9'.repeat(78) }],
    ['a signature without bytes', { signature: '0x' }],
    ['a signature of 100 KB', { signature: `0x${'00'.repeat(50_000)}` }],
  ])('is refused with %s', (_, change) => {
    const json = JSON.parse(polymarketOrderText(BODY));
    expect(() => readPolymarketOrder({ ...json, order: { ...json.order, ...change } })).toThrow(InputFault);
  });
});

describe('the signature of a request', () => {
  it('is that of the official client with and without a body', () => {
    expect(sign({ method: 'GET', path: '/data/orders' })).toBe('ZcgMViZocGm7TT0Lp-M9RbaiJBor9j2aFvbuHEGA4TY=');
    expect(sign({ method: 'POST', path: '/order', body: polymarketOrderText(BODY) })).toBe(
      'So6lpQcfZguC6WvoBiLZeBc2JWRnUtOF0_C07-Hrrhg=',
    );
    const body = JSON.stringify({ orderID: ORDERS[0]?.id });
    expect(sign({ method: 'DELETE', path: '/order', body })).toBe('5C4mJ_pBHi-Mn6zwYFjne-1itmqi6d6V960HSsFXaRs=');
  });

  it('is read from headers, and a missing header is named', () => {
    const common = { poly_address: CHECKSUMMED, poly_signature: 'x', poly_timestamp: '1700000000' };
    expect(readL1Headers(common)).toEqual({ address: ADDRESS, signature: 'x', timestamp: '1700000000', nonce: 0n });
    const l2 = { ...common, poly_api_key: KEY_ID, poly_passphrase: 'p' };
    expect(readL2Headers(l2)).toMatchObject({ address: ADDRESS, apiKey: KEY_ID, passphrase: 'p' });
    expect(() => readL2Headers(common)).toThrow(/apiKey/);
    expect(() => readL1Headers({ ...common, poly_nonce: '-1' })).toThrow(/nonce/);
  });
});

describe('amounts', () => {
  it('give the price and size that they were made from, at every tick', () => {
    const order = fc.record({
      tick: fc.constantFrom(...POLYMARKET_TICKS.keys()),
      at: fc.nat(),
      lots: fc.integer({ min: 1, max: 90_000_000_000 }),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
    });
    fc.assert(
      fc.property(order, ({ tick, at, lots, side }) => {
        const price = priceBps(tick * (1 + (at % (10_000 / tick - 1))));
        const shares = sharesOfLots(lots);
        const { makerAmount, takerAmount } = polymarketAmounts(side, shares, price);
        const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
        expect(polymarketTerms(side, amounts, tick)).toEqual({
          price,
          isExactPrice: true,
          signedShares: shares,
          shares,
        });
      }),
    );
  });

  it('of a market order are rounded to the tick on the side of the taker, and down to whole lots', () => {
    const buy = polymarketTerms('BUY', { makerAmount: 10_000_000n, takerAmount: 18_867_900n }, 100);
    expect(buy).toEqual({ price: 5_300, isExactPrice: false, signedShares: 18_867_900, shares: 18_860_000 });
    const sell = polymarketTerms('SELL', { makerAmount: 10_000_000n, takerAmount: 5_230_000n }, 50);
    expect(sell).toMatchObject({ price: 5_250, isExactPrice: false });
  });

  it('of a taking order have at most two and four decimals', () => {
    expect(areTakerDecimalsValid({ makerAmount: 10_000_000n, takerAmount: 18_867_900n })).toBe(true);
    expect(areTakerDecimalsValid({ makerAmount: 10_005_000n, takerAmount: 18_867_900n })).toBe(false);
    expect(areTakerDecimalsValid({ makerAmount: 10_000_000n, takerAmount: 18_867_950n })).toBe(false);
  });

  it('are written as decimals without trailing zeros', () => {
    expect([priceText(5_200), priceText(1), priceText(10_000), priceText(0)]).toEqual(['0.52', '0.0001', '1', '0']);
    expect([sharesText(40_500_000), sharesText(1), sharesText(0)]).toEqual(['40.5', '0.000001', '0']);
    expect(dollarsText(5_200_000)).toBe('5.2');
  });
});

describe('the rate limit of a signer', () => {
  it('allows a burst of 1.5 seconds of orders, and twice as many cancels', () => {
    expect(polymarketBuckets('Standard')).toEqual({
      order: { capacity: 60, perSecond: 40 },
      cancel: { capacity: 120, perSecond: 80 },
    });
  });
});

describe('the hash of a book', () => {
  it('is that of the official client', () => {
    const book = {
      market: `0x${'ab'.repeat(32)}`,
      asset_id: String(YES),
      timestamp: '1700000000000',
      hash: '',
      bids: [
        { price: '0.5', size: '100' },
        { price: '0.51', size: '50' },
      ],
      asks: [
        { price: '0.55', size: '100' },
        { price: '0.53', size: '40.5' },
      ],
      min_order_size: '5',
      tick_size: '0.01',
      neg_risk: false,
      last_trade_price: '0.52',
    };
    const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
    expect(computeBookHash(book, sha1)).toBe('cf0c92f7a2b60243e2395be67ce1fc2a9e167b64');
  });
});
