import { describe, expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { checkClearing } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { writeClearing } from '../../../src/exchange/accounts/state.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { StateList } from './naive-state.ts';

const { buyYes, sellYes, buyNo, sellNo } = ORDER_KIND;
const DOLLAR = 1_000_000;
const PRICE = 3000;
const SHARES = 4 * SHARE;
const FEE = 70_000;

/** A maker with holding 1 and a taker with holding 2, both in market 0, with $100 and ten pairs each. */
function twoAccounts(): Clearing {
  const clearing = new Clearing();
  for (const address of ['0xa', '0xb']) {
    const account = clearing.accounts.open(address, false);
    clearing.transfer(account, 100 * DOLLAR);
    clearing.split(clearing.open(account, 0), 10 * SHARE);
  }
  return clearing;
}

function stateOf(clearing: Clearing): readonly (number | string)[] {
  const state = new StateList();
  writeClearing(clearing, state);
  return state.values;
}

describe('a reversed trade', () => {
  it.each([
    ['two buyers', buyYes, buyNo],
    ['a buyer and a seller', buyYes, sellYes],
    ['a seller and a buyer', sellNo, buyNo],
    ['two sellers', sellYes, sellNo],
  ])('of %s restores all cash, positions, costs, fees and collateral', (_, maker, taker) => {
    const clearing = twoAccounts();
    const before = stateOf(clearing);
    const costsOf = () =>
      [1, 2].map((holding) => clearing.holdings.cost(holding, 'YES') + clearing.holdings.cost(holding, 'NO'));
    const costs = costsOf();
    clearing.reserve(1, maker, PRICE, SHARES);
    clearing.trade(1, maker, 2, taker, PRICE, SHARES, FEE);
    expect(clearing.collateralLedger.fees).toBe(FEE);
    // A SELL removes the cost of its shares, half a dollar each after a split. A BUY removes none.
    const [makerCost = 0, takerCost = 0] = costsOf().map((cost, at) => Math.max(0, (costs[at] ?? 0) - cost));
    clearing.reverse({
      market: 0,
      yesPrice: PRICE,
      shares: SHARES,
      fee: FEE,
      maker: { account: 1, kind: maker, cost: makerCost },
      taker: { account: 2, kind: taker, cost: takerCost },
    });
    checkClearing(clearing);
    expect(stateOf(clearing)).toEqual(before);
  });
});
