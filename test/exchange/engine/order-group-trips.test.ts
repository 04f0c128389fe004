import { describe, expect, it } from 'vitest';
import { eventTexts, type Harness, inGroup, SHARE, twoAccounts } from './harness.ts';

const CREDENTIAL = 4;

describe('an order group', () => {
  it('trips for a maker between two matches of an order, and its other orders are closed before the next match', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: 5 * SHARE, window: 60_000 });
    for (const price of [4000, 4100, 3900]) harness.buy(a, 'YES', price, 4, inGroup(1));
    const alone = harness.buy(a, 'YES', 4000, 4);
    harness.send('split', { account: b, market: 0, shares: 20 * SHARE });
    expect(eventTexts(harness.place(b, { side: 'SELL', price: 3900, size: 20 }))).toEqual([
      'accepted 5',
      'traded 2<5 4@4100 NORMAL',
      'closed 2 FILLED 0',
      'traded 1<5 4@4000 NORMAL',
      'closed 1 FILLED 0',
      'groupChanged',
      'closed 3 ORDER_GROUP_LIMIT 4',
      `traded ${alone}<5 4@4000 NORMAL`,
      `closed ${alone} FILLED 0`,
    ]);
    expect(eventTexts(harness.place(a, inGroup(1)))).toEqual(['refused 0 GROUP_TRIPPED groupId']);
    expect(harness.view.group(1, a)).toMatchObject({ tripped: true });
  });

  it('trips for the taker between two matches of its order, and the rest of the order is closed', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: b, maxFilled: 5 * SHARE, window: 60_000 });
    const resting = harness.buy(b, 'YES', 3000, 1, inGroup(1));
    for (let order = 0; order < 3; order++) harness.buy(a, 'NO', 6000, 4);
    expect(eventTexts(harness.place(b, inGroup(1, { price: 4000, size: 12 })))).toEqual([
      'accepted 5',
      'traded 2<5 4@4000 MINT',
      'closed 2 FILLED 0',
      'traded 3<5 4@4000 MINT',
      'closed 3 FILLED 0',
      'groupChanged',
      `closed ${resting} ORDER_GROUP_LIMIT 1`,
      'closed 5 ORDER_GROUP_LIMIT 4',
    ]);
  });

  it('trips for maker and taker at once, the maker first', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 60_000 });
    harness.send('createGroup', { account: b, maxFilled: SHARE, window: 60_000 });
    harness.buy(a, 'NO', 6000, 2, inGroup(1));
    harness.buy(a, 'NO', 6000, 2, inGroup(1));
    expect(eventTexts(harness.place(b, inGroup(2, { price: 4000, size: 4 })))).toEqual([
      'accepted 3',
      'traded 1<3 2@4000 MINT',
      'closed 1 FILLED 0',
      'groupChanged',
      'closed 2 ORDER_GROUP_LIMIT 2',
      'groupChanged',
      'closed 3 ORDER_GROUP_LIMIT 2',
    ]);
  });

  it('does not trip exactly at its limit and does not count fills outside the window', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: 5 * SHARE, window: 1000 });
    const fill = (size: number) => {
      harness.buy(a, 'YES', 4000, size, inGroup(1));
      return eventTexts(harness.place(b, { outcome: 'NO', price: 6000, size, timeInForce: 'FAK' }));
    };
    expect(fill(5)).not.toContain('groupChanged');
    harness.time += 1000;
    expect(fill(3)).not.toContain('groupChanged');
    harness.time += 999;
    expect(harness.view.filledInWindow(1, harness.time)).toBe(3 * SHARE);
    expect(fill(2)).not.toContain('groupChanged');
    harness.time += 1;
    expect(fill(4)).toContain('groupChanged');
  });

  it('accepts orders again after a reset', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 60_000 });
    harness.buy(a, 'YES', 4000, 2, inGroup(1));
    harness.order(b, { outcome: 'NO', price: 6000, size: 2 });
    expect(eventTexts(harness.place(a, inGroup(1)))).toEqual(['refused 0 GROUP_TRIPPED groupId']);
    harness.send('updateGroup', { account: a, group: 1, maxFilled: 9 * SHARE, reset: false });
    expect(eventTexts(harness.place(a, inGroup(1)))).toEqual(['refused 0 GROUP_TRIPPED groupId']);
    expect(harness.send('updateGroup', { account: a, group: 1, reset: true })).toMatchObject([
      { event: { type: 'groupChanged', tripped: false } },
    ]);
    expect(harness.view.filledInWindow(1, harness.time)).toBe(0);
    expect(eventTexts(harness.place(a, inGroup(1)))[0]).toBe('accepted 3');
  });

  it('leaves its orders open when it is deleted', () => {
    const { harness, a } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    const order = harness.buy(a, 'YES', 4000, 2, inGroup(1));
    expect(eventTexts(harness.send('deleteGroup', { account: a, group: 1 }))).toEqual(['groupDeleted']);
    expect(harness.view.openOrder(order)).toMatchObject({ group: 0, remaining: 2 * SHARE });
    expect(eventTexts(harness.place(a, inGroup(1)))).toEqual(['refused 0 NOT_FOUND groupId']);
    expect(eventTexts(harness.send('deleteGroup', { account: a, group: 1 }))).toEqual(['refused 0 NOT_FOUND id']);
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    expect(harness.view.groupsOf(a)).toEqual([2]);
  });

  it('leaves orders of other groups in their groups when it is deleted', () => {
    const { harness, a } = twoAccounts();
    for (let group = 1; group <= 2; group++)
      harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    const [first, second] = [1, 2].map((group) => harness.buy(a, 'YES', 4000, 2, inGroup(group)));
    harness.send('deleteGroup', { account: a, group: 1 });
    expect([first, second].map((order) => harness.view.openOrder(order ?? 0)?.group)).toEqual([0, 2]);
  });

  it.each([
    [{ maxFilled: 0, window: 1000 }, 'BELOW_MIN maxFilledShares'],
    [{ maxFilled: Number.NaN, window: 1000 }, 'INVALID_ORDER maxFilledShares'],
    [{ maxFilled: 2 ** 53, window: 1000 }, 'INVALID_ORDER maxFilledShares'],
    [{ maxFilled: 2 ** 52, window: 1000 }, 'ABOVE_MAX maxFilledShares'],
    [{ maxFilled: 1, window: 0 }, 'BELOW_MIN windowSeconds'],
    [{ maxFilled: 1, window: 1.5 }, 'INVALID_ORDER windowSeconds'],
    [{ maxFilled: 1, window: 1e12 }, 'ABOVE_MAX windowSeconds'],
  ])('refuses %o: %s', (members, expected) => {
    const { harness, a } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    const before = harness.hash();
    expect(eventTexts(harness.send('createGroup', { account: a, ...members }))).toEqual([`refused 0 ${expected}`]);
    expect(eventTexts(harness.send('updateGroup', { account: a, group: 1, reset: false, ...members }))).toEqual([
      `refused 0 ${expected}`,
    ]);
    expect(harness.hash()).toBe(before);
  });
});

describe('a refusal of a safety command', () => {
  it('reports its limit, the value and their unit', () => {
    const { harness, a } = twoAccounts();
    const refusals = (events: ReturnType<Harness['send']>) =>
      events.map((event) => 'refusal' in event && event.refusal);
    const heartbeat = (timeout: number) =>
      refusals(harness.send('heartbeat', { account: a, credential: CREDENTIAL, timeout }));
    const time = { field: 'timeoutMs', unit: 'MILLISECONDS' };
    expect(heartbeat(999)).toEqual([{ reason: 'BELOW_MIN', ...time, limit: 1000, value: 999 }]);
    expect(heartbeat(300_001)).toEqual([{ reason: 'ABOVE_MAX', ...time, limit: 300_000, value: 300_001 }]);
    const group = (maxFilled: number, window: number) =>
      refusals(harness.send('createGroup', { account: a, maxFilled, window }));
    const shares = { field: 'maxFilledShares', unit: 'MICRO_SHARES' };
    expect(group(0, 1000)).toEqual([{ reason: 'BELOW_MIN', ...shares, limit: 1, value: 0 }]);
    expect(group(1e15 + 1, 1000)).toEqual([{ reason: 'ABOVE_MAX', ...shares, limit: 1e15, value: 1e15 + 1 }]);
    const window = { field: 'windowSeconds', unit: 'MILLISECONDS' };
    expect(group(1, 0)).toEqual([{ reason: 'BELOW_MIN', ...window, limit: 1, value: 0 }]);
    const day = 86_400_000;
    expect(group(1, day + 1)).toEqual([{ reason: 'ABOVE_MAX', ...window, limit: day, value: day + 1 }]);
    expect([group(1, 1), group(1e15, day)]).toEqual([[false], [false]]);
  });

  it('reports the venue mode only in a halted venue, and only for groups', () => {
    const { harness, a } = twoAccounts();
    const create = () => eventTexts(harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 }));
    const update = () =>
      eventTexts(harness.send('updateGroup', { account: a, group: 1, maxFilled: SHARE, reset: true }));
    const remove = () => eventTexts(harness.send('deleteGroup', { account: a, group: 1 }));
    create();
    harness.send('setMode', { mode: 'HALTED' });
    expect([create(), update(), remove()].flat()).toEqual(Array.from({ length: 3 }, () => 'refused 0 VENUE_MODE'));
    const revoke = harness.send('revokeCredential', { account: a, credential: CREDENTIAL });
    expect(eventTexts(revoke)).toEqual(['credentialRevoked']);
    harness.send('setMode', { mode: 'CANCEL_ONLY' });
    expect([create(), update(), remove()].flat()).toEqual(['groupChanged', 'groupChanged', 'groupDeleted']);
  });

  it('reports that a group belongs to another account and leaves the group unchanged', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    harness.buy(a, 'YES', 4000, 1, inGroup(1));
    const before = harness.hash();
    const change = { account: b, group: 1, maxFilled: 9 * SHARE, reset: true };
    expect(eventTexts(harness.send('updateGroup', change))).toEqual(['refused 0 NOT_FOUND id']);
    expect(eventTexts(harness.send('deleteGroup', { account: b, group: 1 }))).toEqual(['refused 0 NOT_FOUND id']);
    expect(eventTexts(harness.place(b, inGroup(1)))).toEqual(['refused 0 NOT_FOUND groupId']);
    expect(harness.view.groupsOf(b)).toEqual([]);
    expect(harness.hash()).toBe(before);
  });
});

describe('the window of an order group', () => {
  /** A group of account a with a limit of 5 shares per second. `fill` returns whether the group trips. */
  function orderGroup() {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: 5 * SHARE, window: 1000 });
    const fill = (size: number) => {
      harness.buy(a, 'YES', 4000, size, inGroup(1));
      return eventTexts(harness.place(b, { outcome: 'NO', price: 6000, size, timeInForce: 'FAK' })).includes(
        'groupChanged',
      );
    };
    const update = (members: object) => harness.send('updateGroup', { account: a, group: 1, reset: false, ...members });
    const filled = () => harness.view.filledInWindow(1, harness.time) / SHARE;
    return { harness, a, fill, update, filled };
  }

  it('is empty after a reset, also when the group has not tripped', () => {
    const { fill, update, filled } = orderGroup();
    fill(5);
    update({ reset: true });
    expect(filled()).toBe(0);
    expect([fill(5), fill(1)]).toEqual([false, true]);
  });

  it('keeps its fills when the limit changes, so a limit below the filled size trips at the next fill', () => {
    const { harness, a, fill, update, filled } = orderGroup();
    fill(3);
    update({ maxFilled: 2 * SHARE });
    expect([filled(), harness.view.group(1, a)?.tripped]).toEqual([3, false]);
    expect(fill(1)).toBe(true);
    expect(filled()).toBe(4);
  });

  it('permanently removes the fills that a shorter window excludes', () => {
    const { harness, fill, update, filled } = orderGroup();
    fill(2);
    harness.time += 500;
    fill(1);
    update({ window: 500 });
    expect(filled()).toBe(1);
    update({ window: 86_400_000 });
    expect(filled()).toBe(1);
    expect([fill(4), fill(1)]).toEqual([false, true]);
  });

  it('does not regain earlier fills when it becomes longer', () => {
    const { harness, fill, update, filled } = orderGroup();
    fill(2);
    harness.time += 1000;
    update({ window: 60_000 });
    expect(filled()).toBe(0);
    harness.send('tick');
    expect([fill(5), fill(1)]).toEqual([false, true]);
  });
});
