/** A repeated signed order gets its first result before any other check (docs/spec/venue.md#refusals). */
import { describe, expect, it } from 'vitest';
import { eventTexts, expectUnchanged, Harness, type OrderOverrides } from './harness.ts';

const KEY = 7;
const REPEATED: OrderOverrides = { hash: '0xseen', price: 4000, size: 1 };
const NEW: OrderOverrides = { hash: '0xnew', price: 4000, size: 1 };

function exchangeWithOrder() {
  const harness = new Harness();
  const [a, b] = [harness.account(), harness.account()];
  harness.market();
  harness.order(a, REPEATED, KEY);
  harness.send('cancel', { account: a, orders: [1] });
  return { harness, a, b };
}

function placeBatch(harness: Harness, account: number, ...overridesList: readonly OrderOverrides[]) {
  const orders = overridesList.map((overrides) => harness.terms(overrides));
  return () => eventTexts(harness.send('placeBatch', { account, credential: KEY, orders }));
}

function replace(
  harness: Harness,
  account: number,
  members: { readonly market?: number },
  ...overridesList: readonly OrderOverrides[]
) {
  const place = overridesList.map((overrides) => harness.terms(overrides));
  const empty = { market: 0, cancel: 'all', ifNoFillSince: undefined, mustReplace: false };
  return () => eventTexts(harness.send('replace', { account, credential: KEY, ...empty, ...members, place }));
}

describe('a signed order that was received before', () => {
  it('gets its first result in a halted venue', () => {
    const { harness, a } = exchangeWithOrder();
    harness.send('setMode', { mode: 'HALTED' });
    expect(expectUnchanged(harness, placeBatch(harness, a, NEW, REPEATED))).toEqual([
      'refused 0 VENUE_MODE',
      'duplicate 1 1',
    ]);
    expect(expectUnchanged(harness, replace(harness, a, {}, REPEATED, NEW))).toEqual([
      'duplicate 0 1',
      'refused -1 VENUE_MODE',
    ]);
  });

  it('gets its first result although the credential is revoked', () => {
    const { harness, a } = exchangeWithOrder();
    harness.send('revokeCredential', { account: a, credential: KEY });
    expect(expectUnchanged(harness, () => eventTexts(harness.place(a, REPEATED, KEY)))).toEqual(['duplicate 0 1']);
    expect(expectUnchanged(harness, placeBatch(harness, a, REPEATED, NEW))).toEqual([
      'duplicate 0 1',
      'refused 1 SIGNER_NOT_ALLOWED',
    ]);
    expect(expectUnchanged(harness, replace(harness, a, {}, NEW, REPEATED))).toEqual([
      'duplicate 1 1',
      'refused -1 SIGNER_NOT_ALLOWED',
    ]);
  });

  it('gets its first result in a replace for an unknown market', () => {
    const { harness, a } = exchangeWithOrder();
    expect(expectUnchanged(harness, replace(harness, a, { market: 9 }, REPEATED))).toEqual([
      'duplicate 0 1',
      'refused -1 NOT_FOUND marketId',
    ]);
  });

  it('is not recognised for another account', () => {
    const { harness, b } = exchangeWithOrder();
    harness.send('setMode', { mode: 'HALTED' });
    expect(expectUnchanged(harness, placeBatch(harness, b, REPEATED))).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
    expect(expectUnchanged(harness, replace(harness, b, {}, REPEATED))).toEqual([
      'refused 0 SIGNER_NOT_ALLOWED',
      'refused -1 VENUE_MODE',
    ]);
  });

  it('is not looked up in a batch that is too long', () => {
    const { harness, a } = exchangeWithOrder();
    harness.send('configure', { config: { maxBatchOrders: 1 } });
    expect(expectUnchanged(harness, placeBatch(harness, a, REPEATED, NEW))).toEqual([
      'refused -1 INVALID_ORDER orders',
    ]);
    expect(expectUnchanged(harness, replace(harness, a, {}, REPEATED, NEW))).toEqual([
      'refused -1 INVALID_ORDER place',
    ]);
  });
});

describe('the input of a market that exists', () => {
  it('gets the existing market although the credential is revoked', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market({ credential: KEY });
    const { id, question, resolutionDate } = harness.view.market(0) ?? {};
    const rest = { rules: 'r', description: undefined, categorySlug: 'c', topicSlugs: [], eventId: undefined };
    const none = { tickBps: undefined, feeRateBps: undefined, initialOrder: undefined, restriction: undefined };
    const again = { account, credential: KEY, id, question, resolutionDate, ...rest, ...none };
    harness.send('revokeCredential', { account, credential: KEY });
    expect(expectUnchanged(harness, () => eventTexts(harness.send('createMarket', again)))).toEqual(['duplicate 0 0']);
    expect(
      expectUnchanged(harness, () => eventTexts(harness.send('createMarket', { ...again, question: 'Other?' }))),
    ).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
  });
});
