import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { unchecked } from '../../../src/domain/index.ts';
import { takerFees } from '../../../src/venues/sim/fees.ts';
import { Harness } from './harness.ts';

const FAK = { timeInForce: 'FAK' } as const;
const MARKET = unchecked.market(0);

function harness(reversedShare: number, delay = 1_000): Harness {
  const sim = new Harness({
    settlement: { delay, reversedShare, random: seededRandom(1) },
    fees: takerFees(200),
  });
  sim.message('bid 5900 50', 'ask 6100 50');
  return sim;
}

/** Advances the engine to the next settlement. */
function settle({ engine }: Harness): void {
  engine.processDeadline(engine.nextDeadline);
}

describe('a venue that settles trades after they matched', () => {
  it('makes a fill final after the delay', () => {
    const sim = harness(0);
    sim.place('bid 10 @ 6100', FAK);
    expect(sim.events()).toEqual(['#1 accepted', '#1 filled 10 @ 6100']);
    expect(sim.engine.nextDeadline).toBe(sim.time + 1_000);
    settle(sim);
    expect(sim.events()).toEqual(['#1 fillsettled simulated-1']);
    expect(sim.engine.nextDeadline).toBe(Number.POSITIVE_INFINITY);
  });

  it('refuses to sell or merge unsettled shares, and accepts the sale once they are settled', () => {
    const sim = harness(0);
    sim.place('bid 10 @ 6100', FAK);
    sim.place('sell yes 10 @ 5900', FAK);
    sim.command({ type: 'split', bot: unchecked.instance(3), market: MARKET, shares: unchecked.shares(5_000_000) });
    sim.command({ type: 'merge', bot: unchecked.instance(3), market: MARKET, shares: unchecked.shares(6_000_000) });
    expect(sim.events().slice(2)).toEqual([
      '#2 rejected INSUFFICIENT_SHARES',
      'split -5000000 fee 0',
      'merge refused INSUFFICIENT_SHARES',
    ]);
    settle(sim);
    sim.place('sell yes 10 @ 5900', FAK);
    expect(sim.events()).toEqual(['#1 fillsettled simulated-1', '#3 accepted', '#3 filled 10 @ 5900']);
  });

  it('reverses a fill, which restores the cash, shares and fees of the exchange and the ledger', () => {
    const sim = harness(1);
    const { ledger, exchange } = sim.engine;
    const [before, cash] = [ledger.balance, exchange.account(2)?.available];
    sim.place('bid 10 @ 6100', FAK);
    expect(ledger.market(MARKET).yes).toBe(10_000_000);
    settle(sim);
    expect(sim.events().at(-1)).toBe('#1 fillreversed simulated-1');
    expect(ledger.market(MARKET).yes).toBe(0);
    expect(ledger.balance).toEqual(before);
    expect(ledger.pnl().totalMicros).toBe(0);
    expect(exchange.account(2)?.available).toBe(cash);
  });

  it('holds the proceeds of a sale until it is settled', () => {
    const sim = harness(0);
    const available = () => sim.engine.exchange.account(2)?.available;
    sim.command({ type: 'split', bot: unchecked.instance(3), market: MARKET, shares: unchecked.shares(10_000_000) });
    const cash = available();
    sim.place('sell yes 10 @ 5900', FAK);
    expect(available()).toBe(cash);
    settle(sim);
    expect(available()).toBeGreaterThan(cash ?? 0);
  });

  it('makes every trade of a market final when the market ends', () => {
    const sim = harness(1);
    sim.place('bid 10 @ 6100', FAK);
    sim.message('pays 10000');
    expect(sim.events().slice(2)).toEqual(['#1 fillsettled simulated-1']);
    expect(sim.engine.ledger.market(MARKET).owed).toBe(10_000_000);
    settle(sim);
    expect(sim.events()).toEqual([]);
  });

  it('keeps ledger and exchange equal whatever is bought, sold, settled and reversed', () => {
    const action = fc.oneof(
      fc.record({ text: fc.constantFrom('bid', 'ask', 'sell yes', 'sell no'), lots: fc.integer({ min: 1, max: 9 }) }),
      fc.constant('settle' as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), fc.integer(), (actions, seed) => {
        const sim = new Harness({
          settlement: { delay: 35, reversedShare: 0.5, random: seededRandom(seed >>> 0) },
          fees: takerFees(200),
          liquidity: 'immutable',
        });
        sim.message('bid 5900 50', 'ask 6100 50');
        for (const each of actions) {
          if (each === 'settle') {
            if (sim.engine.nextDeadline <= sim.time) settle(sim);
            else sim.time += 40;
          } else {
            while (sim.engine.nextDeadline <= sim.time + 10) settle(sim);
            const price = each.text === 'bid' || each.text === 'sell no' ? 6100 : 5900;
            sim.place(`${each.text} ${each.lots} @ ${price}`, FAK);
          }
        }
        while (sim.engine.nextDeadline < Number.POSITIVE_INFINITY) settle(sim);
        const { ledger, exchange } = sim.engine;
        expect(exchange.account(2)?.available).toBe(ledger.cash);
        const held = exchange.holding(2, 0);
        expect([held?.yes.shares ?? 0, held?.no.shares ?? 0]).toEqual([
          ledger.market(MARKET).yes,
          ledger.market(MARKET).no,
        ]);
      }),
    );
  });
});
