import { describe, expect, it } from 'vitest';
import { MemoryIdentities } from '../../../src/exchange/engine/identities.ts';
import { Exchange, type StateReader, type StateWriter } from '../../../src/exchange/index.ts';
import { eventTexts, Harness, SHARE, sha256 } from './harness.ts';

/** Stores a written state in a list and reads it back. */
class StateList implements StateWriter, StateReader {
  readonly values: (number | string)[] = [];
  #at = 0;

  number(value: number): void;
  number(): number;
  number(value?: number): number | undefined {
    if (value === undefined) return this.#next('number');
    expect(Number.isSafeInteger(value) && !Object.is(value, -0)).toBe(true);
    this.values.push(value);
    return undefined;
  }

  text(value: string): void;
  text(): string;
  text(value?: string): string | undefined {
    if (value === undefined) return this.#next('string');
    this.values.push(value);
    return undefined;
  }

  #next(type: 'number'): number;
  #next(type: 'string'): string;
  #next(type: string): number | string {
    const value = this.values[this.#at++];
    if (value === undefined || typeof value !== type) throw new Error(`no ${type} at ${this.#at - 1}`);
    return value;
  }
}

/** An exchange whose state has an entry of every kind. */
function filledExchange(identities: MemoryIdentities): Harness {
  const harness = new Harness({ identities, quotePolicy: 'multiplicative' });
  const [a, b] = [harness.account(), harness.account()];
  harness.unlimitedAccount();
  harness.market({ feeRateBps: 50 });
  harness.market({ tickBps: 100 });
  harness.createMarket({ initialOrder: harness.terms({ price: 3000, hash: '0xfirst' }) });
  harness.send('split', { account: b, market: 0, shares: 50 * SHARE });
  harness.send('createGroup', { account: a, maxFilled: 20 * SHARE, window: 5000 });
  harness.send('createGroup', { account: b, maxFilled: 20 * SHARE, window: 5000 });
  harness.send('deleteGroup', { account: b, group: 2 });
  harness.send('heartbeat', { account: a, credential: 4, timeout: 9000 });
  harness.send('heartbeat', { account: b, credential: 5, timeout: 1000 });
  harness.send('revokeCredential', { account: b, credential: 6 });
  for (const price of [4000, 3900, 4000, 4100]) {
    harness.order(a, { price, size: 4, group: 1, timeInForce: 'GTD', expiration: harness.time + price } as never, 4);
  }
  harness.order(b, { side: 'SELL', price: 4100, size: 6, clientOrderId: 'mine' });
  harness.time += 1500;
  harness.order(b, { side: 'SELL', price: 7000, size: 6 });
  harness.order(b, { market: 1, outcome: 'NO', price: 2000, size: 2 });
  harness.send('cancelAllOrders', { account: 3 });
  harness.send('closeEarly', { market: 1 });
  harness.send('setMode', { mode: 'POST_ONLY' });
  harness.send('configure', { config: { minOrderShares: 2_000_000 } });
  return harness;
}

/** Executes further commands and returns the texts of their events. */
function continueTrading(harness: Harness): readonly string[] {
  harness.send('setMode', { mode: 'NORMAL' });
  return [
    ...eventTexts(harness.place(2, { side: 'SELL', price: 3900, size: 13, epoch: 0 })),
    ...eventTexts(harness.place(1, { hash: '0xfirst' })),
    ...eventTexts(harness.place(2, { clientOrderId: 'mine' })),
    ...eventTexts(harness.place(2, { size: 3 }, 5)),
    ...eventTexts(harness.place(2, { size: 3 }, 6)),
    ...eventTexts(harness.confirm(2)),
    ...eventTexts(harness.send('tick', { time: harness.time + 100_000 })),
    ...eventTexts(harness.send('cancelAllOrders', { account: 1 })),
    ...eventTexts(harness.send('tick', { time: harness.time + 40 * 86_400_000 })),
  ];
}

describe('the state of an exchange', () => {
  it('is restored exactly, and the restored exchange continues identically', () => {
    const identities = new MemoryIdentities();
    const harness = filledExchange(identities);
    const list = new StateList();
    const identityList = new StateList();
    harness.exchange.writeState(list);
    identities.writeState(identityList);
    const restoredHarness = new Harness(
      {},
      Exchange.restore(list, {
        sha256,
        identities: MemoryIdentities.restore(identityList),
        capacity: { orders: 7000 },
      }),
    );
    restoredHarness.time = harness.time;
    expect(restoredHarness.hash()).toBe(harness.hash());
    expect(restoredHarness.view.nextDeadline).toBe(harness.view.nextDeadline);
    expect(restoredHarness.view.openOrders(1)).toEqual(harness.view.openOrders(1));
    const next = continueTrading(harness);
    expect(next.length).toBeGreaterThan(20);
    expect(continueTrading(restoredHarness)).toEqual(next);
    expect(restoredHarness.hash()).toBe(harness.hash());
  });

  it('does not depend on the commands that led to it', () => {
    const forward = filledExchange(new MemoryIdentities());
    const backward = filledExchange(new MemoryIdentities());
    // Orders cancelled in a different sequence free their slots in a different sequence.
    for (const harness of [forward, backward]) harness.send('setMode', { mode: 'NORMAL' });
    const extra = (harness: Harness) => [harness.buy(2, 'YES', 100, 400), harness.buy(2, 'YES', 200, 400)];
    const [first, second] = extra(forward);
    forward.send('cancel', { account: 2, orders: [first] });
    forward.send('cancel', { account: 2, orders: [second] });
    const [third, fourth] = extra(backward);
    backward.send('cancel', { account: 2, orders: [fourth] });
    backward.send('cancel', { account: 2, orders: [third] });
    expect(forward.hash()).toBe(backward.hash());
  });

  it('of another version is refused', () => {
    const list = new StateList();
    list.number(99);
    expect(() => Exchange.restore(list, { sha256 })).toThrow(
      /^this is a state of version 99, not 2 to 5: replay the journal$/,
    );
  });

  it.each([
    [3, 'mode'],
    [4, 'quote policy'],
    [5, 'configuration'],
  ])('with a damaged value at index %d, the %s, is refused', (index, name) => {
    const list = new StateList();
    filledExchange(new MemoryIdentities()).exchange.writeState(list);
    list.values[index] = typeof list.values[index] === 'string' ? 'nonsense' : -1;
    expect(() => Exchange.restore(list, { sha256 })).toThrow(
      `the ${name} in this snapshot is invalid: use an older one`,
    );
  });

  it('is refused or restores to a different state when any single number changes', () => {
    const original = new StateList();
    const harness = filledExchange(new MemoryIdentities());
    harness.exchange.writeState(original);
    const hash = harness.hash();
    let refused = 0;
    for (const [at, value] of original.values.entries()) {
      if (typeof value !== 'number') continue;
      const list = new StateList();
      list.values.push(...original.values);
      list.values[at] = value === 1 ? 0 : value + 1;
      try {
        expect(Exchange.restore(list, { sha256 }).stateHash()).not.toBe(hash);
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe('a stored open order', () => {
  const [MARKET, PRICE, ORDER, ACCOUNT, REMAINING, ROW] = [0, 1, 2, 3, 5, 10];

  /** Restores two orders after changing values: -1 is the count, 0 to 9 the first row, 10 to 19 the second. */
  function restoreChanged(change: Readonly<Record<number, number>>): Exchange {
    const harness = new Harness();
    for (const price of [4000, 4100]) {
      const account = harness.account();
      if (account === 1) harness.market();
      harness.buy(account, 'YES', price, 7);
    }
    const list = new StateList();
    harness.exchange.writeState(list);
    const rows = [2, 0, 4000, 1, 1, 0, 7 * SHARE];
    const begin =
      list.values.findIndex((_, at) => rows.every((value, offset) => list.values[at + offset] === value)) + 1;
    for (const [offset, value] of Object.entries(change)) list.values[begin + Number(offset)] = value;
    return Exchange.restore(list, { sha256 });
  }

  it('is restored when nothing was changed', () => {
    expect(restoreChanged({}).view.openOrderCount).toBe(2);
  });

  it.each<[string, Record<number, number>, string]>([
    ['of another account', { [ACCOUNT]: 2 }, 'order 1'],
    ['a duplicate', { [ROW + ORDER]: 1, [ROW + ACCOUNT]: 1 }, 'order 1'],
    ['of an unknown order number', { [ORDER]: 3 }, 'order 3'],
    ['in an unknown market', { [MARKET]: 1 }, 'order 1'],
    ['off its tick', { [PRICE]: 4005 }, 'order 1'],
    ['of a fraction of a lot', { [REMAINING]: 7 * SHARE + 1 }, 'order 1'],
    ['in a list with too large a count', { [-1]: 3 }, '3 open orders'],
    ['in a list with a negative count', { [-1]: -1 }, '-1 open orders'],
  ])('is refused when it is %s', (_, change, subject) => {
    expect(() => restoreChanged(change)).toThrow(`${subject} in this snapshot is invalid: use an older one`);
  });
});

describe('the time of the exchange', () => {
  it('is that of the last event, because refused commands and commands without effect do not advance it', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    const start = harness.time;
    const before = harness.hash();
    harness.time += 5000;
    harness.place(account, { price: 1 });
    harness.send('tick');
    harness.send('cancelMarketOrders', { account, market: 0 });
    expect([harness.view.now, harness.hash()]).toEqual([start, before]);
    harness.order(account);
    expect(harness.view.now).toBe(start + 5000);
  });

  it('never decreases, because a command from the past is executed at the current time', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.time += 5000;
    harness.market();
    harness.time -= 2000;
    expect(eventTexts(harness.place(account, { timeInForce: 'GTD', expiration: harness.time + 1000 }))).toEqual([
      'refused 0 EXPIRED_PARAMS expiration',
    ]);
    expect(eventTexts(harness.place(account))).toEqual(['accepted 1']);
    expect(harness.view.now).toBe(harness.time + 2000);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 53, 1_700_000_000_000.5])('refuses %d', (time) => {
    const harness = new Harness();
    harness.account();
    const before = harness.hash();
    expect(eventTexts(harness.send('tick', { time }))).toEqual(['refused -1 INVALID_ORDER time']);
    expect(harness.hash()).toBe(before);
  });

  it('passes each deadline in order and at its own time, whether it advances in one step or in many', () => {
    const build = () => {
      const harness = new Harness();
      const account = harness.account();
      harness.market({ resolutionDate: harness.time + 3000 });
      harness.send('heartbeat', { account, credential: 4, timeout: 2000 });
      harness.order(account, { price: 4000, size: 1 }, 4);
      for (const wait of [2000, 1000, 3000]) {
        harness.order(account, { price: 4000, size: 1, timeInForce: 'GTD', expiration: harness.time + wait });
      }
      return harness;
    };
    const oneStep = build();
    const received = oneStep.send('tick', { time: oneStep.time + 100_000_000 });
    expect(eventTexts(received)).toEqual([
      'closed 3 EXPIRED 1',
      'closed 2 EXPIRED 1',
      'heartbeatLapsed',
      'closed 1 HEARTBEAT_LAPSED 1',
      'closed 4 EXPIRED 1',
      'marketChanged',
      'resolutionStepped',
      'resolutionRequested',
      'marketChanged',
      'resolutionStepped',
    ]);
    const manySteps = build();
    const events = [];
    for (let wait = 500; wait <= 100_000_000; wait = wait < 5000 ? wait + 500 : wait * 3) {
      events.push(...manySteps.send('tick', { time: manySteps.time + wait }));
    }
    events.push(...manySteps.send('tick', { time: manySteps.time + 100_000_000 }));
    expect(events).toEqual(received);
    expect(manySteps.hash()).toBe(oneStep.hash());
  });
});
