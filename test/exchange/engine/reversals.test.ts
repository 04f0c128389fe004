import { describe, expect, it } from 'vitest';
import { Exchange, type ExchangeEvent, MemoryIdentities } from '../../../src/exchange/index.ts';
import { restored } from '../properties/snapshot.ts';
import { DOLLAR, Harness, reasonOf, SHARE, scenario, sha256 } from './harness.ts';

const WINDOW = 60_000;

/** Two accounts with a thousand dollars and ten pairs each, in a market with a fee of 2 %, whose trades can be reversed. */
function harness(): Harness {
  const made = new Harness();
  made.account();
  made.account();
  made.market({ feeRateBps: 200 });
  made.send('allowReversals', { window: WINDOW });
  for (const account of [1, 2]) made.send('split', { account, market: 0, shares: 10 * SHARE });
  return made;
}

function lastTrade({ view }: Harness): number {
  return view.reversals.trades.at(-1)?.seq ?? 0;
}

function reverse(on: Harness, trade = lastTrade(on)): readonly ExchangeEvent[] {
  return on.send('reverseTrade', { trade });
}

/** All money and shares of both accounts, and the venue's fees. */
function moneyOf({ view }: Harness) {
  const of = (account: number) => ({ account: view.account(account), holding: view.holding(account, 0) });
  return { first: of(1), second: of(2), fees: view.fees, collateral: view.collateral(0) };
}

describe('a reversed trade', () => {
  it.each([
    ['MINT', 'BUY', 'NO', 'BUY'],
    ['NORMAL', 'BUY', 'YES', 'SELL'],
    ['NORMAL', 'SELL', 'YES', 'BUY'],
    ['MERGE', 'SELL', 'NO', 'SELL'],
  ] as const)('of the kind %s, maker %s, leaves everybody with what they had', (match, makerSide, outcome, side) => {
    const on = harness();
    const before = moneyOf(on);
    const maker = on.order(1, { side: makerSide, price: 6000, size: 5 });
    const price = outcome === 'YES' ? 6000 : 4000;
    const taker = on.order(2, { outcome, side, price, size: 5 });
    expect(on.view.reversals.trades).toHaveLength(1);
    expect(on.view.fees).toBeGreaterThan(0);
    const trade = lastTrade(on);
    const [event, ...others] = reverse(on);
    expect(others).toEqual([]);
    const terms = { market: 0, maker, taker, yesPrice: 6000, shares: 5 * SHARE, fee: 240_000 * 0.1 };
    expect(event).toMatchObject({ type: 'happened', event: { type: 'tradeReversed', trade, ...terms } });
    expect(moneyOf(on)).toEqual(before);
    expect(match).toBeDefined();
  });

  it('gives sold shares back at the cost that went out with them, whatever was bought since', () => {
    const on = harness();
    on.sell(1, 'YES', 6000, 4);
    on.buy(2, 'YES', 6000, 4);
    const trade = lastTrade(on);
    // Six are left at 0.50 each; six more at 0.30.
    on.buy(1, 'YES', 3000, 6);
    on.sell(2, 'YES', 3000, 6);
    reverse(on, trade);
    const { cost = 0, shares = 0, realized = 0 } = on.view.holding(1, 0)?.yes ?? {};
    expect([shares, cost, realized]).toEqual([16 * SHARE, 5 * DOLLAR + 1.8 * DOLLAR, 0]);
  });

  it('realises the difference when the bought shares have lost some of their cost to a sale', () => {
    const on = new Harness();
    on.account();
    on.account();
    on.market();
    on.send('allowReversals', { window: WINDOW });
    on.send('split', { account: 2, market: 0, shares: 30 * SHARE });
    for (const price of [2000, 8000]) {
      on.sell(2, 'YES', price, 10);
      on.buy(1, 'YES', price, 10);
    }
    const dear = lastTrade(on);
    on.buy(2, 'YES', 5000, 10);
    on.sell(1, 'YES', 5000, 10);
    // Ten are left, at 0.50 each; taken back are ten at 0.80.
    reverse(on, dear);
    const yes = on.view.holding(1, 0)?.yes;
    expect(yes).toMatchObject({ shares: 0, cost: 0 });
    expect(yes?.realized).toBe(3 * DOLLAR);
    expect(on.view.account(1)?.available).toBe(1003 * DOLLAR);
  });

  it('is reversed once', () => {
    const on = harness();
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(on);
    reverse(on, trade);
    expect(reasonOf(reverse(on, trade))).toBe('NOT_FOUND');
  });

  it('is final when its time is over, or when it was made before reversals were allowed', () => {
    const on = harness();
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(on);
    on.time += WINDOW - 1;
    expect(scenario(reverse(on, trade))).toEqual(['tradeReversed']);
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const late = lastTrade(on);
    on.time += WINDOW;
    expect(reasonOf(reverse(on, late))).toBe('NOT_FOUND');
    on.send('allowReversals', { window: 0 });
    on.buy(1, 'YES', 6000, 1);
    on.sell(2, 'YES', 6000, 1);
    const { seq } = on.view;
    on.send('allowReversals', { window: WINDOW });
    for (let event = seq - 4; event <= seq; event += 1) expect(reasonOf(reverse(on, event))).toBe('NOT_FOUND');
  });

  it('stands once its market has paid out or refunded', () => {
    const on = harness();
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(on);
    on.send('voidMarket', { market: 0 });
    expect(reasonOf(reverse(on, trade))).toBe('ALREADY_FINAL');
  });

  it('leaves the rest of an open order in its place', () => {
    const on = harness();
    const order = on.buy(1, 'YES', 6000, 5);
    const behind = on.buy(1, 'YES', 6000, 7);
    on.sell(2, 'YES', 6000, 2);
    reverse(on);
    expect(on.view.openOrder(order)?.remaining).toBe(3 * SHARE);
    expect(on.view.queueAhead(behind)).toBe(3 * SHARE);
  });
});

describe('what a reversed trade had brought', () => {
  it('is taken from the newest sales that hold it, no more than needed', () => {
    const on = harness();
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(on);
    const old = on.sell(1, 'YES', 9000, 8);
    const other = on.sell(1, 'NO', 9000, 8);
    const recent = on.sell(1, 'YES', 9100, 7);
    expect(scenario(reverse(on, trade))).toEqual([`closed ${recent} ADMIN 7`, 'tradeReversed']);
    expect(on.view.openOrders(1).map(({ order }) => order)).toEqual([old, other]);
  });

  it('is taken from the newest purchases that hold it, in whatever market', () => {
    const on = harness();
    on.sell(1, 'YES', 6000, 5);
    on.buy(2, 'YES', 6000, 5);
    const trade = lastTrade(on);
    on.market();
    const old = on.buy(1, 'YES', 5000, 900);
    const recent = on.buy(1, 'NO', 4000, 1350, { market: 1 });
    expect(on.view.account(1)?.available).toBe(3 * DOLLAR);
    on.send('transfer', { account: 1, amount: -3 * DOLLAR });
    expect(scenario(reverse(on, trade))).toEqual([`closed ${recent} ADMIN 1350`, 'tradeReversed']);
    expect(on.view.openOrder(old)).toBeDefined();
  });

  it('keeps the trade when the shares were sold on, and changes nothing', () => {
    const on = harness();
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(on);
    on.buy(2, 'YES', 5000, 11);
    on.sell(1, 'YES', 5000, 11);
    const open = on.sell(1, 'YES', 9000, 4);
    const before = on.hash();
    const refused = { limit: 4 * SHARE, value: 5 * SHARE, unit: 'MICRO_SHARES' };
    expect(reverse(on, trade)).toMatchObject([
      { type: 'refused', refusal: { reason: 'INSUFFICIENT_SHARES', field: 'trade', ...refused } },
    ]);
    expect(on.hash()).toBe(before);
    expect(on.view.openOrder(open)).toBeDefined();
  });

  it('keeps the trade when the proceeds have left the account', () => {
    const on = harness();
    on.sell(1, 'YES', 6000, 5);
    on.buy(2, 'YES', 6000, 5);
    on.send('transfer', { account: 1, amount: -991 * DOLLAR });
    const before = on.hash();
    expect(reasonOf(reverse(on))).toBe('INSUFFICIENT_BALANCE');
    expect(on.hash()).toBe(before);
  });

  it('may be owed by an account without limits', () => {
    const on = harness();
    const house = on.account(0, true);
    on.send('split', { account: house, market: 0, shares: 5 * SHARE });
    on.sell(house, 'YES', 6000, 5);
    on.buy(2, 'YES', 6000, 5);
    expect(scenario(reverse(on))).toEqual(['tradeReversed']);
    expect(on.view.account(house)?.available).toBe(-5 * DOLLAR);
  });
});

describe('trades that can be reversed', () => {
  it('are remembered by a snapshot, and reversed alike after it', () => {
    const on = harness();
    on.buy(1, 'YES', 6000, 5);
    on.sell(2, 'YES', 6000, 5);
    const copy = new Harness({}, restored(on.exchange, new MemoryIdentities()));
    copy.time = on.time;
    expect(copy.hash()).toBe(on.hash());
    expect(reverse(copy)).toEqual(reverse(on));
    expect(copy.hash()).toBe(on.hash());
  });

  it('leave no trace in the state of an exchange without them', () => {
    const plain = new Exchange({ sha256 });
    const on = new Harness({}, new Exchange({ sha256 }));
    on.send('allowReversals', { window: 0 });
    expect(on.hash()).toBe(plain.stateHash());
  });

  it.each([-1, 0.5, 86_400_001, Number.NaN])('are not allowed for %d ms', (window) => {
    expect(reasonOf(harness().send('allowReversals', { window }))).toBe('INVALID_ORDER');
  });
});
