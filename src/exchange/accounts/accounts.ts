/**
 * Accounts and their cash. Each property is a column with an entry per account, numbered 1, 2, 3 … in order of opening.
 *
 * HOT: every fill moves cash here in 1 ns (bench/exchange.ts). `open` may replace the columns, so read them again
 * after each call. Fields are declared for speed (docs/decisions/0017).
 *
 * Invariants: only `unlimited` accounts have negative available cash. `debt` is the sum of these amounts, as a positive
 * number. The caller (`Clearing`) books the counterpart of each movement of cash.
 */
import { checkedColumnLength, growFlags, growFloats, MAX_MAP_ENTRIES } from './columns.ts';

/** Number 0 is unused. */
export const MAX_ACCOUNTS = MAX_MAP_ENTRIES - 1;

export class Accounts {
  /** Cash that is not reserved, in micro-USD. */
  declare available: Float64Array;
  /** Cash of open BUY orders, in micro-USD. */
  declare reserved: Float64Array;
  /** Number of `cancelAllOrders` commands. */
  declare epoch: Float64Array;
  /** 1 for an account without limits and signatures, whose `available` may be negative; otherwise 0. */
  declare unlimited: Uint8Array;
  readonly #addresses: string[] = [''];
  readonly #numbers = new Map<string, number>();
  #debt = 0;

  /** @param capacity number of accounts before the columns double; default 1023 */
  constructor(capacity = 1023) {
    const length = checkedColumnLength('capacity of accounts', capacity, MAX_MAP_ENTRIES);
    this.available = new Float64Array(length);
    this.reserved = new Float64Array(length);
    this.epoch = new Float64Array(length);
    this.unlimited = new Uint8Array(length);
  }

  /** Number of accounts, which is also the last account's number. */
  get count(): number {
    return this.#addresses.length - 1;
  }

  /** Total debt of unlimited accounts in micro-USD, 0 or more. */
  get debt(): number {
    return this.#debt;
  }

  /** Returns the account of an address; 0 if there is none. */
  find(address: string): number {
    return this.#numbers.get(address) ?? 0;
  }

  /** Returns the address of an account. @throws RangeError for an unknown account */
  address(account: number): string {
    const address = account === 0 ? undefined : this.#addresses[account];
    if (address === undefined) throw new RangeError(`Invariant: no account has the number ${account}`);
    return address;
  }

  /** Opens an empty account and returns its number. @throws RangeError if the address already has an account */
  open(address: string, unlimited: boolean): number {
    if (this.#numbers.has(address)) throw new RangeError(`Invariant: ${address} has an account`);
    const account = this.#addresses.push(address) - 1;
    if (account === this.available.length) this.#grow();
    this.#numbers.set(address, account);
    this.unlimited[account] = unlimited ? 1 : 0;
    return account;
  }

  /** Adds micro-USD, possibly negative, to `available`. @throws RangeError if a limited account would have debt */
  credit(account: number, amount: number): void {
    const before = this.available[account]!;
    const after = before + amount;
    this.available[account] = after;
    if (before < 0 || after < 0) this.#changeDebt(account, before, after);
  }

  /** Returns the total debt after an account pays `amount`. */
  debtAfter(account: number, amount: number): number {
    const before = this.available[account]!;
    const after = before - amount;
    return this.#debt + (before < 0 ? before : 0) - (after < 0 ? after : 0);
  }

  #changeDebt(account: number, before: number, after: number): void {
    if (this.unlimited[account] !== 1) {
      throw new RangeError(`Invariant: account ${account} would have ${after} micro-USD to spend`);
    }
    this.#debt += (before < 0 ? before : 0) - (after < 0 ? after : 0);
  }

  #grow(): void {
    const length = 2 * this.available.length;
    if (length > MAX_MAP_ENTRIES) throw new RangeError(`Invariant: more than ${MAX_MAP_ENTRIES} accounts`);
    this.available = growFloats(this.available, length);
    this.reserved = growFloats(this.reserved, length);
    this.epoch = growFloats(this.epoch, length);
    this.unlimited = growFlags(this.unlimited, length);
  }
}
