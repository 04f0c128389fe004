/** Signed bytes that were seen are answered before any other test (docs/spec/venue.md#refusals), however they come. */
import { describe, expect, it } from 'vitest';
import { Harness, type OrderOverrides, scenario } from './harness.ts';

const KEY = 7;
const SEEN: OrderOverrides = { hash: '0xseen', price: 4000, size: 1 };
const NEW: OrderOverrides = { hash: '0xnew', price: 4000, size: 1 };

function seen() {
  const harness = new Harness();
  const [a, b] = [harness.account(), harness.account()];
  harness.market();
  harness.order(a, SEEN, KEY);
  harness.send('cancel', { account: a, orders: [1] });
  return { harness, a, b };
}

/** What came of it, which left nothing behind. */
function traceless(harness: Harness, act: () => readonly string[]): readonly string[] {
  const before = [harness.hash(), harness.view.seq];
  const received = act();
  expect([harness.hash(), harness.view.seq]).toEqual(before);
  return received;
}

function batch(harness: Harness, account: number, ...overridesList: readonly OrderOverrides[]) {
  const orders = overridesList.map((overrides) => harness.terms(overrides));
  return () => scenario(harness.send('placeBatch', { account, credential: KEY, orders }));
}

function set(
  harness: Harness,
  account: number,
  members: { readonly market?: number },
  ...overridesList: readonly OrderOverrides[]
) {
  const place = overridesList.map((overrides) => harness.terms(overrides));
  const empty = { market: 0, cancel: 'all', ifNoFillSince: undefined, mustReplace: false };
  return () => scenario(harness.send('replace', { account, credential: KEY, ...empty, ...members, place }));
}

describe('a signed order that was received before', () => {
  it('gets its first result in a halted venue', () => {
    const { harness, a } = seen();
    harness.send('setMode', { mode: 'HALTED' });
    expect(traceless(harness, batch(harness, a, NEW, SEEN))).toEqual(['refused 0 VENUE_MODE', 'duplicate 1 1']);
    expect(traceless(harness, set(harness, a, {}, SEEN, NEW))).toEqual(['duplicate 0 1', 'refused -1 VENUE_MODE']);
  });

  it('gets its first result although the credential is revoked', () => {
    const { harness, a } = seen();
    harness.send('revokeCredential', { account: a, credential: KEY });
    expect(traceless(harness, () => scenario(harness.place(a, SEEN, KEY)))).toEqual(['duplicate 0 1']);
    expect(traceless(harness, batch(harness, a, SEEN, NEW))).toEqual(['duplicate 0 1', 'refused 1 SIGNER_NOT_ALLOWED']);
    expect(traceless(harness, set(harness, a, {}, NEW, SEEN))).toEqual([
      'duplicate 1 1',
      'refused -1 SIGNER_NOT_ALLOWED',
    ]);
  });

  it('gets its first result in a replace for an unknown market', () => {
    const { harness, a } = seen();
    expect(traceless(harness, set(harness, a, { market: 9 }, SEEN))).toEqual([
      'duplicate 0 1',
      'refused -1 NOT_FOUND marketId',
    ]);
  });

  it('is not recognised for another account', () => {
    const { harness, b } = seen();
    harness.send('setMode', { mode: 'HALTED' });
    expect(traceless(harness, batch(harness, b, SEEN))).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
    expect(traceless(harness, set(harness, b, {}, SEEN))).toEqual([
      'refused 0 SIGNER_NOT_ALLOWED',
      'refused -1 VENUE_MODE',
    ]);
  });

  it('is not looked up in a batch that is too long', () => {
    const { harness, a } = seen();
    harness.send('configure', { config: { maxBatchOrders: 1 } });
    expect(traceless(harness, batch(harness, a, SEEN, NEW))).toEqual(['refused -1 INVALID_ORDER orders']);
    expect(traceless(harness, set(harness, a, {}, SEEN, NEW))).toEqual(['refused -1 INVALID_ORDER place']);
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
    expect(traceless(harness, () => scenario(harness.send('createMarket', again)))).toEqual(['duplicate 0 0']);
    expect(traceless(harness, () => scenario(harness.send('createMarket', { ...again, question: 'Other?' })))).toEqual([
      'refused 0 SIGNER_NOT_ALLOWED',
    ]);
  });
});
