/** Signed bytes that were seen are answered before any other test (docs/spec/venue.md#refusals), however they come. */
import { describe, expect, it } from 'vitest';
import { type OrderOverrides, Stage, story } from './stage.ts';

const KEY = 7;
const SEEN: OrderOverrides = { hash: '0xseen', price: 4000, size: 1 };
const NEW: OrderOverrides = { hash: '0xnew', price: 4000, size: 1 };

function seen() {
  const stage = new Stage();
  const [a, b] = [stage.account(), stage.account()];
  stage.market();
  stage.order(a, SEEN, KEY);
  stage.send('cancel', { account: a, orders: [1] });
  return { stage, a, b };
}

/** What came of it, which left nothing behind. */
function traceless(stage: Stage, act: () => readonly string[]): readonly string[] {
  const before = [stage.hash(), stage.view.seq];
  const received = act();
  expect([stage.hash(), stage.view.seq]).toEqual(before);
  return received;
}

function batch(stage: Stage, account: number, ...overridesList: readonly OrderOverrides[]) {
  const orders = overridesList.map((overrides) => stage.terms(overrides));
  return () => story(stage.send('placeBatch', { account, credential: KEY, orders }));
}

function set(
  stage: Stage,
  account: number,
  members: { readonly market?: number },
  ...overridesList: readonly OrderOverrides[]
) {
  const place = overridesList.map((overrides) => stage.terms(overrides));
  const empty = { market: 0, cancel: 'all', ifNoFillSince: undefined, mustReplace: false };
  return () => story(stage.send('replace', { account, credential: KEY, ...empty, ...members, place }));
}

describe('a signed order that was received before', () => {
  it('gets its first result in a halted venue', () => {
    const { stage, a } = seen();
    stage.send('setMode', { mode: 'HALTED' });
    expect(traceless(stage, batch(stage, a, NEW, SEEN))).toEqual(['refused 0 VENUE_MODE', 'duplicate 1 1']);
    expect(traceless(stage, set(stage, a, {}, SEEN, NEW))).toEqual(['duplicate 0 1', 'refused -1 VENUE_MODE']);
  });

  it('gets its first result although the credential is revoked', () => {
    const { stage, a } = seen();
    stage.send('revokeCredential', { account: a, credential: KEY });
    expect(traceless(stage, () => story(stage.place(a, SEEN, KEY)))).toEqual(['duplicate 0 1']);
    expect(traceless(stage, batch(stage, a, SEEN, NEW))).toEqual(['duplicate 0 1', 'refused 1 SIGNER_NOT_ALLOWED']);
    expect(traceless(stage, set(stage, a, {}, NEW, SEEN))).toEqual(['duplicate 1 1', 'refused -1 SIGNER_NOT_ALLOWED']);
  });

  it('gets its first result in a replace for an unknown market', () => {
    const { stage, a } = seen();
    expect(traceless(stage, set(stage, a, { market: 9 }, SEEN))).toEqual([
      'duplicate 0 1',
      'refused -1 NOT_FOUND marketId',
    ]);
  });

  it('is not recognised for another account', () => {
    const { stage, b } = seen();
    stage.send('setMode', { mode: 'HALTED' });
    expect(traceless(stage, batch(stage, b, SEEN))).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
    expect(traceless(stage, set(stage, b, {}, SEEN))).toEqual([
      'refused 0 SIGNER_NOT_ALLOWED',
      'refused -1 VENUE_MODE',
    ]);
  });

  it('is not looked up in a batch that is too long', () => {
    const { stage, a } = seen();
    stage.send('configure', { config: { maxBatchOrders: 1 } });
    expect(traceless(stage, batch(stage, a, SEEN, NEW))).toEqual(['refused -1 INVALID_ORDER orders']);
    expect(traceless(stage, set(stage, a, {}, SEEN, NEW))).toEqual(['refused -1 INVALID_ORDER place']);
  });
});

describe('the input of a market that exists', () => {
  it('gets the existing market although the credential is revoked', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.market({ credential: KEY });
    const { id, question, resolutionDate } = stage.view.market(0) ?? {};
    const rest = { rules: 'r', description: undefined, categorySlug: 'c', topicSlugs: [], eventId: undefined };
    const none = { tickBps: undefined, feeRateBps: undefined, initialOrder: undefined, restriction: undefined };
    const again = { account, credential: KEY, id, question, resolutionDate, ...rest, ...none };
    stage.send('revokeCredential', { account, credential: KEY });
    expect(traceless(stage, () => story(stage.send('createMarket', again)))).toEqual(['duplicate 0 0']);
    expect(traceless(stage, () => story(stage.send('createMarket', { ...again, question: 'Other?' })))).toEqual([
      'refused 0 SIGNER_NOT_ALLOWED',
    ]);
  });
});
