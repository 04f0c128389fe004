import { describe, expect, it } from 'vitest';
import { eventTexts, twoAccounts } from './harness.ts';

const CREDENTIAL = 4;

describe('the dead-man switch', () => {
  it('cancels orders of the credential and refuses new ones until the next heartbeat', () => {
    const { harness, a } = twoAccounts();
    const other = harness.order(a, { price: 3000, size: 1 }, 5);
    harness.order(a, { price: 4000, size: 1 }, CREDENTIAL);
    expect(harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 5000 })).toMatchObject([
      { event: { type: 'heartbeatArmed', deadline: harness.time + 5000 } },
    ]);
    harness.order(a, { price: 4100, size: 1 }, CREDENTIAL);
    harness.time += 4999;
    expect(harness.send('tick')).toEqual([]);
    harness.time += 1;
    expect(eventTexts(harness.send('tick'))).toEqual([
      'heartbeatLapsed',
      'closed 2 HEARTBEAT_LAPSED 1',
      'closed 3 HEARTBEAT_LAPSED 1',
    ]);
    expect(eventTexts(harness.place(a, {}, CREDENTIAL))).toEqual(['refused 0 HEARTBEAT_LAPSED']);
    expect(eventTexts(harness.place(a, { price: 3000, size: 1 }, 5))).toEqual(['accepted 4']);
    expect(harness.view.openOrder(other)).toBeDefined();
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 5000 });
    expect(eventTexts(harness.place(a, { price: 3000, size: 1 }, CREDENTIAL))).toEqual(['accepted 5']);
  });

  it('fires before the first command after its deadline', () => {
    const { harness, a } = twoAccounts();
    harness.order(a, { price: 4000, size: 1 }, CREDENTIAL);
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    harness.time += 60_000;
    expect(eventTexts(harness.place(a, {}, CREDENTIAL))).toEqual([
      'heartbeatLapsed',
      'closed 1 HEARTBEAT_LAPSED 1',
      'refused 0 HEARTBEAT_LAPSED',
    ]);
  });

  it('is renewed by each heartbeat, so only the last deadline counts', () => {
    const { harness, a } = twoAccounts();
    for (let heartbeat = 0; heartbeat < 200; heartbeat++) {
      harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
      expect(harness.view.nextDeadline).toBe(harness.time + 1000);
      harness.time += 999;
      expect(harness.send('tick')).toEqual([]);
    }
    expect(harness.view.credentialState(CREDENTIAL)).toMatchObject({ timeout: 1000, lapsed: false });
  });

  it('can be disarmed before and after it fires', () => {
    const { harness, a } = twoAccounts();
    expect(harness.send('disarmHeartbeat', { account: a, credential: CREDENTIAL })).toEqual([]);
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    expect(eventTexts(harness.send('disarmHeartbeat', { account: a, credential: CREDENTIAL }))).toEqual([
      'heartbeatDisarmed',
    ]);
    expect(harness.view.credentialState(CREDENTIAL)).toBeUndefined();
    harness.time += 2000;
    expect(harness.send('tick')).toEqual([]);
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    harness.time += 1000;
    harness.send('tick');
    harness.send('disarmHeartbeat', { account: a, credential: CREDENTIAL });
    expect(eventTexts(harness.place(a, {}, CREDENTIAL))).toEqual(['accepted 1']);
  });

  it.each([
    [999, 'BELOW_MIN'],
    [300_001, 'ABOVE_MAX'],
    [1000.5, 'INVALID_ORDER'],
    [Number.NaN, 'INVALID_ORDER'],
  ])('refuses a timeout of %d ms: %s', (timeout, reason) => {
    const { harness, a } = twoAccounts();
    const before = harness.hash();
    expect(eventTexts(harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout }))).toEqual([
      `refused 0 ${reason} timeoutMs`,
    ]);
    expect(harness.hash()).toBe(before);
  });

  it('needs a credential, which belongs to one account', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    const refused = ['refused 0 NOT_FOUND credential'];
    expect(eventTexts(harness.send('heartbeat', { account: b, credential: CREDENTIAL, timeout: 1000 }))).toEqual(
      refused,
    );
    expect(eventTexts(harness.send('heartbeat', { account: a, credential: 0, timeout: 1000 }))).toEqual(refused);
    expect(eventTexts(harness.send('disarmHeartbeat', { account: b, credential: CREDENTIAL }))).toEqual(refused);
    expect(eventTexts(harness.send('revokeCredential', { account: b, credential: CREDENTIAL }))).toEqual(refused);
  });

  it('works in a halted venue', () => {
    const { harness, a } = twoAccounts();
    harness.send('setMode', { mode: 'HALTED' });
    const command = { account: a, credential: CREDENTIAL, timeout: 1000 };
    expect(eventTexts(harness.send('heartbeat', command))).toEqual(['heartbeatArmed']);
    expect(eventTexts(harness.send('disarmHeartbeat', command))).toEqual(['heartbeatDisarmed']);
  });
});

describe('a revoked credential', () => {
  it('loses its orders and cannot place, but may still cancel', () => {
    const { harness, a } = twoAccounts();
    const remaining = harness.order(a, { price: 4000, size: 1 }, 5);
    harness.order(a, { price: 4000, size: 1 }, CREDENTIAL);
    expect(eventTexts(harness.send('revokeCredential', { account: a, credential: CREDENTIAL }))).toEqual([
      'credentialRevoked',
      'closed 2 KEY_REVOKED 1',
    ]);
    expect(eventTexts(harness.place(a, {}, CREDENTIAL))).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
    expect(eventTexts(harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 }))).toEqual([
      'refused 0 SIGNER_NOT_ALLOWED',
    ]);
    expect(eventTexts(harness.send('cancel', { account: a, credential: CREDENTIAL, orders: [remaining] }))).toEqual([
      'closed 1 USER 1',
    ]);
  });

  it('loses its dead-man switch', () => {
    const { harness, a } = twoAccounts();
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    harness.send('revokeCredential', { account: a, credential: CREDENTIAL });
    harness.time += 5000;
    expect(harness.send('tick')).toEqual([]);
    expect(harness.view.credentialState(CREDENTIAL)).toMatchObject({ revoked: true, deadline: 0 });
  });
});

describe('a dead-man switch that fires', () => {
  it('cancels the orders of its credential in all markets, in order of arrival, and no others', () => {
    const { harness, a, b } = twoAccounts();
    harness.market();
    harness.order(b, { price: 4000, size: 1 }, CREDENTIAL);
    harness.order(a, { market: 1, price: 4000, size: 1 }, CREDENTIAL);
    harness.order(a, { price: 4000, size: 1 }, CREDENTIAL);
    harness.order(a, { price: 4000, size: 1 });
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    harness.time += 1000;
    const events = harness.send('tick');
    expect(eventTexts(events)).toEqual([
      'heartbeatLapsed',
      'closed 2 HEARTBEAT_LAPSED 1',
      'closed 3 HEARTBEAT_LAPSED 1',
    ]);
    expect([1, 2, 3, 4].filter((order) => harness.view.openOrder(order) !== undefined)).toEqual([1, 4]);
    expect(harness.view.account(a)?.reserved).toBe(400_000);
    expect(harness.view.credentialState(CREDENTIAL)).toEqual({
      account: a,
      timeout: 0,
      deadline: 0,
      lapsed: true,
      revoked: false,
    });
    expect(harness.view.nextDeadline).toBe(harness.view.market(0)?.resolutionDate);
  });

  it('fires at its own time, after orders that expire at that time, also when the next command is much later', () => {
    const { harness, a } = twoAccounts();
    const deadline = harness.time + 1000;
    harness.order(a, { price: 4000, size: 1, timeInForce: 'GTD', expiration: deadline }, CREDENTIAL);
    harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout: 1000 });
    harness.time += 50_000;
    expect(eventTexts(harness.send('tick'))).toEqual(['closed 1 EXPIRED 1', 'heartbeatLapsed']);
    expect(harness.view.now).toBe(deadline);
  });

  it('blocks its credential until a heartbeat or a disarm, and a revoked credential stays blocked', () => {
    const { harness, a } = twoAccounts();
    const heartbeat = (credential: number) => harness.send('heartbeat', { account: a, credential, timeout: 1000 });
    const placed = (credential: number) => eventTexts(harness.place(a, { price: 4000, size: 1 }, credential))[0];
    for (const credential of [1, 2, 3]) heartbeat(credential);
    harness.time += 1000;
    harness.send('tick');
    heartbeat(1);
    heartbeat(1);
    harness.send('disarmHeartbeat', { account: a, credential: 2 });
    expect([1, 2, 3].map(placed)).toEqual(['accepted 1', 'accepted 2', 'refused 0 HEARTBEAT_LAPSED']);
    harness.send('revokeCredential', { account: a, credential: 3 });
    expect(placed(3)).toBe('refused 0 SIGNER_NOT_ALLOWED');
    expect(placed(2)).toBe('accepted 3');
  });
});
