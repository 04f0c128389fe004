/** The hasher reuses unchanged fields of the previous message. This must not change any result. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_HASH, type OrderMessage, signedMessages, toHex } from '../../src/signing/index.ts';
import { hashTypedData } from './eip712.ts';
import { DOMAINS, openSigner } from './harness.ts';

const signer = await openSigner('native');
const messages = signedMessages(signer, DOMAINS);
const reference = (message: OrderMessage) => toHex(hashTypedData(signer.keccak256, messages.order.typedData(message)));

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const message: fc.Arbitrary<OrderMessage> = fc.record({
  salt: oneOf<number | bigint>(0, 7, 1n << 200n, (1n << 256n) - 1n),
  maker: oneOf<OrderMessage['maker']>(`0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`, `0x${'01'.repeat(20)}`),
  signer: oneOf<OrderMessage['maker']>(`0x${'ab'.repeat(20)}`, `0x${'02'.repeat(20)}`),
  marketId: oneOf('0b5cbe4e-7e8d-4f5e-9c1f-0a4bd9c9a001', '0b5cbe4e-7e8d-4f5e-9c1f-0a4bd9c9a002'),
  outcome: oneOf('YES', 'NO'),
  side: oneOf('BUY', 'SELL'),
  priceBps: oneOf(1, 5_000),
  shares: oneOf<number | bigint>(1_000_000, 1_000_000n, 2),
  timeInForce: oneOf('GTC', 'FOK'),
  postOnly: fc.boolean(),
  expiration: oneOf(0, 1_767_225_600_123),
  timestampMs: oneOf(1_767_225_600_123, 1_767_225_600_124),
  epoch: oneOf(0, 3),
  maxFeeBps: oneOf(0, 200),
  replaces: oneOf<OrderMessage['replaces']>(NO_HASH, `0x${'0c'.repeat(32)}`),
});

describe('a sequence of messages', () => {
  it('has the same digests and fields as each message alone', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (list) => {
        for (const each of list) {
          expect(toHex(messages.order.digest(each))).toBe(reference(each));
          const wire = messages.order.wire(each);
          expect(messages.order.read(wire)).toEqual(readAlone(wire));
        }
      }),
    );
  });

  it('is not affected by a message that was refused between others', () => {
    const valid: OrderMessage = fc.sample(message, { numRuns: 1, seed: 1 })[0] ?? expect.unreachable();
    const digest = reference(valid);
    for (const [name, invalid] of [
      ['shares', -1],
      ['maker', '0x12'],
      ['replaces', '0x'],
      ['priceBps', 70_000],
    ] as const) {
      const other = { ...valid, salt: 99, outcome: 'NO', [name]: invalid } as OrderMessage;
      expect(() => messages.order.digest(other)).toThrow(`Order.${name}`);
      expect(toHex(messages.order.digest(valid))).toBe(digest);
      expect(messages.order.read({ ...messages.order.wire(valid), [name]: invalid }).ok).toBe(false);
      expect(messages.order.read(messages.order.wire(valid))).toEqual(readAlone(messages.order.wire(valid)));
    }
  });
});

/** Reads a message with a new reader. */
function readAlone(wire: unknown): unknown {
  return signedMessages(signer, DOMAINS).order.read(wire);
}
