/**
 * Withdrawals by id, client's id and signed digest. They are never deleted, so they are only on the disk, not in memory.
 *
 * Invariants: row and transfer are one transaction, also for the refund of a FAILED withdrawal. The status goes PENDING ->
 * BROADCAST -> CONFIRMED, or to FAILED from the first two. A digest is used at most once. An account's next withdrawal
 * is created only after the one before is durable.
 *
 * Tables: `withdrawal`, by id; `withdrawalIndex`, by `client <account> <client's id>`, `digest <digest>`,
 * `place <account> <0, 1, 2 …>` and `count <account>`; `unfinishedWithdrawal`, by id.
 */
import { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import type { Json, Registry } from '../../exchange/index.ts';
import type { Rows } from '../paging/pages.ts';
import { optional, registryCodec, timeRow } from '../registry-rows.ts';
import { hexRow } from './wallets.ts';

const row = z.strictObject({
  /** UUID. */
  id: z.string(),
  /** From 1, over all accounts, in order of creation. */
  number: z.number(),
  /** Address, lower case. */
  account: z.string(),
  walletId: z.string(),
  chainId: z.number(),
  toAddress: hexRow,
  amountCents: z.number(),
  status: z.enum(['PENDING', 'BROADCAST', 'CONFIRMED', 'FAILED']),
  /** Undefined until it is broadcast. */
  transactionHash: optional(hexRow),
  clientWithdrawalId: z.string(),
  digest: z.string(),
  createdAt: timeRow,
  updatedAt: timeRow,
});

export type Withdrawal = Readonly<z.output<typeof row>>;

const withdrawalCodec = registryCodec(row, 'a withdrawal');

/** The setting with the newest number; missing in a registry without the index. */
const LAST = 'access.withdrawals';

export class Withdrawals {
  readonly #registry: Registry;
  #last: number;

  /** Builds a missing index, for rows of an older version. It is durable with the next transaction. */
  constructor(registry: Registry) {
    this.#registry = registry;
    const last = registry.find('setting', LAST);
    this.#last = typeof last === 'number' ? last : this.#index();
  }

  nextNumber(): number {
    this.#last += 1;
    return this.#last;
  }

  get(id: string): Withdrawal | undefined {
    const row = this.#registry.find('withdrawal', id);
    return row === undefined ? undefined : withdrawalCodec.decode(row);
  }

  byClientId(account: string, clientWithdrawalId: string): Withdrawal | undefined {
    return this.#indexed(clientKey(account, clientWithdrawalId));
  }

  isUsed(digest: string): boolean {
    return this.#registry.find('withdrawalIndex', `digest ${digest}`) !== undefined;
  }

  /** Oldest first. */
  ofAccount(account: string): Rows<Withdrawal> {
    const count = (): number => this.#count(account);
    return {
      get length() {
        return count();
      },
      at: (index) => this.#indexed(placeKey(account, index)),
    };
  }

  unfinished(): readonly Withdrawal[] {
    return this.#registry
      .load('unfinishedWithdrawal')
      .map(({ key }) => this.#require(key))
      .toSorted((a, b) => a.number - b.number);
  }

  /** Adds a withdrawal to the next transaction. */
  add(withdrawal: Withdrawal): void {
    this.#place(withdrawal, this.#count(withdrawal.account));
    this.#registry.put({ table: 'setting', key: LAST, value: this.#last });
    this.replace(withdrawal);
  }

  /** Adds a changed withdrawal to the next transaction. */
  replace(withdrawal: Withdrawal): void {
    const { id, status } = withdrawal;
    this.#registry.put({ table: 'withdrawal', key: id, value: withdrawalCodec.encode(withdrawal) });
    this.#registry.put({ table: 'unfinishedWithdrawal', key: id, value: isFinal(status) ? undefined : true });
  }

  /** @param place number of earlier withdrawals of the account */
  #place({ id, account, clientWithdrawalId, digest }: Withdrawal, place: number): void {
    const put = (key: string, value: Json): void => this.#registry.put({ table: 'withdrawalIndex', key, value });
    put(clientKey(account, clientWithdrawalId), id);
    put(`digest ${digest}`, id);
    put(placeKey(account, place), id);
    put(countKey(account), place + 1);
  }

  /** Indexes all rows. @returns the number of the newest withdrawal, 0 for none */
  #index(): number {
    const stored = this.#registry.load('withdrawal').map(({ value }) => withdrawalCodec.decode(value));
    const counts = new Map<string, number>();
    let last = 0;
    for (const withdrawal of stored.toSorted((a, b) => a.number - b.number)) {
      const { id, number, account, status } = withdrawal;
      const place = counts.get(account) ?? 0;
      counts.set(account, place + 1);
      this.#place(withdrawal, place);
      if (!isFinal(status)) this.#registry.put({ table: 'unfinishedWithdrawal', key: id, value: true });
      last = number;
    }
    if (stored.length > 0) this.#registry.put({ table: 'setting', key: LAST, value: last });
    return last;
  }

  #count(account: string): number {
    const count = this.#registry.find('withdrawalIndex', countKey(account));
    return typeof count === 'number' ? count : 0;
  }

  #indexed(key: string): Withdrawal | undefined {
    const id = this.#registry.find('withdrawalIndex', key);
    return typeof id === 'string' ? this.#require(id) : undefined;
  }

  #require(id: string): Withdrawal {
    const withdrawal = this.get(id);
    if (withdrawal !== undefined) return withdrawal;
    throw new Fault('REGISTRY', `withdrawal ${id} has no row. Put back a good copy of the database`);
  }
}

export function isFinal(status: Withdrawal['status']): boolean {
  return status === 'CONFIRMED' || status === 'FAILED';
}

function clientKey(account: string, clientWithdrawalId: string): string {
  return `client ${account} ${clientWithdrawalId}`;
}

function placeKey(account: string, place: number): string {
  return `place ${account} ${place}`;
}

function countKey(account: string): string {
  return `count ${account}`;
}
