/** Step 1 of a three-step order: the venue returns the message that the client signs. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochMs, marketId, priceBps, unchecked } from '../../../../src/domain/index.ts';
import type { SignedOrder, SigningParamsInput } from '../../../../src/protocol/generated/schema-types.ts';
import { NO_HASH } from '../../../../src/signing/index.ts';
import type { TypedData } from '../../../../src/signing/struct-hasher.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { hashTypedData } from '../../../signing/eip712.ts';
import { openVenue, START, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let alice: Trader;
let market: string;

beforeEach(async () => {
  venue = await openVenue({ secretBytes: (count) => new Uint8Array(count).fill(9) });
  market = await venue.market({ feeRateBps: 200 });
  alice = await venue.trader('alice', 1000);
});

afterEach(async () => {
  expect(venue.stops).toEqual([]);
  expect(venue.logged).toEqual([]);
  await venue.close();
});

const request = (change: object = {}): SigningParamsInput => ({
  kind: 'ORDER',
  order: {
    marketId: market,
    outcome: 'NO',
    side: 'BUY',
    priceBps: 3330,
    shares: '1230000',
    timeInForce: 'GTC',
    ...change,
  },
});

async function requestOffer(input: SigningParamsInput) {
  const { signingParams } = await venue.execute(alice, ALL_OPERATIONS.signingParams, { input });
  if (signingParams === null || signingParams === undefined) throw new Error('nothing is offered');
  const typedData: TypedData = JSON.parse(JSON.stringify(signingParams.typedData));
  return { ...signingParams, typedData };
}

async function errorOf(input: SigningParamsInput): Promise<string | undefined> {
  const { data, errors } = await venue.request(alice, ALL_OPERATIONS.signingParams, { input });
  expect(data).toEqual({ signingParams: null });
  return errors[0]?.message;
}

describe('signingParams of an order', () => {
  it('return the message to sign and its maximum cost', async () => {
    const { typedData, ...rest } = await requestOffer(request());
    expect(typedData.primaryType).toBe('Order');
    expect(typedData.domain).toEqual({
      name: 'Prediction Market Exchange',
      version: '1',
      chainId: 31_337,
      verifyingContract: '0xe34adc99f1484ee9c9a5607edf2f1f6fae93f124',
    });
    const salt = BigInt(`0x${'09'.repeat(32)}`);
    expect(typedData.message).toEqual({
      salt: String(salt),
      maker: alice.address,
      signer: alice.address,
      outcome: '1',
      side: '0',
      priceBps: '3330',
      marketId: `0x${market.replaceAll('-', '')}`,
      shares: '1230000',
      timeInForce: '0',
      postOnly: false,
      expiration: '0',
      timestampMs: String(START),
      epoch: '0',
      maxFeeBps: '200',
      replaces: NO_HASH,
    });
    expect(rest).toEqual({
      kind: 'ORDER',
      digest: `0x${Buffer.from(hashTypedData(venue.messages.signer.keccak256, typedData)).toString('hex')}`,
      // 123 lots * 3330 = 409,590; fee floor(200 * 123 * 3330 * 6670 / 10^8) = 5,463: 415,053.
      costCents: 41,
      worstCaseCents: 42,
      normalizedPriceBps: 6670,
      normalizedShares: 1.23,
      expiresAt: '2027-01-15T08:00:30Z',
    });
  });

  it('name the nearest recorded prices for the side of the order', async () => {
    const time = venue.now();
    await venue.send({ type: 'openAccount', time, address: 'tape', unlimited: true });
    const id = await venue.market({ tickBps: 1 });
    const grid = { type: 'list', bids: [5000, 6000].map(priceBps), asks: [5100, 6100].map(priceBps) } as const;
    const terms = { tape: 'abc', grid, models: { queue: { model: 'risk-averse' } }, recordedAt: epochMs(0), row: 0 };
    const account = unchecked.account(venue.view.accountOf('tape'));
    const no = venue.view.marketById(marketId(id))?.number ?? unchecked.market(9);
    await venue.send({ type: 'followTape', time, market: no, account, ...terms, rows: [] });
    const requestFor = (change: object) => request({ marketId: id, ...change });
    // NO at 4500 is an ask at 5500. NO at 4000 is an ask at 6000, where the recording has only bids.
    const nearest = 'order.priceBps: expected a price of the recording (nearest: 3900 and 4900)';
    expect(await errorOf(requestFor({ priceBps: 4500 }))).toContain(nearest);
    expect(await errorOf(requestFor({ priceBps: 4000 }))).toContain(nearest);
    expect(await requestOffer(requestFor({ priceBps: 3900 }))).toMatchObject({ normalizedPriceBps: 6100 });
    // A FAK order may use a price of either side.
    expect(await requestOffer(requestFor({ priceBps: 4000, timeInForce: 'FAK' }))).toMatchObject({
      normalizedPriceBps: 6000,
    });
  });

  it('give a message that the venue accepts when the client signs it unchanged', async () => {
    const { typedData, digest } = await requestOffer(request());
    const { salt } = typedData.message;
    const { signer } = venue.messages;
    const signature = signer.sign(hashTypedData(signer.keccak256, typedData), alice.key);
    const order: SignedOrder = {
      salt: `${salt}`,
      maker: alice.address,
      signer: alice.address,
      marketId: market,
      outcome: 'NO',
      side: 'BUY',
      priceBps: 3330,
      shares: '1230000',
      timeInForce: 'GTC',
      postOnly: false,
      expiration: '0',
      timestampMs: String(START),
      epoch: '0',
      maxFeeBps: 200,
      replaces: NO_HASH,
      signature,
    };
    const { placeOrder } = await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input: { order } });
    expect(placeOrder).toMatchObject({ accepted: true, order: { id: digest, priceBps: 3330, shares: 1.23 } });
  });

  it('use the given signer, salt, expiration, fee and replaced order', async () => {
    const signer = `0x${'AB'.repeat(20)}` as const;
    const expiresAt = '2027-01-15T09:00:00.5Z';
    const replacesOrderHash = `0x${'cd'.repeat(32)}` as const;
    const order = request({ signer, salt: '77', timeInForce: 'GTD', expiresAt, postOnly: true, maxFeeBps: 5 }).order;
    const { typedData, worstCaseCents, kind } = await requestOffer({
      kind: 'REPLACE',
      replacesOrderHash,
      ...(order === undefined ? {} : { order }),
    });
    expect(typedData.message).toMatchObject({
      signer: signer.toLowerCase(),
      salt: '77',
      timeInForce: '1',
      expiration: String(START + 3_600_500),
      postOnly: true,
      maxFeeBps: '5',
      replaces: replacesOrderHash,
    });
    // A maker pays no fee.
    expect([kind, worstCaseCents]).toEqual(['REPLACE', 41]);
  });

  it('have the maximum fee as the only cost of a sale', async () => {
    // 10,000 lots have the largest fee at 5000: floor(200 * 10,000 * 5000 * 5000 / 10^8) = 500,000. From 8000: 320,000.
    const cheap = await requestOffer(request({ side: 'SELL', shares: '100000000', priceBps: 1000 }));
    expect([cheap.costCents, cheap.worstCaseCents]).toEqual([0, 50]);
    const expensive = await requestOffer(request({ side: 'SELL', shares: '100000000', priceBps: 8000 }));
    expect([expensive.costCents, expensive.worstCaseCents]).toEqual([0, 32]);
  });

  it('are refused for an invalid price or size with the nearest valid values', async () => {
    expect(await errorOf(request({ priceBps: 3335 }))).toBe(
      'invalid argument: order.priceBps: expected a multiple of the tick 10 from 10 to 9990 (nearest: 3330 and 3340), got 3335',
    );
    expect(await errorOf(request({ priceBps: 0 }))).toContain('(nearest: 10)');
    expect(await errorOf(request({ priceBps: 20_000 }))).toContain('(nearest: 9990)');
    expect(await errorOf(request({ shares: '1235000' }))).toBe(
      'invalid argument: order.shares: expected whole lots of 10000 micro-shares from 10000 to 1000000000000000 (nearest: 1230000 and 1240000), got 1235000',
    );
    expect(await errorOf(request({ shares: '1' }))).toContain('(nearest: 10000)');
  });

  it('are refused for contradictory options', async () => {
    const at = '2027-01-15T09:00:00Z';
    expect(await errorOf(request({ timeInForce: 'GTD' }))).toBe('invalid argument: order.expiresAt: GTD requires it');
    expect(await errorOf(request({ expiresAt: at }))).toBe('invalid argument: order.expiresAt: GTC does not allow it');
    expect(await errorOf(request({ postOnly: true, timeInForce: 'FAK' }))).toMatch(/^invalid argument: order.postOnly/);
    expect(await errorOf(request({ outcome: 'CANCELLED' }))).toMatch(/^invalid argument: order.outcome/);
    expect(await errorOf(request({ maxFeeBps: -1 }))).toMatch(/^invalid argument: order.maxFeeBps/);
    expect(await errorOf(request({ marketId: '99999999-0000-4000-8000-000000000000' }))).toMatch(/no market/);
    expect(await errorOf(request({ shares: '100000000000000', priceBps: 9990, salt: '-1' }))).toMatch(/order.salt/);
    expect(await errorOf({ kind: 'ORDER' })).toBe('invalid argument: order: ORDER requires it');
    expect(await errorOf({ ...request(), kind: 'REPLACE' })).toBe(
      'invalid argument: replacesOrderHash: REPLACE requires it',
    );
    expect(await errorOf({ ...request(), replacesOrderHash: NO_HASH })).toMatch(/ORDER does not allow it$/);
    expect(await errorOf({ ...request(), kind: 'WITHDRAWAL' })).toBe(
      'invalid argument: order: WITHDRAWAL does not allow it',
    );
  });
});

describe('signingParams of a withdrawal', () => {
  it('come from the access layer and store nothing', async () => {
    const hash = venue.hash();
    const withdrawal = { walletId: market, toAddress: alice.address, amountCents: 250 };
    expect(await requestOffer({ kind: 'WITHDRAWAL', withdrawal })).toMatchObject({
      kind: 'WITHDRAWAL',
      costCents: 250,
    });
    expect(venue.hash()).toBe(hash);
  });
});
