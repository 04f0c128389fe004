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
import { SHARE, Stage, sha256, story } from './stage.ts';

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
function full(identities: MemoryIdentities): Stage {
  const stage = new Stage({ identities, quotePolicy: 'multiplicative' });
  const [a, b] = [stage.account(), stage.account()];
  stage.account(0, true);
  stage.market({ feeRateBps: 50 });
  stage.market({ tickBps: 100 });
  stage.deploying({ initialOrder: stage.terms({ price: 3000, hash: '0xfirst' }) });
  stage.send('split', { account: b, market: 0, shares: 50 * SHARE });
  stage.send('createGroup', { account: a, maxFilled: 20 * SHARE, window: 5000 });
  stage.send('createGroup', { account: b, maxFilled: 20 * SHARE, window: 5000 });
  stage.send('deleteGroup', { account: b, group: 2 });
  stage.send('heartbeat', { account: a, credential: 4, timeout: 9000 });
  stage.send('heartbeat', { account: b, credential: 5, timeout: 1000 });
  stage.send('revokeCredential', { account: b, credential: 6 });
  for (const price of [4000, 3900, 4000, 4100]) {
    stage.order(a, { price, size: 4, group: 1, timeInForce: 'GTD', expiration: stage.time + price } as never, 4);
  }
  stage.order(b, { side: 'SELL', price: 4100, size: 6, clientOrderId: 'mine' });
  stage.time += 1500;
  stage.order(b, { side: 'SELL', price: 7000, size: 6 });
  stage.order(b, { market: 1, outcome: 'NO', price: 2000, size: 2 });
  stage.send('cancelAllOrders', { account: 3 });
  stage.send('closeEarly', { market: 1 });
  stage.send('setMode', { mode: 'POST_ONLY' });
  stage.send('configure', { config: { minOrderShares: 2_000_000 } });
  return stage;
}

/** What a stage does next, whatever its past. */
function goOn(stage: Stage): readonly string[] {
  stage.send('setMode', { mode: 'NORMAL' });
  return [
    ...story(stage.place(2, { side: 'SELL', price: 3900, size: 13, epoch: 0 })),
    ...story(stage.place(1, { hash: '0xfirst' })),
    ...story(stage.place(2, { clientOrderId: 'mine' })),
    ...story(stage.place(2, { size: 3 }, 5)),
    ...story(stage.place(2, { size: 3 }, 6)),
    ...story(stage.confirm(2)),
    ...story(stage.send('tick', { time: stage.time + 100_000 })),
    ...story(stage.send('cancelAllOrders', { account: 1 })),
    ...story(stage.send('tick', { time: stage.time + 40 * 86_400_000 })),
  ];
}

describe('the state of an exchange', () => {
  it('is restored exactly and continues as before', () => {
    const identities = new MemoryIdentities();
    const stage = full(identities);
    const sheet = new Sheet();
    const names = new Sheet();
    stage.exchange.writeState(sheet);
    identities.writeState(names);
    const back = new Stage(
      {},
      Exchange.restore(sheet, { sha256, identities: MemoryIdentities.restore(names), capacity: { orders: 7000 } }),
    );
    back.time = stage.time;
    expect(back.hash()).toBe(stage.hash());
    expect(back.view.nextDeadline).toBe(stage.view.nextDeadline);
    expect(back.view.openOrders(1)).toEqual(stage.view.openOrders(1));
    const next = goOn(stage);
    expect(next.length).toBeGreaterThan(20);
    expect(goOn(back)).toEqual(next);
    expect(back.hash()).toBe(stage.hash());
  });

  it('does not depend on the commands that led to it', () => {
    const one = full(new MemoryIdentities());
    const other = full(new MemoryIdentities());
    // Orders, groups and heartbeats that leave nothing but numbers behind, in another order of slots.
    for (const stage of [one, other]) stage.send('setMode', { mode: 'NORMAL' });
    const extra = (stage: Stage) => [stage.buy(2, 'YES', 100, 400), stage.buy(2, 'YES', 200, 400)];
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
    const stage = full(new MemoryIdentities());
    stage.exchange.writeState(whole);
    const hash = stage.hash();
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
    const stage = new Stage();
    for (const price of [4000, 4100]) {
      const account = stage.account();
      if (account === 1) stage.market();
      stage.buy(account, 'YES', price, 7);
    }
    const sheet = new Sheet();
    stage.exchange.writeState(sheet);
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
    expect(() => restored(change)).toThrow(`${what} in this snapshot cannot be: use an older one`);
  });
});

describe('the time of the exchange', () => {
  it('is that of the last event; refused commands and commands without effect do not move it', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.market();
    const start = stage.time;
    const before = stage.hash();
    stage.time += 5000;
    stage.place(account, { price: 1 });
    stage.send('tick');
    stage.send('cancelMarketOrders', { account, market: 0 });
    expect([stage.view.now, stage.hash()]).toEqual([start, before]);
    stage.order(account);
    expect(stage.view.now).toBe(start + 5000);
  });

  it('never goes back: a command from the past happens now', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.time += 5000;
    stage.market();
    stage.time -= 2000;
    expect(story(stage.place(account, { timeInForce: 'GTD', expiration: stage.time + 1000 }))).toEqual([
      'refused 0 EXPIRED_PARAMS expiration',
    ]);
    expect(story(stage.place(account))).toEqual(['accepted 1']);
    expect(stage.view.now).toBe(stage.time + 2000);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 53, 1_700_000_000_000.5])('refuses %d', (time) => {
    const stage = new Stage();
    stage.account();
    const before = stage.hash();
    expect(story(stage.send('tick', { time }))).toEqual(['refused -1 INVALID_ORDER time']);
    expect(stage.hash()).toBe(before);
  });

  it('advances in one leap as in many: what is due happens at its own time, in order', () => {
    const build = () => {
      const stage = new Stage();
      const account = stage.account();
      stage.market({ resolutionDate: stage.time + 3000 });
      stage.send('heartbeat', { account, credential: 4, timeout: 2000 });
      stage.order(account, { price: 4000, size: 1 }, 4);
      for (const wait of [2000, 1000, 3000]) {
        stage.order(account, { price: 4000, size: 1, timeInForce: 'GTD', expiration: stage.time + wait });
      }
      return stage;
    };
    const leap = build();
    const received = leap.send('tick', { time: leap.time + 100_000_000 });
    expect(story(received)).toEqual([
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
    const stage = new Stage();
    const time = column.time(stage.time);
    const thrower = new Proxy({} as ExchangeSink, {
      get: () => () => {
        throw new RangeError('Invariant: the sink is full');
      },
    });
    const command = { type: 'openAccount', time, address: '0xa', unlimited: false } as const;
    let stopped: unknown;
    try {
      stage.exchange.apply(command, thrower);
    } catch (error) {
      stopped = error;
    }
    expect(stopped).toBeInstanceOf(ExchangeStopped);
    expect(stopped).toMatchObject({
      code: 'EXCHANGE_STOPPED',
      command,
      message: expect.stringContaining('the sink is full'),
    });
    expect(() => stage.send('tick')).toThrow(ExchangeStopped);
  });
});
