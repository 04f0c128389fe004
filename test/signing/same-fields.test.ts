/** Fields that stay the same from message to message are neither read nor written again: the result must not differ. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  NO_HASH,
  type OrderMessage,
  type SignedMessages,
  type Signer,
  signedMessages,
  toHex,
} from '../../src/signing/index.ts';
import { hashTypedData } from './eip712.ts';
import { DOMAINS, openSigner } from './harness.ts';

let signer: Signer;
let messages: SignedMessages;
let reference: (message: OrderMessage) => string;

beforeAll(async () => {
  signer = await openSigner('native');
  messages = signedMessages(signer, DOMAINS);
  reference = (message) => toHex(hashTypedData(signer.keccak256, messages.order.typedData(message)));
});

const few = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const message: fc.Arbitrary<OrderMessage> = fc.record({
  salt: few<number | bigint>(0, 7, 1n << 200n, (1n << 256n) - 1n),
  maker: few<OrderMessage['maker']>(`0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`, `0x${'01'.repeat(20)}`),
  signer: few<OrderMessage['maker']>(`0x${'ab'.repeat(20)}`, `0x${'02'.repeat(20)}`),
  marketId: few('0b5cbe4e-7e8d-4f5e-9c1f-0a4bd9c9a001', '0b5cbe4e-7e8d-4f5e-9c1f-0a4bd9c9a002'),
  outcome: few('YES', 'NO'),
  side: few('BUY', 'SELL'),
  priceBps: few(1, 5_000),
  shares: few<number | bigint>(1_000_000, 1_000_000n, 2),
  timeInForce: few('GTC', 'FOK'),
  postOnly: fc.boolean(),
  expiration: few(0, 1_767_225_600_123),
  timestampMs: few(1_767_225_600_123, 1_767_225_600_124),
  epoch: few(0, 3),
  maxFeeBps: few(0, 200),
  replaces: few<OrderMessage['replaces']>(NO_HASH, `0x${'0c'.repeat(32)}`),
});

describe('a sequence of messages', () => {
  it('has the digests and fields of each message alone', () => {
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

  it('is not affected by a message that was refused half-way', () => {
    const good: OrderMessage = fc.sample(message, { numRuns: 1, seed: 1 })[0] ?? expect.unreachable();
    const digest = reference(good);
    for (const [name, wrong] of [
      ['shares', -1],
      ['maker', '0x12'],
      ['replaces', '0x'],
      ['priceBps', 70_000],
    ] as const) {
      const other = { ...good, salt: 99, outcome: 'NO', [name]: wrong } as OrderMessage;
      expect(() => messages.order.digest(other)).toThrow(`Order.${name}`);
      expect(toHex(messages.order.digest(good))).toBe(digest);
      expect(messages.order.read({ ...messages.order.wire(good), [name]: wrong }).ok).toBe(false);
      expect(messages.order.read(messages.order.wire(good))).toEqual(readAlone(messages.order.wire(good)));
    }
  });
});

/** As a reader reads it who has read nothing before. */
function readAlone(wire: unknown): unknown {
  return signedMessages(signer, DOMAINS).order.read(wire);
}
