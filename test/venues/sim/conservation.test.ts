import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logQueue, powerQueue, riskAverseQueue } from '../../../src/replay/queue.ts';
import { Harness } from './harness.ts';

const shares = fc.integer({ min: 100, max: 900 }).map((lots) => lots / 100);
const price = fc.integer({ min: 0, max: 8 }).map((at) => 5_960 + 10 * at);
const order = fc.record({ side: fc.constantFrom('bid', 'ask'), shares, price });
const model = fc.constantFrom(riskAverseQueue(), powerQueue(1), powerQueue(2), logQueue());

/** A market of 5950 x 6050 with depth around it, and own orders on both sides. */
const fixtures = fc.record({
  model,
  orders: fc.array(order, { maxLength: 8 }),
  depth: fc.array(order, { maxLength: 6 }),
});

function openHarness(
  { model: queue, orders, depth }: typeof fixtures extends fc.Arbitrary<infer T> ? T : never,
  capital = 10_000,
): Harness {
  const sim = new Harness({ queue, capital });
  sim.message('bid 5950 7', 'ask 6050 7');
  for (const each of depth) {
    const passive = each.side === 'bid' ? each.price < 6_000 : each.price > 6_000;
    if (passive) sim.message(`${each.side} ${each.price} ${each.shares}`);
  }
  for (const each of orders) sim.place(`${each.side} ${each.shares} @ ${each.price}`);
  return sim;
}

/** Returns the micro-shares filled since the last call. */
function newlyFilled(sim: Harness): number {
  return sim.fillFacts.splice(0).reduce((sum, fill) => sum + fill.shares, 0);
}

describe('simulated fills conserve shares and cash (docs/spec/models.md#conservation)', () => {
  it('own maker fills from a print are at most its size', () => {
    const print = fc.record({ taker: fc.constantFrom('buy', 'sell', 'print'), shares, price });
    fc.assert(
      fc.property(fixtures, fc.array(print, { minLength: 1, maxLength: 4 }), (fixture, prints) => {
        const sim = openHarness(fixture);
        for (const each of prints) {
          sim.message(`${each.taker} ${each.shares} @ ${each.price}`);
          expect(newlyFilled(sim)).toBeLessThanOrEqual(Math.round(each.shares * 1e6));
        }
      }),
    );
  });

  it('own maker fills from prints of the recording bot are at most their sum', () => {
    const print = fc.record({ shares, price });
    fc.assert(
      fc.property(
        fixtures,
        fc.constantFrom('buy', 'sell'),
        fc.array(print, { minLength: 1, maxLength: 4 }),
        (fixture, taker, prints) => {
          const sim = openHarness(fixture);
          sim.message(...prints.map((each) => `own ${taker} ${each.shares} @ ${each.price}`));
          const printed = prints.reduce((sum, each) => sum + Math.round(each.shares * 1e6), 0);
          expect(newlyFilled(sim)).toBeLessThanOrEqual(printed);
        },
      ),
    );
  });

  it('own maker fills from a crossing equal the decrease of the available size', () => {
    fc.assert(
      fc.property(fixtures, order, (fixture, level) => {
        const sim = openHarness(fixture);
        const side = level.side === 'bid' ? 'bid' : 'ask';
        const [shown] = sim.message(`${side} ${level.price} ${level.shares}`);
        const left = Math.round(sim.available(side, level.price) * 1e6);
        expect(shown).toBe(`${side} ${level.price} ${left / 1e6}`);
        const size = Math.round(level.shares * 1e6);
        // V equalled R, because nothing was consumed before.
        expect(newlyFilled(sim)).toBe(size - left);
      }),
    );
  });

  it('a message that only shrinks levels fills no order', () => {
    fc.assert(
      fc.property(fixtures, price, price, (fixture, bid, ask) => {
        const sim = openHarness(fixture);
        sim.message(`bid ${bid} 0`, `ask ${ask} 0`);
        expect(newlyFilled(sim)).toBe(0);
      }),
    );
  });

  it('the cash of the account can pay for every fill of its resting orders', () => {
    fc.assert(
      fc.property(fixtures, (fixture) => {
        const sim = openHarness(fixture, 12);
        sim.message('sell 1000 @ 1000', 'buy 1000 @ 9000');
        expect(sim.engine.exchange.openOrderCount).toBe(0);
        expect(sim.engine.ledger.cash).toBeGreaterThanOrEqual(0);
        const { cash, outside, collateral, fees } = sim.engine.ledger.balance;
        expect(cash + outside + collateral + fees).toBe(0);
      }),
    );
  });
});
