import { Wallet } from 'ethers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { epochMs, marketId, microShares, type PlaceOrder, priceBps, unchecked } from '../../../../src/domain/index.ts';
import {
  type Hex,
  type OrderMessage,
  type SignedMessage,
  type SignedMessages,
  type Signer,
  signedMessages,
  toHex,
} from '../../../../src/signing/index.ts';
import { saltSecret } from '../../../../src/venues/base/index.ts';
import { OrderSigner } from '../../../../src/venues/service/orders/order-signer.ts';
import { DOMAINS, openSigner } from '../../../signing/harness.ts';

const SECRET = `0x${'7a'.repeat(32)}`;
const MARKET = marketId('0b5cbe4e-7e8d-4f5e-9c1f-0a4bd9c9a001');
const OTHER: Hex = `0x${'ab'.repeat(20)}`;
const TIME = { timestampMs: 1_767_225_600_123, epoch: 3, maxFeeBps: 200 };
let signer: Signer;
let messages: SignedMessages;

beforeAll(async () => {
  signer = await openSigner('native');
  messages = signedMessages(signer, DOMAINS);
});

function command(changes: Partial<PlaceOrder> = {}): PlaceOrder {
  return {
    type: 'place',
    order: unchecked.order(17),
    bot: unchecked.instance(2),
    market: unchecked.market(4),
    outcome: 'NO',
    side: 'SELL',
    price: priceBps(4_790),
    shares: microShares(12_340_000),
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
    ...changes,
  };
}

function createOrderSigner(maker?: Hex, secret = new Uint8Array(32).fill(9)): OrderSigner {
  const key = signer.key(SECRET);
  return new OrderSigner({
    signer,
    orders: messages.order,
    key,
    maker: maker ?? key.address,
    saltSecret: secret,
    maxFeeBps: 500,
  });
}

describe('a signed order', () => {
  it('does not contain the tag of its quote', () => {
    const plain = createOrderSigner().sign(command(), MARKET, TIME);
    const tagged = createOrderSigner().sign(command({ tag: 'inner level' }), MARKET, TIME);
    expect(Object.keys(JSON.parse(tagged.wire))).toEqual(Object.keys(JSON.parse(plain.wire)));
    expect(tagged.wire).not.toContain('inner level');
  });

  it('contains the terms of the command, and its signature is valid at the venue', () => {
    const record = createOrderSigner().sign(command(), MARKET, TIME);
    const { address } = signer.key(SECRET);
    const { signature, ...wire } = JSON.parse(record.wire);
    const verified = messages.order.verify(wire, signature);
    expect(verified).toMatchObject({ ok: true, hash: record.hash });
    expect(wire).toEqual({
      salt: expect.stringMatching(/^\d{60,78}$/),
      maker: address,
      signer: address,
      marketId: MARKET,
      outcome: 'NO',
      side: 'SELL',
      priceBps: 4_790,
      shares: '12340000',
      timeInForce: 'GTC',
      postOnly: true,
      expiration: '0',
      timestampMs: '1767225600123',
      epoch: '3',
      maxFeeBps: 200,
      replaces: `0x${'0'.repeat(64)}`,
    });
    expect(record).toMatchObject({ order: 17, market: 4, marketId: MARKET, timestampMs: TIME.timestampMs, epoch: 3 });
  });

  it('has the bytes that ethers signs', async () => {
    const record = createOrderSigner().sign(command(), MARKET, TIME);
    const read = messages.order.read(JSON.parse(record.wire));
    if (!read.ok) throw new Error(read.message);
    const { domain, types, message } = messages.order.typedData(read.message);
    const { EIP712Domain: _, ...rest } = types;
    const fields = Object.fromEntries(Object.entries(rest).map(([name, list]) => [name, [...list]]));
    const signature = await new Wallet(SECRET).signTypedData(domain, fields, message);
    expect(JSON.parse(record.wire).signature).toBe(signature);
  });

  it('is the same for the same command and time, and differs for another command, time or secret', () => {
    const first = createOrderSigner().sign(command(), MARKET, TIME);
    expect(createOrderSigner().sign(command(), MARKET, TIME)).toEqual(first);
    const others = [
      createOrderSigner().sign(command({ order: unchecked.order(18) }), MARKET, TIME),
      createOrderSigner().sign(command(), MARKET, { ...TIME, timestampMs: TIME.timestampMs + 1 }),
      createOrderSigner(undefined, new Uint8Array(32).fill(8)).sign(command(), MARKET, TIME),
    ];
    expect(new Set([first, ...others].map(({ hash }) => hash)).size).toBe(4);
    const salts = [first, ...others].map(({ wire }) => JSON.parse(wire).salt);
    expect(new Set(salts).size).toBe(3);
  });

  it('does not depend on salts that were drawn in advance', () => {
    const signer = createOrderSigner();
    const numbers = [1, 2, 3, 5, 4, 40, 41, 42, 6];
    for (const number of numbers) {
      const options = command({ order: unchecked.order(number) });
      expect(signer.sign(options, MARKET, TIME)).toEqual(createOrderSigner().sign(options, MARKET, TIME));
      for (let rest = 0; rest < 20; rest += 1) signer.precomputeSalts(unchecked.order(number + 2 * rest));
      signer.precomputeSalts(unchecked.order(number));
    }
  });

  it('names account and delegate when they differ', () => {
    const maker: Hex = `0x${'ab'.repeat(20)}`;
    const record = createOrderSigner(maker).sign(command(), MARKET, TIME);
    expect(JSON.parse(record.wire)).toMatchObject({ maker, signer: signer.key(SECRET).address });
  });

  it('contains its expiration', () => {
    const expiration = epochMs(1_767_225_700_000);
    const record = createOrderSigner().sign(command({ timeInForce: 'GTD', expiration }), MARKET, TIME);
    expect(JSON.parse(record.wire)).toMatchObject({ timeInForce: 'GTD', expiration: '1767225700000' });
  });
});

describe('the signer', () => {
  it.each([
    ['shares', { shares: -1 }],
    ['priceBps', { price: 70_000 }],
    ['expiration', { expiration: 1.5 }],
  ])('refuses to sign an invalid %s', (field, changes) => {
    const invalid = command({ ...changes } as unknown as Partial<PlaceOrder>);
    expect(() => createOrderSigner().sign(invalid, MARKET, TIME)).toThrow(new RegExp(`Order\\.${field}.*not signed`));
  });

  const FIELDS: readonly Partial<OrderMessage>[] = [
    ...[
      { salt: 7 },
      { maker: OTHER },
      { marketId: '0b5cbe4e-7e8d-4f5e-9c1f-0a4bd9c9a002' },
      { outcome: 'YES' } as const,
    ],
    ...[{ side: 'BUY' } as const, { priceBps: 9_999 }, { shares: 12_340_001 }, { timeInForce: 'FAK' } as const],
    ...[{ postOnly: false }, { expiration: 1 }, { timestampMs: 1_767_225_600_124 }, { epoch: 4 }, { maxFeeBps: 201 }],
    { replaces: `0x${'00'.repeat(31)}01` },
  ];

  it.each(FIELDS)('refuses to sign when the hashed terms differ from the command: %o', (changes) => {
    const { order } = messages;
    const changing: SignedMessage<OrderMessage> = {
      ...order,
      sign: (message, key, meant) => order.sign({ ...message, ...changes }, key, meant),
    };
    const key = signer.key(SECRET);
    const changingSigner = new OrderSigner({
      signer,
      orders: changing,
      key,
      maker: key.address,
      saltSecret: new Uint8Array(32),
      maxFeeBps: 500,
    });
    const [field] = Object.keys(changes);
    expect(() => changingSigner.sign(command(), MARKET, TIME)).toThrow(
      new RegExp(`^Order\\.${field} would be signed as 0x[0-9a-f]{64} instead of 0x[0-9a-f]{64}: nothing was signed$`),
    );
  });

  it('signs orders whose terms the venue reads as those of the command', () => {
    const orders = fc.record({
      outcome: fc.constantFrom('YES', 'NO'),
      side: fc.constantFrom('BUY', 'SELL'),
      price: fc.integer({ min: 1, max: 9_999 }).map(priceBps),
      shares: fc.integer({ min: 1, max: 1_000_000_000 }).map((lots) => microShares(10_000 * lots)),
      timeInForce: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
      postOnly: fc.boolean(),
      expiration: fc.integer({ min: 0, max: 4_000_000_000_000 }).map(epochMs),
    });
    const orderSigner = createOrderSigner();
    fc.assert(
      fc.property(orders, fc.integer({ min: 0, max: 1_000_000 }), (changes, epoch) => {
        const { wire, hash } = orderSigner.sign(command(changes), MARKET, { ...TIME, epoch });
        const { signature, ...order } = JSON.parse(wire);
        expect(messages.order.verify(order, signature)).toMatchObject({ ok: true, hash });
        expect(order).toMatchObject({ outcome: changes.outcome, side: changes.side, priceBps: changes.price });
        expect(order).toMatchObject({
          shares: `${changes.shares}`,
          timeInForce: changes.timeInForce,
          epoch: `${epoch}`,
        });
      }),
      { numRuns: 200 },
    );
  });

  it.each([501, 1_001, 10_000, 65_535, -1, Number.NaN])(
    'refuses a maximum fee of %d when at most 500 is allowed',
    (fee) => {
      const sign = (): unknown => createOrderSigner().sign(command(), MARKET, { ...TIME, maxFeeBps: fee });
      expect(sign).toThrow(
        expect.objectContaining({ code: 'SIGNING', message: expect.stringContaining('not signed') }),
      );
    },
  );

  it('requires a secret of 32 bytes', () => {
    expect(() => createOrderSigner(undefined, new Uint8Array(31))).toThrow('32 secret bytes');
  });
});

describe('the secret of salts', () => {
  it('is always the same for a key and differs for another key', () => {
    const key = signer.key(SECRET);
    const secret = saltSecret(signer, key);
    expect(secret).toHaveLength(32);
    expect(toHex(saltSecret(signer, key))).toBe(toHex(secret));
    expect(toHex(saltSecret(signer, signer.key(`0x${'7b'.repeat(32)}`)))).not.toBe(toHex(secret));
  });
});
