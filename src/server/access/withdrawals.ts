/**
 * Withdrawals by id, client's id and signed digest. Rows are never deleted, so they stay on the disk, not in memory.
 *
 * Invariants: a transaction writes a withdrawal's row together with its transfer or refund. The status changes from
 * PENDING to BROADCAST to CONFIRMED; PENDING and BROADCAST may change to FAILED. A digest is used at most once. An
 * account's next withdrawal is created after the previous withdrawal is durable.
 *
 * Tables: `withdrawal`, by id; `withdrawalIndex`, by `client <account> <client's id>`, `digest <digest>`,
 * `place <account> <0, 1, 2 …>` and `count <account>`; `unfinishedWithdrawal`, by id.
 */
import { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import type { Json, Registry } from '../../exchange/index.ts';
import type { Rows } from '../paging/pages.ts';
import { optional, registryCodec, storedTime } from '../registry-rows.ts';
import { storedHex } from './wallets.ts';

const row = z.strictObject({
  /** UUID. */
  id: z.string(),
  /** Counts the withdrawals of all accounts from 1, in order of creation. */
  number: z.number(),
  /** Address in lower case. */
  account: z.string(),
  walletId: z.string(),
  chainId: z.number(),
  toAddress: storedHex,
  amountCents: z.number(),
  status: z.enum(['PENDING', 'BROADCAST', 'CONFIRMED', 'FAILED']),
  /** Undefined while PENDING. */
  transactionHash: optional(storedHex),
  clientWithdrawalId: z.string(),
  digest: z.string(),
  createdAt: storedTime,
  updatedAt: storedTime,
});

export type Withdrawal = Readonly<z.output<typeof row>>;

const withdrawalCodec = registryCodec(row, 'a withdrawal');

/** The setting that stores the newest number. A registry without the index lacks this setting. */
const NEWEST_NUMBER = 'access.withdrawals';

export class Withdrawals {
  readonly #registry: Registry;
  #newestNumber: number;

  /** Builds a missing index from rows of an older version. The index becomes durable with the next transaction. */
  constructor(registry: Registry) {
    this.#registry = registry;
    const newest = registry.find('setting', NEWEST_NUMBER);
    this.#newestNumber = typeof newest === 'number' ? newest : this.#buildIndex();
  }

  nextNumber(): number {
    this.#newestNumber += 1;
    return this.#newestNumber;
  }

  get(id: string): Withdrawal | undefined {
    const row = this.#registry.find('withdrawal', id);
    return row === undefined ? undefined : withdrawalCodec.decode(row);
  }

  findByClientId(account: string, clientWithdrawalId: string): Withdrawal | undefined {
    return this.#findByIndex(`client ${account} ${clientWithdrawalId}`);
  }

  isDigestUsed(digest: string): boolean {
    return this.#registry.find('withdrawalIndex', `digest ${digest}`) !== undefined;
  }

  /** Returns the account's withdrawals, oldest first. Reads each row when the caller accesses it. */
  ofAccount(account: string): Rows<Withdrawal> {
    const count = (): number => this.#count(account);
    return {
      get length() {
        return count();
      },
      at: (index) => this.#findByIndex(`place ${account} ${index}`),
    };
  }

  listUnfinished(): readonly Withdrawal[] {
    return this.#registry
      .load('unfinishedWithdrawal')
      .map(({ key }) => this.#getExisting(key))
      .toSorted((a, b) => a.number - b.number);
  }

  /** Adds a withdrawal to the next transaction. */
  add(withdrawal: Withdrawal): void {
    this.#addToIndex(withdrawal, this.#count(withdrawal.account));
    this.#registry.put({ table: 'setting', key: NEWEST_NUMBER, value: this.#newestNumber });
    this.replace(withdrawal);
  }

  /** Adds a changed withdrawal to the next transaction. */
  replace(withdrawal: Withdrawal): void {
    const { id, status } = withdrawal;
    this.#registry.put({ table: 'withdrawal', key: id, value: withdrawalCodec.encode(withdrawal) });
    this.#registry.put({ table: 'unfinishedWithdrawal', key: id, value: isFinal(status) ? undefined : true });
  }

  /** @param place number of the account's earlier withdrawals */
  #addToIndex({ id, account, clientWithdrawalId, digest }: Withdrawal, place: number): void {
    const put = (key: string, value: Json): void => this.#registry.put({ table: 'withdrawalIndex', key, value });
    put(`client ${account} ${clientWithdrawalId}`, id);
    put(`digest ${digest}`, id);
    put(`place ${account} ${place}`, id);
    put(`count ${account}`, place + 1);
  }

  /** Indexes all rows. @returns the number of the newest withdrawal, 0 for none */
  #buildIndex(): number {
    const stored = this.#registry.load('withdrawal').map(({ value }) => withdrawalCodec.decode(value));
    const counts = new Map<string, number>();
    let newest = 0;
    for (const withdrawal of stored.toSorted((a, b) => a.number - b.number)) {
      const { id, number, account, status } = withdrawal;
      const place = counts.get(account) ?? 0;
      counts.set(account, place + 1);
      this.#addToIndex(withdrawal, place);
      if (!isFinal(status)) this.#registry.put({ table: 'unfinishedWithdrawal', key: id, value: true });
      newest = number;
    }
    if (stored.length > 0) this.#registry.put({ table: 'setting', key: NEWEST_NUMBER, value: newest });
    return newest;
  }

  #count(account: string): number {
    const count = this.#registry.find('withdrawalIndex', `count ${account}`);
    return typeof count === 'number' ? count : 0;
  }

  #findByIndex(key: string): Withdrawal | undefined {
    const id = this.#registry.find('withdrawalIndex', key);
    return typeof id === 'string' ? this.#getExisting(id) : undefined;
  }

  #getExisting(id: string): Withdrawal {
    const withdrawal = this.get(id);
    if (withdrawal !== undefined) return withdrawal;
    throw new Fault('REGISTRY', `withdrawal ${id} has no row. Put back a good copy of the database`);
  }
}

export function isFinal(status: Withdrawal['status']): boolean {
  return status === 'CONFIRMED' || status === 'FAILED';
}
