import { describe, expect, it } from 'vitest';
import { MemoryIdentities } from '../../../src/exchange/engine/identities.ts';
import { Exchange, type ExchangeEvent } from '../../../src/exchange/index.ts';
import { restored } from '../properties/snapshot.ts';
import { DOLLAR, eventTexts, Harness, reasonOf, SHARE, sha256 } from './harness.ts';

const WINDOW = 60_000;

/** A market with a fee of 2 % and reversible trades; two accounts with $990 and ten pairs each. */
function newHarness(): Harness {
  const harness = new Harness();
  harness.account();
  harness.account();
  harness.market({ feeRateBps: 200 });
  harness.send('allowReversals', { window: WINDOW });
  for (const account of [1, 2]) harness.send('split', { account, market: 0, shares: 10 * SHARE });
  return harness;
}

function lastTrade({ view }: Harness): number {
  return view.reversals.trades.at(-1)?.seq ?? 0;
}

function reverse(harness: Harness, trade = lastTrade(harness)): readonly ExchangeEvent[] {
  return harness.send('reverseTrade', { trade });
}

/** Returns all cash and shares of both accounts, the venue's fees, and the collateral. */
function balancesOf({ view }: Harness) {
  const balance = (account: number) => ({ account: view.account(account), holding: view.holding(account, 0) });
  return { first: balance(1), second: balance(2), fees: view.fees, collateral: view.collateral(0) };
}

describe('a reversed trade', () => {
  it.each([
    ['MINT', 'BUY', 'NO', 'BUY'],
    ['NORMAL', 'BUY', 'YES', 'SELL'],
    ['NORMAL', 'SELL', 'YES', 'BUY'],
    ['MERGE', 'SELL', 'NO', 'SELL'],
  ] as const)('of the kind %s, maker %s, restores the balances of both accounts', (match, makerSide, outcome, side) => {
    const harness = newHarness();
    const before = balancesOf(harness);
    const maker = harness.order(1, { side: makerSide, price: 6000, size: 5 });
    const price = outcome === 'YES' ? 6000 : 4000;
    const events = harness.place(2, { outcome, side, price, size: 5 });
    const taker = maker + 1;
    expect(events).toContainEqual(expect.objectContaining({ type: 'traded', match, maker, taker }));
    expect(harness.view.reversals.trades).toHaveLength(1);
    expect(harness.view.fees).toBeGreaterThan(0);
    const trade = lastTrade(harness);
    const [event, ...others] = reverse(harness);
    expect(others).toEqual([]);
    const terms = { market: 0, maker, taker, yesPrice: 6000, shares: 5 * SHARE, fee: 240_000 * 0.1 };
    expect(event).toMatchObject({ type: 'rareEvent', event: { type: 'tradeReversed', trade, ...terms } });
    expect(balancesOf(harness)).toEqual(before);
  });

  it('returns sold shares at the cost that they left with, also after later purchases', () => {
    const harness = newHarness();
    harness.sell(1, 'YES', 6000, 4);
    harness.buy(2, 'YES', 6000, 4);
    const trade = lastTrade(harness);
    // Six shares remain at $0.50 each; six more cost $0.30 each.
    harness.buy(1, 'YES', 3000, 6);
    harness.sell(2, 'YES', 3000, 6);
    reverse(harness, trade);
    const { cost = 0, shares = 0, realized = 0 } = harness.view.holding(1, 0)?.yes ?? {};
    expect([shares, cost, realized]).toEqual([16 * SHARE, 5 * DOLLAR + 1.8 * DOLLAR, 0]);
  });

  it('realizes the difference when a later sale has reduced the cost of the bought shares', () => {
    const harness = new Harness();
    harness.account();
    harness.account();
    harness.market();
    harness.send('allowReversals', { window: WINDOW });
    harness.send('split', { account: 2, market: 0, shares: 30 * SHARE });
    for (const price of [2000, 8000]) {
      harness.sell(2, 'YES', price, 10);
      harness.buy(1, 'YES', price, 10);
    }
    const expensive = lastTrade(harness);
    harness.buy(2, 'YES', 5000, 10);
    harness.sell(1, 'YES', 5000, 10);
    // Ten shares remain at $0.50 each; the reversal removes ten at $0.80 each.
    reverse(harness, expensive);
    const yes = harness.view.holding(1, 0)?.yes;
    expect(yes).toMatchObject({ shares: 0, cost: 0 });
    expect(yes?.realized).toBe(3 * DOLLAR);
    expect(harness.view.account(1)?.available).toBe(1003 * DOLLAR);
  });

  it('cannot be reversed again', () => {
    const harness = newHarness();
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    reverse(harness, trade);
    expect(reasonOf(reverse(harness, trade))).toBe('NOT_FOUND');
  });

  it('is final after the window, and from the start when reversals were not yet allowed', () => {
    const harness = newHarness();
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    harness.time += WINDOW - 1;
    expect(eventTexts(reverse(harness, trade))).toEqual(['tradeReversed']);
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const late = lastTrade(harness);
    harness.time += WINDOW;
    expect(reasonOf(reverse(harness, late))).toBe('NOT_FOUND');
    harness.send('allowReversals', { window: 0 });
    harness.buy(1, 'YES', 6000, 1);
    harness.sell(2, 'YES', 6000, 1);
    const { seq } = harness.view;
    harness.send('allowReversals', { window: WINDOW });
    for (let event = seq - 4; event <= seq; event += 1) expect(reasonOf(reverse(harness, event))).toBe('NOT_FOUND');
  });

  it('is final when its market has paid out or refunded', () => {
    const harness = newHarness();
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    harness.send('voidMarket', { market: 0 });
    expect(reasonOf(reverse(harness, trade))).toBe('ALREADY_FINAL');
  });

  it('keeps the queue position of a partly filled order', () => {
    const harness = newHarness();
    const order = harness.buy(1, 'YES', 6000, 5);
    const behind = harness.buy(1, 'YES', 6000, 7);
    harness.sell(2, 'YES', 6000, 2);
    reverse(harness);
    expect(harness.view.openOrder(order)?.remaining).toBe(3 * SHARE);
    expect(harness.view.queueAhead(behind)).toBe(3 * SHARE);
  });
});

describe('a reversal', () => {
  it('cancels the newest sales that hold the bought shares, as few as necessary', () => {
    const harness = newHarness();
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    const old = harness.sell(1, 'YES', 9000, 8);
    const other = harness.sell(1, 'NO', 9000, 8);
    const recent = harness.sell(1, 'YES', 9100, 7);
    expect(eventTexts(reverse(harness, trade))).toEqual([`closed ${recent} ADMIN 7`, 'tradeReversed']);
    expect(harness.view.openOrders(1).map(({ order }) => order)).toEqual([old, other]);
  });

  it('cancels the newest purchases that hold the proceeds, in any market', () => {
    const harness = newHarness();
    harness.sell(1, 'YES', 6000, 5);
    harness.buy(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    harness.market();
    const old = harness.buy(1, 'YES', 5000, 900);
    const recent = harness.buy(1, 'NO', 4000, 1350, { market: 1 });
    expect(harness.view.account(1)?.available).toBe(3 * DOLLAR);
    harness.send('transfer', { account: 1, amount: -3 * DOLLAR });
    expect(eventTexts(reverse(harness, trade))).toEqual([`closed ${recent} ADMIN 1350`, 'tradeReversed']);
    expect(harness.view.openOrder(old)).toBeDefined();
  });

  it('is refused without a change when the shares were sold', () => {
    const harness = newHarness();
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    harness.buy(2, 'YES', 5000, 11);
    harness.sell(1, 'YES', 5000, 11);
    const open = harness.sell(1, 'YES', 9000, 4);
    const before = harness.hash();
    const refused = { limit: 4 * SHARE, value: 5 * SHARE, unit: 'MICRO_SHARES' };
    expect(reverse(harness, trade)).toMatchObject([
      { type: 'refused', refusal: { reason: 'INSUFFICIENT_SHARES', field: 'trade', ...refused } },
    ]);
    expect(harness.hash()).toBe(before);
    expect(harness.view.openOrder(open)).toBeDefined();
  });

  it('is refused when the proceeds have left the account', () => {
    const harness = newHarness();
    harness.sell(1, 'YES', 6000, 5);
    harness.buy(2, 'YES', 6000, 5);
    harness.send('transfer', { account: 1, amount: -991 * DOLLAR });
    const before = harness.hash();
    expect(reasonOf(reverse(harness))).toBe('INSUFFICIENT_BALANCE');
    expect(harness.hash()).toBe(before);
  });

  it('keeps the sell orders of a seller whose cash must be freed', () => {
    const harness = newHarness();
    harness.sell(1, 'YES', 6000, 5);
    harness.buy(2, 'YES', 6000, 5);
    const trade = lastTrade(harness);
    harness.send('transfer', { account: 1, amount: -990 * DOLLAR });
    const purchase = harness.buy(1, 'YES', 1000, 20);
    const sale = harness.sell(1, 'NO', 9500, 2);
    expect(eventTexts(reverse(harness, trade))).toEqual([`closed ${purchase} ADMIN 20`, 'tradeReversed']);
    expect(harness.view.openOrder(sale)).toBeDefined();
  });

  it('is refused when 65,536 newer trades are reversible', () => {
    const harness = newHarness();
    const trades: number[] = [];
    for (let count = 0; count < 65_537; count += 1) {
      const buyer = 1 + (count % 2);
      harness.buy(buyer, 'YES', 5000, 1);
      harness.sell(3 - buyer, 'YES', 5000, 1);
      if (count < 2) trades.push(lastTrade(harness));
    }
    expect(trades.map((trade) => reasonOf(reverse(harness, trade)))).toEqual(['NOT_FOUND', undefined]);
  });

  it('leaves an unlimited account with a debt', () => {
    const harness = newHarness();
    const unlimited = harness.unlimitedAccount();
    harness.send('split', { account: unlimited, market: 0, shares: 5 * SHARE });
    harness.sell(unlimited, 'YES', 6000, 5);
    harness.buy(2, 'YES', 6000, 5);
    expect(eventTexts(reverse(harness))).toEqual(['tradeReversed']);
    expect(harness.view.account(unlimited)?.available).toBe(-5 * DOLLAR);
  });
});

describe('reversible trades', () => {
  it('are part of a snapshot and can be reversed after a restore', () => {
    const harness = newHarness();
    harness.buy(1, 'YES', 6000, 5);
    harness.sell(2, 'YES', 6000, 5);
    const copy = new Harness({}, restored(harness.exchange, new MemoryIdentities()));
    copy.time = harness.time;
    expect(copy.hash()).toBe(harness.hash());
    expect(reverse(copy)).toEqual(reverse(harness));
    expect(copy.hash()).toBe(harness.hash());
  });

  it('do not change the state hash of an exchange without them', () => {
    const plain = new Exchange({ sha256 });
    const harness = new Harness({}, new Exchange({ sha256 }));
    harness.send('allowReversals', { window: 0 });
    expect(harness.hash()).toBe(plain.stateHash());
  });

  it.each([-1, 0.5, 86_400_001, Number.NaN])('are not allowed for %d ms', (window) => {
    expect(reasonOf(newHarness().send('allowReversals', { window }))).toBe('INVALID_ORDER');
  });
});
