import { describe, expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import {
  badArgument,
  parseArgument,
  readOutcome,
  readSignedOrder,
  requireExactlyOne,
  unwrapRaw,
  wrapRaw,
} from '../../../src/protocol/index.ts';
import { SIGNED_ORDER } from '../signed-order.ts';

describe('parseArgument', () => {
  it('turns an InputFault of the domain into an invalid-argument error', () => {
    const parse = (): never => {
      throw new InputFault('depth', 0, 'an integer from 1');
    };
    expect(() => parseArgument(parse)).toThrow('invalid argument: depth: expected an integer from 1, got 0');
  });

  it('rethrows other errors unchanged', () => {
    const broken = new RangeError('Invariant: broken');
    const parse = (): never => {
      throw broken;
    };
    expect(() => parseArgument(parse)).toThrow(broken);
  });
});

describe('badArgument', () => {
  it('names the argument, the expected value and the received value', () => {
    expect(badArgument('first', 101, 'at most 100').message).toBe(
      'invalid argument: first: expected at most 100, got 101',
    );
  });
});

describe('readOutcome', () => {
  it('accepts YES and NO and refuses CANCELLED', () => {
    expect([readOutcome('outcome', 'YES'), readOutcome('outcome', 'NO')]).toEqual(['YES', 'NO']);
    expect(() => readOutcome('outcome', 'CANCELLED')).toThrow(
      'invalid argument: outcome: expected YES or NO, got "CANCELLED"',
    );
  });
});

describe('requireExactlyOne', () => {
  it('returns the name of the given argument and treats null as not given', () => {
    expect(requireExactlyOne({ id: 'x', slug: undefined })).toBe('id');
    expect(requireExactlyOne({ id: null, slug: '' })).toBe('slug');
    expect(requireExactlyOne({ amountCents: undefined, shares: 0 })).toBe('shares');
  });

  it('refuses no argument and several arguments', () => {
    expect(() => requireExactlyOne({ id: null, slug: undefined })).toThrow(
      'invalid argument: expected exactly one of id, slug, got none',
    );
    expect(() => requireExactlyOne({ id: 'x', slug: 'y' })).toThrow(
      'invalid argument: expected exactly one of id, slug, got id and slug',
    );
  });
});

describe('raw text', () => {
  it('contains the unchanged text', () => {
    expect(unwrapRaw(wrapRaw('anything'))).toBe('anything');
  });
});

describe('readSignedOrder', () => {
  it('reads every field as it was signed', () => {
    expect(readSignedOrder(SIGNED_ORDER)).toEqual({
      maker: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      signer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      marketId: '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b',
      outcome: 'YES',
      side: 'BUY',
      priceBps: 5250,
      shares: 100_000_000,
      timeInForce: 'GTC',
      postOnly: false,
      expiration: 0,
      timestampMs: 1_795_176_000_000,
      epoch: 0,
      maxFeeBps: 0,
      replaces: `0x${'00'.repeat(32)}`,
      signature: `0x${'5d'.repeat(65)}`,
    });
  });

  it('accepts values that can be signed even if the venue refuses them', () => {
    const odd = { ...SIGNED_ORDER, priceBps: 0, shares: wrapRaw<'UintString'>('7'), signature: wrapRaw<'Hex'>('0x') };
    expect(readSignedOrder(odd)).toMatchObject({ priceBps: 0, shares: 7, signature: '0x' });
  });

  it.each([
    [{ salt: wrapRaw<'UintString'>('01') }, 'invalid argument: salt: '],
    [{ maker: wrapRaw<'Hex'>('0x00') }, 'invalid argument: maker: '],
    [{ signer: wrapRaw<'Hex'>('0xzz') }, 'invalid argument: signer: '],
    [{ marketId: wrapRaw<'ID'>('7') }, 'invalid market ID: '],
    [{ outcome: 'CANCELLED' as const }, 'invalid argument: outcome: '],
    [{ priceBps: 65_536 }, 'invalid argument: priceBps: '],
    [{ priceBps: -1 }, 'invalid argument: priceBps: '],
    [{ shares: wrapRaw<'UintString'>('9007199254740992') }, 'invalid argument: shares: '],
    [{ expiration: wrapRaw<'UintString'>('-1') }, 'invalid argument: expiration: '],
    [{ timestampMs: wrapRaw<'UintString'>('1.5') }, 'invalid argument: timestampMs: '],
    [{ epoch: wrapRaw<'UintString'>('') }, 'invalid argument: epoch: '],
    [{ maxFeeBps: 70_000 }, 'invalid argument: maxFeeBps: '],
    [{ replaces: wrapRaw<'Hex'>('0x') }, 'invalid argument: replaces: '],
    [{ signature: wrapRaw<'Hex'>('0x0') }, 'invalid argument: signature: '],
  ])('refuses a value that cannot be signed and names its field: %o', (change, message) => {
    expect(() => readSignedOrder({ ...SIGNED_ORDER, ...change })).toThrow(message);
  });
});
