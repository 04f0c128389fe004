import { describe, expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { checkClearing } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { rowStart } from '../../../src/exchange/accounts/holding-amounts.ts';
import { MAX_MONEY } from '../../../src/exchange/accounts/overflow-guard.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';

const { buyYes, sellYes, buyNo } = ORDER_KIND;
const [YES, NO] = [0, 4];
const [SHARES, RESERVED_SHARES, COST, REALIZED] = [0, 1, 2, 3];
const [RESERVED_CASH, NET_PAID, FEES] = [8, 9, 10];

/** Two accounts with $10 each minted two pairs at 60/40, the second with a fee. The first has a sale and a bid open. */
function clearingAfterTrade(): Clearing {
  const clearing = new Clearing();
  for (const address of ['0xa', '0xb']) {
    clearing.transfer(clearing.accounts.open(address, false), 10_000_000);
    clearing.open(clearing.accounts.find(address), 0);
  }
  clearing.reserve(1, buyYes, 6000, 2 * SHARE);
  clearing.trade(1, buyYes, 2, buyNo, 6000, 2 * SHARE, 9);
  clearing.reserve(1, sellYes, 9000, SHARE);
  clearing.reserve(1, buyYes, 1000, SHARE);
  return clearing;
}

function add(clearing: Clearing, holding: number, column: number, amount: number): void {
  const { amounts } = clearing.holdings;
  amounts[rowStart(holding) + column] = (amounts[rowStart(holding) + column] ?? 0) + amount;
}

describe('a check of consistent accounts', () => {
  it('passes for an empty clearing house, and after trades, a refund and its claim', () => {
    checkClearing(new Clearing());
    const clearing = clearingAfterTrade();
    checkClearing(clearing);
    clearing.release(1, sellYes, 9000, SHARE);
    clearing.release(1, buyYes, 1000, SHARE);
    clearing.settlement.refund(0);
    checkClearing(clearing);
    clearing.settlement.claim(1);
    checkClearing(clearing);
  });

  it('passes when intermediate sums of net payments are too large to be exact', () => {
    const clearing = new Clearing();
    const paid = [3e15, 3e15, 3e15, 2e15 + 1, -3e15, -3e15, -3e15, -2e15 - 1];
    for (const [at, amount] of paid.entries()) {
      const holding = clearing.open(clearing.accounts.open(`0x${at}`, false), 0);
      add(clearing, holding, NET_PAID, amount);
      add(clearing, holding, REALIZED, -amount);
    }
    clearing.collateralLedger.turnoverBound = 4e15;
    checkClearing(clearing);
    add(clearing, 1, NET_PAID, 1);
    expect(() => checkClearing(clearing)).toThrow('0 pairs, 1 paid in');
  });
});

describe('a check of inconsistent accounts', () => {
  const faults: readonly (readonly [string, (clearing: Clearing) => void, string])[] = [
    ['cash from nowhere', (c) => c.accounts.credit(2, 1), 'the ledger sums to 1 micro-USD'],
    ['fees from nowhere', feesFromNowhere, 'the ledger sums to 1 micro-USD'],
    ['collateral from nowhere', collateralFromNowhere, 'the ledger sums to 1 micro-USD'],
    ['money without an account', (c) => c.accounts.credit(0, 1), 'account 0 has money or shares'],
    ['reserves without an account', (c) => c.accounts.reserved.fill(1, 0, 1), 'account 0 has money or shares'],
    ['shares without an account', (c) => add(c, 0, YES + SHARES, 1), 'account 0 has money or shares'],
    ['a debt of a limited account', debtOfLimitedAccount, 'account 2 has -1 micro-USD to spend'],
    ['a debt that is not counted', uncountedDebt, 'accounts owe 5 micro-USD and not 0'],
    ['too much money in play', (c) => c.transfer(1, MAX_MONEY), 'micro-USD in play are more than 3000000000000000'],
    [
      'a reserve without an order',
      (c) => add(c, 1, RESERVED_CASH, 1),
      'account 1 has 100000 micro-USD reserved, its orders need 100001',
    ],
    [
      'a pair without a dollar',
      (c) => c.collateralLedger.supply.fill(2 * SHARE + 1, 0, 1),
      'has 2000001 pairs, 2000000 paid in',
    ],
    ['a payment without a payer', (c) => add(c, 2, NET_PAID, 1), 'has 2000000 pairs, 2000001 paid in'],
    ['a YES share too many', (c) => add(c, 2, YES + SHARES, 1), 'has 2000001 YES and 2000000 NO'],
    ['a NO share too many', (c) => add(c, 2, NO + SHARES, 1), 'has 2000000 YES and 2000001 NO'],
    [
      'more YES shares on sale than held',
      (c) => add(c, 1, YES + RESERVED_SHARES, SHARE + 1),
      'sells 2000001 of 2000000 YES',
    ],
    [
      'more NO shares on sale than held',
      (c) => add(c, 1, NO + RESERVED_SHARES, 1),
      'account 1 in market 0 sells 1 of 0 NO',
    ],
    [
      'a negative number of shares on sale',
      (c) => add(c, 2, NO + RESERVED_SHARES, -1),
      'account 2 in market 0 sells -1 of 2000000 NO',
    ],
    ['a cost of more than a dollar a share', (c) => add(c, 1, YES + COST, SHARE), 'has 2000000 YES that cost 2200000'],
    ['a negative cost', (c) => add(c, 1, NO + COST, -1), 'has 0 NO that cost -1'],
    ['a negative reserve', negativeReserve, 'account 1 in market 0 has a negative reserve or fee'],
    ['a negative fee', (c) => add(c, 2, FEES, -10), 'account 2 in market 0 has a negative reserve or fee'],
    ['a gain without cash', (c) => add(c, 1, NO + REALIZED, 1), 'has realized 1 micro-USD, but cash and cost give 0'],
    ['a fee that was not realized', (c) => add(c, 2, FEES, 1), 'has realized -9 micro-USD, but cash and cost give -10'],
    ['a payout without collateral', (c) => settleThenCorrupt(c, () => add(c, 1, YES + SHARES, 10_000)), 'owes 2010000'],
    [
      'shares that appear at the end',
      (c) => settleThenCorrupt(c, () => add(c, 1, NO + SHARES, 10_000)),
      'and 2010000 NO',
    ],
    [
      'an order that outlives its market',
      (c) => settleThenCorrupt(c, () => c.reserve(2, buyNo, 5000, SHARE)),
      'has open orders after its end',
    ],
    [
      'a sale that outlives its market',
      (c) => settleThenCorrupt(c, () => add(c, 1, YES + RESERVED_SHARES, 1)),
      'has open orders after its end',
    ],
    ['a turnover that was not counted', uncountedTurnover, 'is less than the turnover'],
    [
      'a claim that was not realized',
      (c) => settleThenCorrupt(c, () => claimWithoutPnl(c)),
      'cash and cost give 800000',
    ],
  ];

  it.each(faults)('reports %s', (_, corrupt, message) => {
    const clearing = clearingAfterTrade();
    corrupt(clearing);
    expect(() => checkClearing(clearing)).toThrow(message);
  });
});

function feesFromNowhere({ collateralLedger }: Clearing): void {
  collateralLedger.fees += 1;
}

function collateralFromNowhere({ collateralLedger }: Clearing): void {
  collateralLedger.open(1);
  collateralLedger.add(1, 1, 1);
}

/** The least turnover possible is $2.3: $1.1 of reserves and $1.2 paid in. */
function uncountedTurnover({ collateralLedger }: Clearing): void {
  collateralLedger.turnoverBound = 2_300_000 - 1;
}

function debtOfLimitedAccount(clearing: Clearing): void {
  clearing.transfer(2, -(clearing.accounts.available[2] ?? 0));
  clearing.accounts.available[2] = -1;
  clearing.collateralLedger.outside += 1;
}

function uncountedDebt(clearing: Clearing): void {
  const account = clearing.accounts.open('0xc', true);
  clearing.accounts.available[account] = -5;
  clearing.collateralLedger.outside += 5;
}

function negativeReserve(clearing: Clearing): void {
  add(clearing, 1, RESERVED_CASH, -100_001);
  clearing.accounts.reserved[1] = -1;
  clearing.collateralLedger.outside += 100_001;
}

/** Settles the market to YES, then corrupts it. */
function settleThenCorrupt(clearing: Clearing, corrupt: () => void): void {
  clearing.release(1, sellYes, 9000, SHARE);
  clearing.release(1, buyYes, 1000, SHARE);
  clearing.settlement.settle(0, 10_000);
  corrupt();
}

/** Pays a claim without adding its P&L. */
function claimWithoutPnl(clearing: Clearing): void {
  clearing.collateralLedger.collateral[0] = 0;
  clearing.accounts.credit(1, 2 * SHARE);
  clearing.holdings.claimed[1] = 1;
}
