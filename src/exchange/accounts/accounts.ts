/**
 * Accounts and their cash: a column per property, an entry per account, numbered 1, 2, 3 … as they were opened.
 *
 * HOT: every fill moves cash here, 1 ns each time; timed as part of bench/exchange.ts. Columns are replaced when they
 * grow, so read them again after `open`.
 *
 * Invariants: only `unlimited` accounts have negative available cash, and `debt` is the sum of it. The caller
 * (`Clearing`) books the counterpart of each movement of cash.
 */
import { InputFault } from '../../domain/index.ts';
import { columnLength, flags, floats } from './columns.ts';

/** A `Map` holds no more addresses. */
const MAX_ACCOUNTS = 1 << 24;
/** Most accounts there can be. */
export const MOST_ACCOUNTS = MAX_ACCOUNTS - 1;

/** The accounts; number 0 is unused. */
export class Accounts {
  /** Cash that can be spent, in micro-USD. */
  declare available: Float64Array;
  /** Cash held for open BUY orders, in micro-USD. */
  declare reserved: Float64Array;
  /** Counts `cancelAllOrders`, from 0; it never reaches the limit either. */
  declare epoch: Float64Array;
  /** 1: no limits, no signatures, available may be negative. */
  declare unlimited: Uint8Array;
  readonly #addresses: string[] = [''];
  readonly #numbers = new Map<string, number>();
  #debt = 0;

  /** @param capacity accounts that fit before the columns must grow (which doubles and copies them); default 1023 */
  constructor(capacity = 1023) {
    if (!Number.isInteger(capacity) || capacity < 1 || capacity >= MAX_ACCOUNTS) {
      throw new InputFault('capacity of accounts', capacity, `an integer from 1 to ${MAX_ACCOUNTS - 1}`);
    }
    const length = columnLength(capacity);
    this.available = new Float64Array(length);
    this.reserved = new Float64Array(length);
    this.epoch = new Float64Array(length);
    this.unlimited = new Uint8Array(length);
  }

  /** The number of accounts, which is the number of the last one. */
  get count(): number {
    return this.#addresses.length - 1;
  }

  /** The total debt of unlimited accounts, in micro-USD, not negative. */
  get debt(): number {
    return this.#debt;
  }

  /** The account of an address; 0 when there is none. */
  find(address: string): number {
    return this.#numbers.get(address) ?? 0;
  }

  /** The address of an account. @throws RangeError for a number that is no account's */
  address(account: number): string {
    const address = account === 0 ? undefined : this.#addresses[account];
    if (address === undefined) throw new RangeError(`Invariant: no account has the number ${account}`);
    return address;
  }

  /** A new account, empty. @returns its number. @throws RangeError when the address has one */
  open(address: string, unlimited: boolean): number {
    if (this.#numbers.has(address)) throw new RangeError(`Invariant: ${address} has an account`);
    const account = this.#addresses.push(address) - 1;
    if (account === this.available.length) this.#grow();
    this.#numbers.set(address, account);
    this.unlimited[account] = unlimited ? 1 : 0;
    return account;
  }

  /**
   * Adds micro-USD to what can be spent, or takes them off.
   * @throws RangeError when a limited account would have debt
   */
  credit(account: number, amount: number): void {
    const before = this.available[account]!;
    const after = before + amount;
    this.available[account] = after;
    if (before < 0 || after < 0) this.#owe(account, before, after);
  }

  /** `debt` after a debit of `amount`. */
  debtAfter(account: number, amount: number): number {
    const before = this.available[account]!;
    const after = before - amount;
    return this.#debt + (before < 0 ? before : 0) - (after < 0 ? after : 0);
  }

  #owe(account: number, before: number, after: number): void {
    if (this.unlimited[account] !== 1) {
      throw new RangeError(`Invariant: account ${account} would have ${after} micro-USD to spend`);
    }
    this.#debt += (before < 0 ? before : 0) - (after < 0 ? after : 0);
  }

  #grow(): void {
    const length = 2 * this.available.length;
    if (length > MAX_ACCOUNTS) throw new RangeError(`Invariant: more than ${MAX_ACCOUNTS} accounts`);
    this.available = floats(this.available, length);
    this.reserved = floats(this.reserved, length);
    this.epoch = floats(this.epoch, length);
    this.unlimited = flags(this.unlimited, length);
  }
}
