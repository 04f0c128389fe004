import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../src/signing/index.ts';
import { hashTypedData } from './eip712.ts';
import { openSigner } from './harness.ts';

interface EtherCase {
  readonly name: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly privateKey?: string;
  readonly signature?: string;
}

const cases: readonly EtherCase[] = JSON.parse(
  gunzipSync(readFileSync(new URL('../fixtures/eip712/ethers-typed-data.json.gz', import.meta.url))).toString(),
);

const signer = await openSigner('native');

function digestOf({ domain, types, primaryType, data }: EtherCase): Uint8Array {
  return hashTypedData(signer.keccak256, { domain, types, primaryType, message: data });
}

describe('general EIP-712 hashing', () => {
  it('passes 130 cases of ethers', () => {
    expect(cases).toHaveLength(130);
    expect(cases.filter(({ signature }) => signature !== undefined)).toHaveLength(1);
  });

  it.each(cases)('returns the digest of $name', (each) => {
    expect(toHex(digestOf(each))).toBe(each.digest);
  });

  it('signs the Mail example of the EIP with the signature of the EIP', () => {
    const [mail] = cases.filter(({ privateKey }) => privateKey !== undefined);
    if (mail?.privateKey === undefined) throw new Error('no case has a private key');
    const key = signer.key(mail.privateKey);
    expect(signer.sign(digestOf(mail), key)).toBe(mail.signature);
    expect(signer.recover(digestOf(mail), mail.signature ?? '')).toEqual({ ok: true, address: key.address });
  });

  const hashField = (type: string, value: unknown) => () =>
    hashTypedData(signer.keccak256, {
      domain: { name: 'x' },
      types: { T: [{ name: 'v', type }] },
      primaryType: 'T',
      message: { v: value },
    });

  it.each([
    ['uint8', '256'],
    ['uint8', -1],
    ['int8', '128'],
    ['int8', '-129'],
    ['uint256', 1.5],
    ['uint256', '1e3'],
    ['uint256', ''],
    ['uint256', undefined],
    ['uint7', 1],
    ['uint264', 1],
    ['uint0', 0],
    ['bytes4', '0x0102'],
    ['bytes33', `0x${'00'.repeat(33)}`],
    ['bytes', '0x123'],
    ['bytes', 'abcd'],
    ['string', 5],
    ['bool', 1],
    ['address', '0x00'],
    ['Unknown', {}],
    ['toString', 'x'],
    ['uint8[]', 5],
    ['uint8[2]', [1]],
    ['uint8[2]', [1, 2, 3]],
  ])('names the field when a %s is %j', (type, value) => {
    expect(hashField(type, value)).toThrow(/^T\.v: expected /);
  });

  it('accepts the limits of integer ranges', () => {
    for (const [type, value] of [
      ['int8', '-128'],
      ['int8', 127],
      ['uint8', '255'],
      ['uint8', 0n],
      ['uint256', `0x${'ff'.repeat(32)}`],
    ] as const) {
      expect(hashField(type, value)()).toHaveLength(32);
    }
  });

  it('names the item of a list and the member of a nested struct', () => {
    const nested = (message: Record<string, unknown>) => () =>
      hashTypedData(signer.keccak256, {
        domain: {},
        types: { A: [{ name: 'list', type: 'B[][2]' }], B: [{ name: 'b', type: 'bool' }] },
        primaryType: 'A',
        message,
      });
    expect(nested({ list: [[], [{ b: true }, { b: 'yes' }]] })).toThrow(
      'A.list[1][1].b: expected a value of type bool',
    );
    expect(nested({ list: [[], [7]] })).toThrow('A.list[1][0]: expected an object of type B, got 7');
    expect(nested({ list: [[], []] })()).toHaveLength(32);
  });

  it('refuses an undefined primary type, also with the name of an object property', () => {
    const hash = (primaryType: string) => () =>
      hashTypedData(signer.keccak256, { domain: {}, types: {}, primaryType, message: {} });
    expect(hash('Order')).toThrow('a type that `types` defines');
    expect(hash('constructor')).toThrow('a type that `types` defines');
  });
});
