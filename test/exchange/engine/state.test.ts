import { describe, expect, it } from 'vitest';
import { column } from '../../../src/domain/index.ts';
import {
  Exchange,
  type ExchangeSink,
  ExchangeStopped,
  MemoryIdentities,
  type StateReader,
  type StateWriter,
} from '../../../src/exchange/index.ts';
import { Harness, SHARE, scenario, sha256 } from './harness.ts';

/** Keeps what is written, and gives it back. */
class Sheet implements StateWriter, StateReader {
  readonly cells: (number | string)[] = [];
  #at = 0;

  number(value: number): void;
  number(): number;
  number(value?: number): number | undefined {
    if (value === undefined) return this.#next('number');
    expect(Number.isSafeInteger(value) && !Object.is(value, -0)).toBe(true);
    this.cells.push(value);
    return undefined;
  }

  text(value: string): void;
  text(): string;
  text(value?: string): string | undefined {
    if (value === undefined) return this.#next('string');
    this.cells.push(value);
    return undefined;
  }

  #next(type: 'number'): number;
  #next(type: 'string'): string;
  #next(type: string): number | string {
    const cell = this.cells[this.#at++];
    if (cell === undefined || typeof cell !== type) throw new Error(`no ${type} at ${this.#at - 1}`);
    return cell;
  }
}

/** A state with something of everything in it. */
function full(identities: MemoryIdentities): Harness {
  const harness = new Harness({ identities, quotePolicy: 'multiplicative' });
  const [a, b] = [harness.account(), harness.account()];
  harness.account(0, true);
  harness.market({ feeRateBps: 50 });
  harness.market({ tickBps: 100 });
  harness.deploying({ initialOrder: harness.terms({ price: 3000, hash: '0xfirst' }) });
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

/** What a harness does next, whatever its past. */
function goOn(harness: Harness): readonly string[] {
  harness.send('setMode', { mode: 'NORMAL' });
  return [
    ...scenario(harness.place(2, { side: 'SELL', price: 3900, size: 13, epoch: 0 })),
    ...scenario(harness.place(1, { hash: '0xfirst' })),
    ...scenario(harness.place(2, { clientOrderId: 'mine' })),
    ...scenario(harness.place(2, { size: 3 }, 5)),
    ...scenario(harness.place(2, { size: 3 }, 6)),
    ...scenario(harness.confirm(2)),
    ...scenario(harness.send('tick', { time: harness.time + 100_000 })),
    ...scenario(harness.send('cancelAllOrders', { account: 1 })),
    ...scenario(harness.send('tick', { time: harness.time + 40 * 86_400_000 })),
  ];
}

describe('the state of an exchange', () => {
  it('is restored exactly and continues as before', () => {
    const identities = new MemoryIdentities();
    const harness = full(identities);
    const sheet = new Sheet();
    const names = new Sheet();
    harness.exchange.writeState(sheet);
    identities.writeState(names);
    const back = new Harness(
      {},
      Exchange.restore(sheet, { sha256, identities: MemoryIdentities.restore(names), capacity: { orders: 7000 } }),
    );
    back.time = harness.time;
    expect(back.hash()).toBe(harness.hash());
    expect(back.view.nextDeadline).toBe(harness.view.nextDeadline);
    expect(back.view.openOrders(1)).toEqual(harness.view.openOrders(1));
    const next = goOn(harness);
    expect(next.length).toBeGreaterThan(20);
    expect(goOn(back)).toEqual(next);
    expect(back.hash()).toBe(harness.hash());
  });

  it('does not depend on the commands that led to it', () => {
    const one = full(new MemoryIdentities());
    const other = full(new MemoryIdentities());
    // Orders, groups and heartbeats that leave nothing but numbers behind, in another order of slots.
    for (const harness of [one, other]) harness.send('setMode', { mode: 'NORMAL' });
    const extra = (harness: Harness) => [harness.buy(2, 'YES', 100, 400), harness.buy(2, 'YES', 200, 400)];
    const [first, second] = extra(one);
    one.send('cancel', { account: 2, orders: [first] });
    one.send('cancel', { account: 2, orders: [second] });
    const [third, fourth] = extra(other);
    other.send('cancel', { account: 2, orders: [fourth] });
    other.send('cancel', { account: 2, orders: [third] });
    expect(one.hash()).toBe(other.hash());
  });

  it('of another version is refused', () => {
    const sheet = new Sheet();
    sheet.number(99);
    expect(() => Exchange.restore(sheet, { sha256 })).toThrow(
      /^this is a state of version 99, not 2 to 5: replay the journal$/,
    );
  });

  it.each([
    [3, 'mode'],
    [4, 'quote policy'],
    [5, 'configuration'],
  ])('with damaged cell %d is refused: the %s', (cell, what) => {
    const sheet = new Sheet();
    full(new MemoryIdentities()).exchange.writeState(sheet);
    sheet.cells[cell] = typeof sheet.cells[cell] === 'string' ? 'nonsense' : -1;
    expect(() => Exchange.restore(sheet, { sha256 })).toThrow(
      `the ${what} in this snapshot is damaged: use an older one`,
    );
  });

  it('with any one number changed is refused or restores a different state', () => {
    const whole = new Sheet();
    const harness = full(new MemoryIdentities());
    harness.exchange.writeState(whole);
    const hash = harness.hash();
    let refused = 0;
    for (const [at, cell] of whole.cells.entries()) {
      if (typeof cell !== 'number') continue;
      const sheet = new Sheet();
      sheet.cells.push(...whole.cells);
      sheet.cells[at] = cell === 1 ? 0 : cell + 1;
      try {
        expect(Exchange.restore(sheet, { sha256 }).stateHash()).not.toBe(hash);
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

  /** Restores two orders, of which the first row or its count is changed: by place in it, the second row behind it. */
  function restored(change: Readonly<Record<number, number>>): Exchange {
    const harness = new Harness();
    for (const price of [4000, 4100]) {
      const account = harness.account();
      if (account === 1) harness.market();
      harness.buy(account, 'YES', price, 7);
    }
    const sheet = new Sheet();
    harness.exchange.writeState(sheet);
    const rows = [2, 0, 4000, 1, 1, 0, 7 * SHARE];
    const begin = sheet.cells.findIndex((_, at) => rows.every((cell, place) => sheet.cells[at + place] === cell)) + 1;
    for (const [place, value] of Object.entries(change)) sheet.cells[begin + Number(place)] = value;
    return Exchange.restore(sheet, { sha256 });
  }

  it('is restored when nothing was changed', () => {
    expect(restored({}).view.openOrderCount).toBe(2);
  });

  it.each<[string, Record<number, number>, string]>([
    ['of another account', { [ACCOUNT]: 2 }, 'order 1'],
    ['a duplicate', { [ROW + ORDER]: 1, [ROW + ACCOUNT]: 1 }, 'order 1'],
    ['of an unknown number', { [ORDER]: 3 }, 'order 3'],
    ['in no market', { [MARKET]: 1 }, 'order 1'],
    ['off its tick', { [PRICE]: 4005 }, 'order 1'],
    ['of part of a lot', { [REMAINING]: 7 * SHARE + 1 }, 'order 1'],
    ['one of too many', { [-1]: 3 }, '3 open orders'],
    ['one of a negative count', { [-1]: -1 }, '-1 open orders'],
  ])('is refused when it is %s', (_, change, what) => {
    expect(() => restored(change)).toThrow(`${what} in this snapshot is invalid: use an older one`);
  });
});

describe('the time of the exchange', () => {
  it('is that of the last event; refused commands and commands without effect do not move it', () => {
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

  it('never goes back: a command from the past happens now', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.time += 5000;
    harness.market();
    harness.time -= 2000;
    expect(scenario(harness.place(account, { timeInForce: 'GTD', expiration: harness.time + 1000 }))).toEqual([
      'refused 0 EXPIRED_PARAMS expiration',
    ]);
    expect(scenario(harness.place(account))).toEqual(['accepted 1']);
    expect(harness.view.now).toBe(harness.time + 2000);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 53, 1_700_000_000_000.5])('refuses %d', (time) => {
    const harness = new Harness();
    harness.account();
    const before = harness.hash();
    expect(scenario(harness.send('tick', { time }))).toEqual(['refused -1 INVALID_ORDER time']);
    expect(harness.hash()).toBe(before);
  });

  it('advances in one leap as in many: what is due happens at its own time, in order', () => {
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
    const leap = build();
    const received = leap.send('tick', { time: leap.time + 100_000_000 });
    expect(scenario(received)).toEqual([
      'closed 3 EXPIRED 1',
      'closed 2 EXPIRED 1',
      'heartbeatLapsed',
      'closed 1 HEARTBEAT_LAPSED 1',
      'closed 4 EXPIRED 1',
      'marketChanged',
      'resolutionStepped',
      'resolutionAsked',
      'marketChanged',
      'resolutionStepped',
    ]);
    const steps = build();
    const all = [];
    for (let wait = 500; wait <= 100_000_000; wait = wait < 5000 ? wait + 500 : wait * 3) {
      all.push(...steps.send('tick', { time: steps.time + wait }));
    }
    all.push(...steps.send('tick', { time: steps.time + 100_000_000 }));
    expect(all).toEqual(received);
    expect(steps.hash()).toBe(leap.hash());
  });
});

describe('a broken invariant', () => {
  it('stops the exchange for good with the command that broke it', () => {
    const harness = new Harness();
    const time = column.time(harness.time);
    const thrower = new Proxy({} as ExchangeSink, {
      get: () => () => {
        throw new RangeError('Invariant: the sink is full');
      },
    });
    const command = { type: 'openAccount', time, address: '0xa', unlimited: false } as const;
    let stopped: unknown;
    try {
      harness.exchange.apply(command, thrower);
    } catch (error) {
      stopped = error;
    }
    expect(stopped).toBeInstanceOf(ExchangeStopped);
    expect(stopped).toMatchObject({
      code: 'EXCHANGE_STOPPED',
      command,
      message: expect.stringContaining('the sink is full'),
    });
    expect(() => harness.send('tick')).toThrow(ExchangeStopped);
  });
});
