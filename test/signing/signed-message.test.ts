import { TypedDataEncoder, Wallet } from 'ethers';
import fc from 'fast-check';
import { recoverTypedDataAddress, hashTypedData as viemHash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OrderMessage, type SignedMessages, type Signer, signedMessages, toHex } from '../../src/signing/index.ts';
import { hashTypedData } from './eip712.ts';
import {
  BACKENDS,
  DOMAINS,
  etherTypes,
  messageOf,
  openMessages,
  openSigner,
  orders,
  secrets,
  vectors,
  verifyOrder,
} from './harness.ts';

let signer: Signer;
let messages: SignedMessages;
beforeAll(async () => {
  const openedMessages = await openMessages();
  ({ signer } = openedMessages);
  messages = openedMessages;
});

function firstOrder(): OrderMessage {
  const read = messages.order.read(vectors.eip712[0]?.wire);
  if (!read.ok) throw new Error(read.message);
  return read.message;
}

describe.each(BACKENDS)('the test vectors of the specification with the %s backend', (backend) => {
  let signer: Signer;
  let messages: SignedMessages;
  beforeAll(async () => {
    signer = await openSigner(backend);
    messages = signedMessages(signer, DOMAINS);
  });

  it('are two orders, a login, a withdrawal and a delegate', () => {
    expect(vectors.eip712.map(({ typedData }) => typedData.primaryType).toSorted()).toEqual(
      ['Delegate', 'Login', 'Order', 'Order', 'Withdrawal'].toSorted(),
    );
  });

  for (const vector of vectors.eip712) {
    describe(vector.name, () => {
      it('has the expected digest and typed data', () => {
        const { digest, typedData } = vector;
        expect(messageOf(messages, vector)).toEqual({ digest, typedData });
      });

      it('has the expected digest with the general hasher', () => {
        expect(toHex(hashTypedData(signer.keccak256, vector.typedData))).toBe(vector.digest);
      });

      it('has the expected signature and signer', () => {
        const secret = vectors.keys.find(({ address }) => address === vector.signer)?.privateKey ?? '';
        const digest = hashTypedData(signer.keccak256, vector.typedData);
        expect(signer.sign(digest, signer.key(secret))).toBe(vector.signature);
        expect(signer.recover(digest, vector.signature)).toEqual({ ok: true, address: vector.signer });
      });
    });
  }

  it('are read and written as orders of the API', () => {
    const apiOrders = vectors.eip712.filter(({ wire }) => wire !== undefined);
    expect(apiOrders).toHaveLength(2);
    for (const { wire, digest } of apiOrders) {
      const verified = verifyOrder(messages.order, wire);
      expect(verified).toMatchObject({ ok: true, hash: digest });
      if (!verified.ok) continue;
      const { signature: _, ...unsigned } = wire ?? { signature: '' };
      expect(messages.order.wire(verified.message)).toEqual(unsigned);
    }
  });

  it.each(vectors.refusedSignatures.cases)('refuse the signature when $why', ({ signature }) => {
    const { wire } = vectors.eip712.find(({ name }) => name === vectors.refusedSignatures.of) ?? {};
    expect(verifyOrder(messages.order, { ...wire, signature })).toMatchObject({ ok: false });
  });
});

describe('any order', () => {
  it('has the same digest with the fast hasher, the general hasher, viem and ethers', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const data = messages.order.typedData(order);
        const digest = toHex(messages.order.digest(order));
        expect(toHex(hashTypedData(signer.keccak256, data))).toBe(digest);
        expect(viemHash({ ...data, domain: DOMAINS.exchange })).toBe(digest);
        expect(TypedDataEncoder.hash(DOMAINS.exchange, etherTypes(data), data.message)).toBe(digest);
      }),
    );
  });

  it('has a digest that does not depend on the order hashed before', () => {
    fc.assert(
      fc.property(orders, orders, (first, second) => {
        const expected = toHex(signedMessages(signer, DOMAINS).order.digest(first));
        messages.order.digest(second);
        expect(toHex(messages.order.digest(first))).toBe(expected);
      }),
    );
  });

  it('is read back unchanged from API fields and from typed data', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const digest = toHex(messages.order.digest(order));
        for (const back of [
          messages.order.read(JSON.parse(JSON.stringify(messages.order.wire(order)))),
          messages.order.compare(JSON.parse(JSON.stringify(messages.order.typedData(order))), order),
        ]) {
          expect(back.ok && toHex(messages.order.digest(back.message))).toBe(digest);
        }
      }),
    );
  });

  it('is verified with its signature, which is refused for any other order', () => {
    fc.assert(
      fc.property(orders, orders, secrets, (order, other, secret) => {
        const key = signer.key(secret);
        const ownOrder = { ...order, signer: key.address };
        const { hash, signature } = messages.order.sign(ownOrder, key);
        expect(hash).toBe(toHex(messages.order.digest(ownOrder)));
        const wire = messages.order.wire(ownOrder);
        expect(verifyOrder(messages.order, { ...wire, signature })).toMatchObject({ ok: true, hash });
        const forged = { ...messages.order.wire({ ...other, signer: key.address }), signature };
        expect(verifyOrder(messages.order, forged)).toMatchObject({ ok: false, code: 'OTHER_SIGNER' });
      }),
    );
  });

  it('is not verified when one field has changed', () => {
    const key = signer.key(vectors.keys[0]?.privateKey ?? '');
    const order = firstOrder();
    const { signature } = messages.order.sign(order, key);
    const changes: Partial<OrderMessage>[] = [
      { salt: 1 },
      { maker: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
      { marketId: '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6c' },
      { outcome: 'NO' },
      { side: 'SELL' },
      { priceBps: 5251 },
      { shares: 100_010_000 },
      { timeInForce: 'FAK' },
      { postOnly: true },
      { expiration: 1 },
      { timestampMs: 1_795_176_000_001 },
      { epoch: 1 },
      { maxFeeBps: 1 },
      { replaces: `0x${'00'.repeat(31)}01` },
    ];
    for (const change of changes) {
      const wire = { ...messages.order.wire({ ...order, ...change }), signature };
      expect(verifyOrder(messages.order, wire)).toMatchObject({ code: 'OTHER_SIGNER', expected: key.address });
    }
    expect(changes).toHaveLength(Object.keys(order).length - 1);
  });
});

describe('viem and ethers', () => {
  const secret = vectors.keys[1]?.privateKey ?? '0x';

  it('return the same signatures as our signer', async () => {
    const account = privateKeyToAccount(secret);
    const wallet = new Wallet(secret);
    const key = signer.key(secret);
    for (const order of fc.sample(orders, { numRuns: 20, seed: 7 })) {
      const ownOrder: OrderMessage = { ...order, signer: key.address };
      const data = messages.order.typedData(ownOrder);
      const { signature } = messages.order.sign(ownOrder, key);
      expect(await account.signTypedData({ ...data, domain: DOMAINS.exchange })).toBe(signature);
      expect(await wallet.signTypedData(DOMAINS.exchange, etherTypes(data), data.message)).toBe(signature);
      expect(await recoverTypedDataAddress({ ...data, domain: DOMAINS.exchange, signature })).toBe(
        signer.toChecksum(key.address),
      );
      expect(verifyOrder(messages.order, { ...messages.order.wire(ownOrder), signature })).toMatchObject({ ok: true });
    }
  });
});

describe('a message that is checked', () => {
  const wire = () => ({ ...vectors.eip712[0]?.wire });

  it.each([
    ['salt', '-1'],
    ['salt', `1${'0'.repeat(78)}`],
    ['salt', '0x10'],
    ['salt', '007'],
    ['maker', '0x00'],
    ['maker', 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    ['signer', `0x${'g'.repeat(40)}`],
    ['marketId', '3f2b8c1e5a7d4e908b6f1c2d3e4f5a6b'],
    ['marketId', 7],
    ['outcome', 'CANCELLED'],
    ['outcome', 0],
    ['side', 'buy'],
    ['priceBps', 65_536],
    ['priceBps', -1],
    ['priceBps', 52.5],
    ['priceBps', null],
    ['shares', String(2n ** 64n)],
    ['timeInForce', undefined],
    ['postOnly', 'false'],
    ['expiration', ''],
    ['timestampMs', '1795176000000.5'],
    ['epoch', ' 1'],
    ['maxFeeBps', '70000'],
    ['replaces', '0x'],
  ])('is refused when its field %s is %j', (field, value) => {
    const refused = verifyOrder(messages.order, { ...wire(), [field]: value });
    expect(refused).toMatchObject({ ok: false, code: 'FIELD', field });
    expect(refused).toHaveProperty('message', expect.stringMatching(new RegExp(`^${field}: expected .+`)));
  });

  it.each([[null], [undefined], ['order'], [[]]])('is refused when it is %j', (order) => {
    expect(verifyOrder(messages.order, order)).toMatchObject({
      code: 'FIELD',
      field: '',
      message: 'expected an object',
    });
  });

  it('is refused without a signature', () => {
    expect(verifyOrder(messages.order, { ...wire(), signature: undefined })).toMatchObject({ code: 'NOT_HEX' });
  });

  it('can have upper-case hex and UUIDs, which are converted to lower case', () => {
    const { maker, marketId, signature } = wire();
    const upper = {
      ...wire(),
      maker: `0x${String(maker).slice(2).toUpperCase()}`,
      marketId: String(marketId).toUpperCase(),
      signature: `0x${String(signature).slice(2).toUpperCase()}`,
    };
    expect(verifyOrder(messages.order, upper)).toMatchObject({ ok: true, message: { maker, marketId } });
  });

  it('cannot be signed when a field is out of range', () => {
    const key = signer.key(vectors.keys[0]?.privateKey ?? '');
    for (const [change, field] of [
      [{ priceBps: 65_536 }, 'priceBps'],
      [{ shares: -1 }, 'shares'],
      [{ shares: 2n ** 64n }, 'shares'],
      [{ shares: 0.5 }, 'shares'],
      [{ timestampMs: 2 ** 60 }, 'timestampMs'],
      [{ salt: 2n ** 256n }, 'salt'],
      [{ marketId: 'abc' }, 'marketId'],
    ] as const) {
      const order = { ...firstOrder(), ...change };
      expect(() => messages.order.sign(order, key)).toThrow(`Order.${field}: expected `);
      expect(() => messages.order.typedData(order)).toThrow(`Order.${field}: expected `);
      expect(() => messages.order.wire(order)).toThrow(`Order.${field}: expected `);
    }
  });

  it('cannot be signed with a key other than its signer', () => {
    const other = signer.key(vectors.keys[1]?.privateKey ?? '');
    expect(() => messages.order.sign(firstOrder(), other)).toThrow(
      `Order.signer: expected the key's address, ${other.address}`,
    );
  });
});
