import { beforeAll, describe, expect, it } from 'vitest';
import { InputFault } from '../../src/domain/index.ts';
import { polymarketOrders, polymarketSignIns, type Signer } from '../../src/signing/index.ts';
import type { PolymarketOrderMessage } from '../../src/signing/polymarket.ts';
import { ADDRESS, KEY, ORDERS, WALLET } from '../protocol/polymarket/vectors.ts';
import { BACKENDS, openSigner } from './harness.ts';

describe.each(BACKENDS)('orders for Polymarket, signed by the %s curve', (backend) => {
  let signer: Signer;
  beforeAll(async () => {
    signer = await openSigner(backend);
  });

  it.each(ORDERS)('$name has the id and signature of the official client', (vector) => {
    const orders = polymarketOrders(signer, vector.domain);
    const { id, signature } = orders.sign(vector.order, signer.key(KEY));
    expect({ id, signature }).toEqual({ id: vector.id, signature: vector.signature });
  });

  it.each(ORDERS)('$name is verified and recovers the address of the key', ({ domain, order, id, signature }) => {
    expect(polymarketOrders(signer, domain).verify(order, signature)).toEqual({ ok: true, id, address: ADDRESS });
  });
});

describe('an order for Polymarket that differs from the signed order', () => {
  let signer: Signer;
  beforeAll(async () => {
    signer = await openSigner('native');
  });
  const [plain, , , wallet] = ORDERS;
  if (plain === undefined || wallet === undefined) throw new Error('the vectors are missing');

  it.each<[string, Partial<PolymarketOrderMessage>]>([
    ['a larger amount', { makerAmount: 5_200_001 }],
    ['another side', { side: 'SELL' }],
    ['another token', { tokenId: 7 }],
    ['another salt', { salt: 1 }],
  ])('is refused with %s for both kinds of signature', (_, change) => {
    for (const { domain, order, signature } of [plain, wallet]) {
      expect(polymarketOrders(signer, domain).verify({ ...order, ...change }, signature)).toMatchObject({ ok: false });
    }
  });

  it('is refused in another domain', () => {
    for (const { domain, order, signature } of [plain, wallet]) {
      const other = polymarketOrders(signer, { ...domain, chainId: 80_002 });
      expect(other.verify(order, signature)).toMatchObject({ ok: false });
    }
  });

  it("is refused when the envelope of a wallet's signature is too short or too long", () => {
    const orders = polymarketOrders(signer, wallet.domain);
    for (const signature of [
      wallet.signature.slice(0, -2),
      `${wallet.signature}00`,
      wallet.signature.slice(0, 132),
      '0x',
    ])
      expect(orders.verify(wallet.order, signature)).toMatchObject({ ok: false });
  });

  it('cannot be signed by a key that is not its signer', () => {
    const orders = polymarketOrders(signer, plain.domain);
    expect(() => orders.sign({ ...plain.order, signer: WALLET }, signer.key(KEY))).toThrow(InputFault);
  });
});

describe('a sign-in to Polymarket', () => {
  it('has the signatures of the official client', async () => {
    const signer = await openSigner('native');
    const key = signer.key(KEY);
    const message = { address: ADDRESS, timestamp: '1700000000', nonce: 0 } as const;
    const signIns = polymarketSignIns(signer, 137);
    const signature = signIns.sign(message, key);
    expect(signature).toBe(
      '0x659ed4b28ae28e0f038fdf0023c00863c9559caacb9ebc83f44eea87059a099a36f1e1dee110e7faa1c4f65d17489b2da1333ebef78bbe2116d81207b975052d1c',
    );
    expect(polymarketSignIns(signer, 80_002).sign({ address: ADDRESS, timestamp: '10000000', nonce: 23 }, key)).toBe(
      '0xf62319a987514da40e57e2f4d7529f7bac38f0355bd88bb5adbb3768d80de6c1682518e0af677d5260366425f4361e7b70c25ae232aff0ab2331e2b164a1aedc1b',
    );
    expect(signIns.isSigned(message, signature)).toBe(true);
    for (const change of [{ nonce: 1 }, { timestamp: '1700000001' }, { address: WALLET }])
      expect(signIns.isSigned({ ...message, ...change }, signature)).toBe(false);
    expect(signIns.isSigned(message, '0x00')).toBe(false);
  });
});
