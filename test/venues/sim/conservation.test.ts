import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logQueue, powerQueue, riskAverseQueue } from '../../../src/replay/index.ts';
import { Harness } from './harness.ts';

const shares = fc.integer({ min: 100, max: 900 }).map((lots) => lots / 100);
const price = fc.integer({ min: 0, max: 8 }).map((at) => 5_960 + 10 * at);
const order = fc.record({ side: fc.constantFrom('bid', 'ask'), shares, price });
const model = fc.constantFrom(riskAverseQueue(), powerQueue(1), powerQueue(2), logQueue());

/** A market of 5950 x 6050 with depth around it, and own orders wherever they may rest. */
const fixture = fc.record({
  model,
  orders: fc.array(order, { maxLength: 8 }),
  depth: fc.array(order, { maxLength: 6 }),
});

function staged(
  { model: queue, orders, depth }: typeof fixture extends fc.Arbitrary<infer T> ? T : never,
  capital = 10_000,
): Harness {
  const played = new Harness({ queue, capital });
  played.message('bid 5950 7', 'ask 6050 7');
  for (const each of depth) {
    const passive = each.side === 'bid' ? each.price < 6_000 : each.price > 6_000;
    if (passive) played.message(`${each.side} ${each.price} ${each.shares}`);
  }
  for (const each of orders) played.place(`${each.side} ${each.shares} @ ${each.price}`);
  return played;
}

/** Micro-shares. */
function given(played: Harness): number {
  return played.fillFacts.splice(0).reduce((sum, fill) => sum + fill.shares, 0);
}

describe('simulated fills conserve shares and cash (docs/spec/models.md#conservation)', () => {
  it('own maker shares from prints are at most the prints, each and together', () => {
    const print = fc.record({ taker: fc.constantFrom('buy', 'sell', 'print'), shares, price });
    fc.assert(
      fc.property(fixture, fc.array(print, { minLength: 1, maxLength: 4 }), (setting, prints) => {
        const played = staged(setting);
        for (const each of prints) {
          played.message(`${each.taker} ${each.shares} @ ${each.price}`);
          expect(given(played)).toBeLessThanOrEqual(Math.round(each.shares * 1e6));
        }
      }),
    );
  });

  it('own maker shares from prints of a recording bot are at most the prints', () => {
    const print = fc.record({ shares, price });
    fc.assert(
      fc.property(
        fixture,
        fc.constantFrom('buy', 'sell'),
        fc.array(print, { minLength: 1, maxLength: 4 }),
        (setting, taker, prints) => {
          const played = staged(setting);
          played.message(...prints.map((each) => `own ${taker} ${each.shares} @ ${each.price}`));
          const printed = prints.reduce((sum, each) => sum + Math.round(each.shares * 1e6), 0);
          expect(given(played)).toBeLessThanOrEqual(printed);
        },
      ),
    );
  });

  it('own maker shares from a crossing equal the loss of V and are at most V', () => {
    fc.assert(
      fc.property(fixture, order, (setting, level) => {
        const played = staged(setting);
        const side = level.side === 'bid' ? 'bid' : 'ask';
        const [shown] = played.message(`${side} ${level.price} ${level.shares}`);
        const left = Math.round(played.visible(side, level.price) * 1e6);
        expect(shown).toBe(`${side} ${level.price} ${left / 1e6}`);
        const before = Math.round(level.shares * 1e6);
        // Where nothing was consumed before, V was R.
        expect(given(played)).toBe(before - left);
      }),
    );
  });

  it('a message that only shrinks levels fills no order', () => {
    fc.assert(
      fc.property(fixture, price, price, (setting, bid, ask) => {
        const played = staged(setting);
        played.message(`bid ${bid} 0`, `ask ${ask} 0`);
        expect(given(played)).toBe(0);
      }),
    );
  });

  it('the cash of the account can pay for every fill of its resting orders', () => {
    fc.assert(
      fc.property(fixture, (setting) => {
        const played = staged(setting, 12);
        played.message('sell 1000 @ 1000', 'buy 1000 @ 9000');
        expect(played.engine.exchange.openOrderCount).toBe(0);
        expect(played.engine.ledger.cash).toBeGreaterThanOrEqual(0);
        const { cash, outside, collateral, fees } = played.engine.ledger.balance;
        expect(cash + outside + collateral + fees).toBe(0);
      }),
    );
  });
});
