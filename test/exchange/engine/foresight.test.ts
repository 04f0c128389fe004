import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { column } from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG, type ExchangeCommand } from '../../../src/exchange/index.ts';
import { DOLLAR, Stage } from './stage.ts';

const MANY = 16_384;
/** Some belong into one home: there are as many, or twice as many, while the table grows. */
const ORDERS = MANY + 4000;

const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: ORDERS + 100 }) },
  fc.integer(),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 31, 2 ** 32 + 5, 2 ** 53, -1, 1e300),
);
const anything = fc.oneof({ weight: 8, arbitrary: number }, fc.anything());
const orders = fc.oneof({ weight: 8, arbitrary: fc.array(anything, { maxLength: 8 }) }, fc.anything());
const account = fc.constantFrom(1, 2);
const asked = { time: 1_700_000_000_000, credential: 0 };

/** Commands as hosts have them before they are carried out: nobody has looked at what is in them yet. */
const command: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ type: fc.constant('cancel'), account, orders }),
  fc.record({ type: fc.constant('reduce'), account, order: anything, by: fc.constantFrom(1_000_000, 100_000_000) }),
  fc.record({
    type: fc.constant('replace'),
    account,
    market: fc.constant(0),
    cancel: fc.oneof({ weight: 4, arbitrary: orders }, fc.array(fc.integer({ min: 1, max: ORDERS }), { maxLength: 4 })),
    place: fc.constant([]),
    mustReplace: fc.constant(false),
  }),
  fc.record({ type: fc.constant('tick') }),
);

function crowded(): Stage {
  const config = { ...DEFAULT_CONFIG, maxExposurePerMarket: column.usd(1e9 * DOLLAR) };
  const stage = new Stage({ config });
  for (let accounts = 0; accounts < 2; accounts++) stage.account(1e7);
  stage.market();
  for (let order = 1; order <= ORDERS; order++) stage.buy(1 + (order % 2), 'YES', 1000 + 100 * (order % 30), 100);
  return stage;
}

function areCommands(list: readonly unknown[]): list is readonly ExchangeCommand[] {
  return list.length > 0;
}

describe('foresight', () => {
  let [told, untold] = [new Stage(), new Stage()];

  beforeAll(() => {
    [told, untold] = [crowded(), crowded()];
    Object.defineProperty(untold.exchange.foresight, 'pays', { value: false });
  });

  it('pays among so many open orders', () => {
    expect([told.view.openOrderCount, told.exchange.foresight.pays]).toEqual([ORDERS, true]);
    const few = new Stage();
    expect(few.exchange.foresight.pays).toBe(false);
    expect(() => few.exchange.foresight.expect([1, 2, 3], 3)).not.toThrow();
  });

  it('changes nothing, whatever is told', () => {
    const before = told.hash();
    const list = fc.array(anything, { maxLength: 100 });
    fc.assert(
      fc.property(list, fc.integer({ min: -3, max: 200 }), (some, count) => {
        told.exchange.foresight.expect(some, count);
      }),
    );
    expect(told.hash()).toBe(before);
  });

  it('leaves what commands come to as it is', () => {
    const lists = fc.array(command, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(lists, (list) => {
        const commands: readonly unknown[] = list.map((one) => Object.assign({}, asked, one));
        if (!areCommands(commands)) return;
        told.exchange.foresight.expectAll(commands);
        for (const one of commands) expect(told.apply(one)).toEqual(untold.apply(one));
      }),
      { numRuns: 50 },
    );
    expect(told.view.openOrderCount).toBeLessThan(ORDERS);
    expect(told.exchange.foresight.pays).toBe(true);
    expect(told.hash()).toBe(untold.hash());
  });
});
