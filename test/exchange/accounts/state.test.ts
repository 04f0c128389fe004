import { describe, expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { restoreClearing, writeClearing } from '../../../src/exchange/accounts/state.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { StateHash } from '../../../src/exchange/state-writer.ts';
import { StateList } from './naive-state.ts';

const { buyYes, buyNo } = ORDER_KIND;
const DOLLAR = 1_000_000;

/** Two accounts that minted a pair in market 5 with a fee. Their holdings are opened in the given order. */
function clearingAfterTrade(...order: readonly number[]): Clearing {
  const clearing = new Clearing();
  for (const address of ['0xb', '0xa']) clearing.transfer(clearing.accounts.open(address, false), 10 * DOLLAR);
  for (const account of order) clearing.open(account, 5);
  const maker = clearing.open(1, 5);
  clearing.reserve(maker, buyYes, 6000, 2 * SHARE);
  clearing.trade(maker, buyYes, clearing.open(2, 5), buyNo, 6000, SHARE, 9);
  clearing.accounts.epoch[2] = 4;
  return clearing;
}

function writtenList(clearing: Clearing): StateList {
  const list = new StateList();
  writeClearing(clearing, list);
  return list;
}

function hashOf(clearing: Clearing): string {
  const hash = new StateHash();
  writeClearing(clearing, hash);
  return hash.digest();
}

describe('the written state', () => {
  it('lists accounts, totals, markets and holdings in this order', () => {
    expect(writtenList(clearingAfterTrade(1, 2)).values).toEqual(
      [
        [2],
        ['0xb', 0, 8_800_000, 600_000, 0],
        ['0xa', 0, 9_599_991, 0, 4],
        [-20 * DOLLAR, 9],
        [1],
        [5, DOLLAR, SHARE, -1],
        [2],
        [1, 5, SHARE, 0, 600_000, 0, 0, 0, 0, 0, 600_000, 600_000, 0, 0, 0],
        [2, 5, 0, 0, 0, 0, SHARE, 0, 400_000, -9, 0, 400_000, 9, 0, 0],
      ].flat(),
    );
  });

  it('does not depend on the order in which accounts and markets were opened', () => {
    expect(hashOf(clearingAfterTrade(2, 1))).toBe(hashOf(clearingAfterTrade(1, 2)));
  });

  it('omits empty holdings and markets', () => {
    const clearing = clearingAfterTrade(1, 2);
    const before = hashOf(clearing);
    clearing.reserve(clearing.open(2, 9), buyNo, 5000, SHARE);
    expect(hashOf(clearing)).not.toBe(before);
    clearing.release(clearing.open(2, 9), buyNo, 5000, SHARE);
    expect(hashOf(clearing)).toBe(before);
  });

  it('includes the end of a market that still has holdings', () => {
    const clearing = clearingAfterTrade(1, 2);
    const before = hashOf(clearing);
    clearing.settlement.settle(3, 0);
    expect(hashOf(clearing)).not.toBe(before);
  });
});

describe('a restore', () => {
  it('restores the same state', () => {
    const list = writtenList(clearingAfterTrade(2, 1));
    const restored = new Clearing();
    restoreClearing(restored, list.reader());
    expect(writtenList(restored).values).toEqual(list.values);
    restored.trade(restored.holdings.find(1, 5), buyYes, restored.holdings.find(2, 5), buyNo, 6000, SHARE, 0);
    expect(restored.accounts.reserved[1]).toBe(0);
  });

  it('restores the debt of an unlimited account', () => {
    const clearing = new Clearing();
    clearing.transfer(clearing.accounts.open('0xa', true), -7);
    const restored = new Clearing();
    restoreClearing(restored, writtenList(clearing).reader());
    expect([restored.accounts.debt, restored.accounts.unlimited[1]]).toEqual([7, 1]);
  });

  it('is accepted only by an empty clearing house', () => {
    const list = writtenList(clearingAfterTrade(1, 2));
    expect(() => restoreClearing(clearingAfterTrade(1, 2), list.reader())).toThrow(
      'accounts: expected none before a restore',
    );
  });

  const corruptions: readonly (readonly [string, number, number, RegExp])[] = [
    ['a holding of an unknown account', 19, 3, /account number: expected an integer from 1 to 2/],
    ['a holding without an account', 19, 0, /account number: expected an integer from 1 to 2/],
    ['a negative market number', 14, -1, /market number: expected an integer from 0/],
    ['a holding with a fractional market number', 20, 1.5, /market number: expected an integer from 0/],
    ['cash from nowhere', 3, 8_800_001, /the ledger sums to 1 micro-USD/],
    ['a reserve without orders', 29, 600_001, /account 1 has 600000 micro-USD reserved, its orders need 600001/],
    ['shares from nowhere', 21, SHARE + 10_000, /1010000 YES and 1000000 NO/],
    [
      'a cost that was not paid',
      23,
      600_001,
      /account 1 in market 5 has realized 0 micro-USD, but cash and cost give 1/,
    ],
    ['a payment without a receiver', 30, 600_001, /1000001 paid in/],
    ['an end of a market with open orders', 17, 10_000, /account 1 in market 5 has open orders after its end/],
  ];

  it.each(corruptions)('refuses %s', (_, at, value, message) => {
    const list = writtenList(clearingAfterTrade(1, 2));
    expect(() => restoreClearing(new Clearing(), list.reader(new Map([[at, value]])))).toThrow(message);
  });
});
