/**
 * Withdrawals as they are known: by id, by the client's id, by what was signed.
 *
 * Invariants: a withdrawal is here exactly when its money has left the account, or came back (FAILED): row and transfer are
 * one transaction, both ways. It goes PENDING -> BROADCAST -> CONFIRMED, and to FAILED from the first two. Rows stay for
 * ever, so a digest counts once for ever.
 */
import type { Registry } from '../../exchange/index.ts';
import type { WithdrawalStatus } from '../../protocol/index.ts';
import type { Rows } from '../paging/index.ts';
import { type Withdrawal, withdrawalCodec } from './withdrawal-codec.ts';

/** The withdrawals of a venue. */
export class Withdrawals {
  readonly #registry: Registry;
  readonly #byId = new Map<string, Withdrawal>();
  readonly #byAccount = new Map<string, string[]>();
  readonly #byClientId = new Map<string, string>();
  readonly #digests = new Set<string>();
  #last = 0;

  /** Finds what was durable. */
  constructor(registry: Registry) {
    this.#registry = registry;
    const kept = registry.load('withdrawal').map(({ value }) => withdrawalCodec.decode(value));
    for (const withdrawal of kept.toSorted((a, b) => a.number - b.number)) this.add(withdrawal);
  }

  /** A number for a new one. */
  take(): number {
    this.#last += 1;
    return this.#last;
  }

  get(id: string): Withdrawal | undefined {
    return this.#byId.get(id);
  }

  byClientId(account: string, clientWithdrawalId: string): Withdrawal | undefined {
    return this.#byId.get(this.#byClientId.get(clientKey(account, clientWithdrawalId)) ?? '');
  }

  isUsed(digest: string): boolean {
    return this.#digests.has(digest);
  }

  /** Oldest first. */
  ofAccount(account: string): Rows<Withdrawal> {
    const ids = this.#byAccount.get(account) ?? [];
    return { length: ids.length, at: (index) => this.#byId.get(ids[index] ?? '') };
  }

  /** Those that the chain has not finished. */
  unfinished(): readonly Withdrawal[] {
    return [...this.#byId.values()].filter(({ status }) => !isFinal(status));
  }

  /** Joins the next transaction; `add` or `replace` it when that is durable. */
  write(withdrawal: Withdrawal): void {
    this.#registry.put({ table: 'withdrawal', key: withdrawal.id, value: withdrawalCodec.encode(withdrawal) });
  }

  /** It is durable, and new. */
  add(withdrawal: Withdrawal): void {
    const { id, number, account, clientWithdrawalId, digest } = withdrawal;
    this.#byId.set(id, withdrawal);
    this.#byClientId.set(clientKey(account, clientWithdrawalId), id);
    this.#digests.add(digest);
    this.#last = Math.max(this.#last, number);
    const mine = this.#byAccount.get(account);
    if (mine === undefined) this.#byAccount.set(account, [id]);
    else mine.push(id);
  }

  /** It is durable, and goes on. */
  replace(withdrawal: Withdrawal): void {
    this.#byId.set(withdrawal.id, withdrawal);
  }
}

/** Whether nothing more will happen to it. */
export function isFinal(status: WithdrawalStatus): boolean {
  return status === 'CONFIRMED' || status === 'FAILED';
}

function clientKey(account: string, clientWithdrawalId: string): string {
  return `${account} ${clientWithdrawalId}`;
}
