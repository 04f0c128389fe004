import { beforeAll, describe, expect, it } from 'vitest';
import { type OrderMessage, type SignedMessages, toHex } from '../../src/signing/index.ts';
import type { TypedData } from '../../src/signing/struct-hasher.ts';
import { openMessages, vectors } from './harness.ts';

let messages: SignedMessages;
let order: OrderMessage;
let offer: TypedData;
beforeAll(async () => {
  messages = await openMessages();
  const read = messages.order.read(vectors.eip712[1]?.wire);
  if (!read.ok) throw new Error(read.message);
  order = read.message;
  offer = messages.order.typedData(order);
});

/** The intended fields: all except the salt and timestamp, which the venue adds. */
function intent(): Partial<OrderMessage> {
  const { salt: _, timestampMs: __, ...rest } = order;
  return rest;
}

describe('the comparison of an offered message with the intended one', () => {
  it('returns the whole message when they agree', () => {
    const compared = messages.order.compare(JSON.parse(JSON.stringify(offer)), intent());
    expect(compared).toEqual({ ok: true, message: order });
    expect(compared.ok && toHex(messages.order.digest(compared.message))).toBe(vectors.eip712[1]?.digest);
  });

  it('accepts integers as text or number, and hex of either case', () => {
    const offered = {
      ...offer,
      domain: { ...offer.domain, chainId: '31337', verifyingContract: '0xE34ADC99F1484EE9C9A5607EDF2F1F6FAE93F124' },
      message: {
        ...offer.message,
        priceBps: 9990,
        maker: `0x${order.maker.slice(2).toUpperCase()}`,
      },
    };
    expect(messages.order.compare(offered, intent())).toEqual({ ok: true, message: order });
  });

  it.each([
    ['maker', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    ['signer', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    ['marketId', '0x3f2b8c1e5a7d4e908b6f1c2d3e4f5a6c'],
    ['outcome', '0'],
    ['side', '0'],
    ['priceBps', '9980'],
    ['shares', '12350000'],
    ['timeInForce', '0'],
    ['postOnly', false],
    ['expiration', '1795179600001'],
    ['epoch', '4'],
    ['maxFeeBps', '201'],
    ['replaces', `0x${'00'.repeat(32)}`],
  ])('names %s when the offer differs', (field, value) => {
    const compared = messages.order.compare({ ...offer, message: { ...offer.message, [field]: value } }, intent());
    expect(compared).toMatchObject({ ok: false, code: 'DIFFERS', field: `message.${field}`, offered: String(value) });
  });

  it('names an invalid field that the intent does not contain', () => {
    for (const [field, value] of [
      ['salt', 'x'],
      ['timestampMs', undefined],
      ['timestampMs', '-1'],
    ] as const) {
      const compared = messages.order.compare({ ...offer, message: { ...offer.message, [field]: value } }, intent());
      expect(compared).toMatchObject({ ok: false, field: `message.${field}` });
    }
  });

  it.each([
    ['name', 'Prediction Market Exchang'],
    ['version', '2'],
    ['chainId', 1],
    ['verifyingContract', `0x${'00'.repeat(20)}`],
    ['salt', `0x${'00'.repeat(32)}`],
  ])('names the field %s of the domain when it differs', (field, value) => {
    const compared = messages.order.compare({ ...offer, domain: { ...offer.domain, [field]: value } }, intent());
    expect(compared).toMatchObject({ ok: false, field: `domain.${field}`, offered: String(value) });
  });

  it('names a missing member of the domain', () => {
    const { chainId: _, ...domain } = offer.domain;
    expect(messages.order.compare({ ...offer, domain }, {})).toMatchObject({
      field: 'domain.chainId',
      offered: 'nothing',
    });
  });

  it('names a type that is reordered, incomplete, extended, missing or unexpected', () => {
    const { Order: fields = [] } = offer.types;
    const swapped = [...fields.slice(1), ...fields.slice(0, 1)];
    for (const Order of [
      swapped,
      fields.slice(1),
      [...fields, { name: 'x', type: 'bool' }],
      undefined,
      'uint256 salt',
    ]) {
      const compared = messages.order.compare({ ...offer, types: { ...offer.types, Order } }, intent());
      expect(compared).toMatchObject({ ok: false, field: 'types.Order' });
    }
    const { EIP712Domain: _, ...without } = offer.types;
    expect(messages.order.compare({ ...offer, types: without }, intent())).toMatchObject({
      field: 'types.EIP712Domain',
    });
    expect(messages.order.compare({ ...offer, types: { ...offer.types, More: [] } }, intent())).toMatchObject({
      field: 'types.More',
    });
  });

  it('names unexpected members', () => {
    expect(messages.order.compare({ ...offer, message: { ...offer.message, fee: '5' } }, intent())).toEqual({
      ok: false,
      code: 'DIFFERS',
      field: 'message.fee',
      expected: 'nothing',
      offered: '5',
    });
    expect(messages.order.compare({ ...offer, more: 1 }, intent())).toMatchObject({ field: 'more' });
  });

  it('names the primary type when it differs', () => {
    expect(messages.order.compare({ ...offer, primaryType: 'Withdrawal' }, intent())).toMatchObject({
      field: 'primaryType',
    });
    expect(messages.withdrawal.compare(offer, {})).toMatchObject({ field: 'primaryType', expected: 'Withdrawal' });
  });

  it.each([[null], [undefined], [5], ['{}'], [[]], [{}]])('refuses %j', (offered) => {
    expect(messages.order.compare(offered, intent())).toMatchObject({ ok: false });
  });

  it('refuses a message that is not an object', () => {
    for (const message of [null, [], 'x', undefined]) {
      expect(messages.order.compare({ ...offer, message }, {})).toMatchObject({ ok: false, field: 'message' });
    }
  });

  it('compares the text of a login', () => {
    const vector = vectors.eip712.find(({ typedData }) => typedData.primaryType === 'Login');
    const audience = 'http://127.0.0.1:4000';
    expect(messages.login.compare(vector?.typedData, { audience })).toMatchObject({ ok: true, message: { audience } });
    expect(messages.login.compare(vector?.typedData, { audience: 'http://evil' })).toEqual({
      ok: false,
      code: 'DIFFERS',
      field: 'message.audience',
      expected: 'http://evil',
      offered: audience,
    });
  });

  it('escapes control characters in its result', () => {
    const vector = vectors.eip712.find(({ typedData }) => typedData.primaryType === 'Login');
    const typedData = JSON.parse(JSON.stringify(vector?.typedData));
    typedData.message.statement = 'Sign.\n\u001b[2JPay \u202e';
    expect(messages.login.compare(typedData, { statement: 'Sign.' })).toMatchObject({
      field: 'message.statement',
      offered: 'Sign.\\u000a\\u001b[2JPay \\u202e',
    });
  });
});
