import { describe, expect, it } from 'vitest';
import { Accounts } from '../../../src/exchange/accounts/accounts.ts';

describe('accounts', () => {
  it('are numbered from 1 and found by their address', () => {
    const accounts = new Accounts();
    expect(accounts.open('0xa', false)).toBe(1);
    expect(accounts.open('0xb', true)).toBe(2);
    expect(accounts.count).toBe(2);
    expect(accounts.find('0xb')).toBe(2);
    expect(accounts.find('0xc')).toBe(0);
    expect(accounts.find('')).toBe(0);
    expect(accounts.address(1)).toBe('0xa');
    expect([...accounts.unlimited.subarray(1, 3)]).toEqual([0, 1]);
  });

  it.each([0, 3, -1, 1.5, Number.NaN])('refuse %s as an account number', (number) => {
    const accounts = new Accounts();
    accounts.open('0xa', false);
    accounts.open('0xb', false);
    expect(() => accounts.address(number)).toThrow(/Invariant: no account has the number/);
  });

  it('exist once for each address', () => {
    const accounts = new Accounts();
    accounts.open('0xa', false);
    expect(() => accounts.open('0xa', true)).toThrow('Invariant: 0xa has an account');
  });

  it('keep their values when the columns grow', () => {
    const accounts = new Accounts(1);
    for (let at = 1; at <= 100; at++) {
      const account = accounts.open(`0x${at}`, at % 2 === 0);
      accounts.credit(account, 10 * at);
      accounts.reserved[account] = at;
      accounts.epoch[account] = 3 * at;
    }
    for (let account = 1; account <= 100; account++) {
      expect(accounts.find(`0x${account}`)).toBe(account);
      expect(accounts.available[account]).toBe(10 * account);
      expect(accounts.reserved[account]).toBe(account);
      expect(accounts.epoch[account]).toBe(3 * account);
      expect(accounts.unlimited[account]).toBe(account % 2 === 0 ? 1 : 0);
    }
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 26])('refuse a capacity of %s', (capacity) => {
    expect(() => new Accounts(capacity)).toThrow('capacity of accounts');
  });
});

describe('the debt of unlimited accounts', () => {
  it('is the sum of their negative balances', () => {
    const accounts = new Accounts();
    const a = accounts.open('0xa', true);
    const b = accounts.open('0xb', true);
    accounts.credit(a, -5);
    expect(accounts.debt).toBe(5);
    accounts.credit(b, -7);
    expect(accounts.debt).toBe(12);
    accounts.credit(a, 8);
    expect(accounts.debt).toBe(7);
    expect(accounts.available[a]).toBe(3);
    accounts.credit(a, -4);
    accounts.credit(b, 6);
    expect(accounts.debt).toBe(2);
  });

  it('is predicted for an amount before the amount is charged', () => {
    const accounts = new Accounts();
    const account = accounts.open('0xa', true);
    accounts.credit(account, 10);
    expect(accounts.debtAfter(account, 10)).toBe(0);
    expect(accounts.debtAfter(account, 15)).toBe(5);
    accounts.credit(account, -30);
    expect(accounts.debtAfter(account, 15)).toBe(35);
    expect(accounts.debtAfter(account, -15)).toBe(5);
    expect(accounts.debtAfter(account, -50)).toBe(0);
  });

  it('is zero for accounts with limits', () => {
    const accounts = new Accounts();
    const account = accounts.open('0xa', false);
    accounts.credit(account, 5);
    accounts.credit(account, -5);
    expect(() => accounts.credit(account, -1)).toThrow('Invariant: account 1 would have -1 micro-USD to spend');
  });
});
