import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { column, counted } from '../../../src/domain/index.ts';
import { takerFees } from '../../../src/venues/sim/index.ts';
import { Harness } from './harness.ts';

const FAK = { timeInForce: 'FAK' } as const;
const MARKET = counted.market(0);

function harness(reversedShare: number, delay = 1_000): Harness {
  const played = new Harness({
    settlement: { delay, reversedShare, random: seededRandom(1) },
    fees: takerFees(200),
  });
  played.message('bid 5900 50', 'ask 6100 50');
  return played;
}

/** Lets the time of the next settlement come. */
function settle({ engine }: Harness): void {
  engine.reachDeadline(engine.nextDeadline);
}

describe('a venue that settles trades after they matched', () => {
  it('makes a fill final after the delay', () => {
    const played = harness(0);
    played.place('bid 10 @ 6100', FAK);
    expect(played.news()).toEqual(['#1 accepted', '#1 filled 10 @ 6100']);
    expect(played.engine.nextDeadline).toBe(played.time + 1_000);
    settle(played);
    expect(played.news()).toEqual(['#1 fillsettled simulated-1']);
    expect(played.engine.nextDeadline).toBe(Number.POSITIVE_INFINITY);
  });

  it('refuses to sell or merge what is not settled, and takes it afterwards', () => {
    const played = harness(0);
    played.place('bid 10 @ 6100', FAK);
    played.place('sell yes 10 @ 5900', FAK);
    played.command({ type: 'split', bot: counted.bot(3), market: MARKET, shares: column.shares(5_000_000) });
    played.command({ type: 'merge', bot: counted.bot(3), market: MARKET, shares: column.shares(6_000_000) });
    expect(played.news().slice(2)).toEqual([
      '#2 rejected INSUFFICIENT_SHARES',
      'split -5000000 fee 0',
      'merge refused INSUFFICIENT_SHARES',
    ]);
    settle(played);
    played.place('sell yes 10 @ 5900', FAK);
    expect(played.news()).toEqual(['#1 fillsettled simulated-1', '#3 accepted', '#3 filled 10 @ 5900']);
  });

  it('takes a fill back: cash, shares and fees are as before it, at the exchange and in the ledger', () => {
    const played = harness(1);
    const { ledger, exchange } = played.engine;
    const [before, cash] = [ledger.balance, exchange.account(2)?.available];
    played.place('bid 10 @ 6100', FAK);
    expect(ledger.market(MARKET).yes).toBe(10_000_000);
    settle(played);
    expect(played.news().at(-1)).toBe('#1 fillreversed simulated-1');
    expect(ledger.market(MARKET).yes).toBe(0);
    expect(ledger.balance).toEqual(before);
    expect(ledger.pnl().totalMicros).toBe(0);
    expect(exchange.account(2)?.available).toBe(cash);
  });

  it('holds the proceeds of a sale until it is settled', () => {
    const played = harness(0);
    const available = () => played.engine.exchange.account(2)?.available;
    played.command({ type: 'split', bot: counted.bot(3), market: MARKET, shares: column.shares(10_000_000) });
    const cash = available();
    played.place('sell yes 10 @ 5900', FAK);
    expect(available()).toBe(cash);
    settle(played);
    expect(available()).toBeGreaterThan(cash ?? 0);
  });

  it('makes every trade of a market final when the market ends', () => {
    const played = harness(1);
    played.place('bid 10 @ 6100', FAK);
    played.message('pays 10000');
    expect(played.news().slice(2)).toEqual(['#1 fillsettled simulated-1']);
    expect(played.engine.ledger.market(MARKET).owed).toBe(10_000_000);
    settle(played);
    expect(played.news()).toEqual([]);
  });

  it('keeps ledger and exchange equal whatever is bought, sold, settled and taken back', () => {
    const action = fc.oneof(
      fc.record({ text: fc.constantFrom('bid', 'ask', 'sell yes', 'sell no'), lots: fc.integer({ min: 1, max: 9 }) }),
      fc.constant('settle' as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), fc.integer(), (actions, seed) => {
        const played = new Harness({
          settlement: { delay: 35, reversedShare: 0.5, random: seededRandom(seed >>> 0) },
          fees: takerFees(200),
          liquidity: 'immutable',
        });
        played.message('bid 5900 50', 'ask 6100 50');
        for (const each of actions) {
          if (each === 'settle') {
            if (played.engine.nextDeadline <= played.time) settle(played);
            else played.time += 40;
          } else {
            while (played.engine.nextDeadline <= played.time + 10) settle(played);
            const price = each.text === 'bid' || each.text === 'sell no' ? 6100 : 5900;
            played.place(`${each.text} ${each.lots} @ ${price}`, FAK);
          }
        }
        while (played.engine.nextDeadline < Number.POSITIVE_INFINITY) settle(played);
        const { ledger, exchange } = played.engine;
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
