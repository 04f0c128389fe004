import { describe, expect, it } from 'vitest';
import { ENDING, Vault } from '../../../src/exchange/accounts/vault.ts';
import { messageOf } from './message-of.ts';

describe('the vault', () => {
  it('has room for a market from when it is opened', () => {
    const vault = new Vault(1);
    expect(vault.markets).toBe(0);
    expect(vault.isFinal(0)).toBe(false);
    vault.open(0);
    vault.open(100);
    vault.open(3);
    expect(vault.markets).toBe(101);
    expect([vault.ending[100], vault.supply[100], vault.collateral[100]]).toEqual([ENDING.none, 0, 0]);
  });

  it('keeps what is in it when it grows', () => {
    const vault = new Vault(1);
    vault.open(1);
    vault.ending[0] = 5000;
    vault.ending[1] = ENDING.cancelled;
    vault.add(1, 7, 8);
    for (let market = 2; market < 70; market++) vault.open(market);
    expect([vault.ending[0], vault.ending[1], vault.supply[1], vault.collateral[1]]).toEqual([5000, -2, 7, 8]);
    expect([0, 1, 2, 69, 70, 1000].map((market) => vault.isFinal(market))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('demands a dollar for each pair', () => {
    const vault = new Vault(1);
    vault.open(0);
    vault.add(0, 5, 5);
    vault.demandBalance(0);
    vault.add(0, 1, 0);
    expect(messageOf(() => vault.demandBalance(0))).toBe('Invariant: market 0 has 5 micro-USD for 6 micro-pairs');
  });
});
