/**
 * Executes withdrawals. Checks the request in the order of `RejectReason`, then writes the transfer and the row in one
 * transaction.
 *
 * An account's withdrawals run one after the other, so that two withdrawals with one id or digest cannot both pass the
 * checks. The command queue runs the checks together with the transfer, so that no other command can first spend the
 * money.
 */
import { type EpochMs, Fault, microUsd, unchecked } from '../../domain/index.ts';
import type { Restriction } from '../../exchange/index.ts';
import { CENT, readCents } from '../../protocol/index.ts';
import type { Refused } from '../rejection.ts';
import { newUuid } from '../uuid.ts';
import type { Payouts } from './payouts.ts';
import type { AccessServiceDeps } from './ports.ts';
import type { Wallet, Wallets } from './wallets.ts';
import type { WithdrawalRequest } from './withdrawal-message.ts';
import type { Withdrawal, Withdrawals } from './withdrawals.ts';

export interface WithdrawalServiceDeps extends AccessServiceDeps {
  readonly wallets: Wallets;
  readonly withdrawals: Withdrawals;
  readonly payouts: Payouts;
}

export interface WithdrawalResult {
  readonly withdrawal: Withdrawal | null;
  readonly duplicate: boolean;
  readonly rejection: Refused | null;
}

export class WithdrawalService {
  readonly #deps: WithdrawalServiceDeps;
  /** The newest queued withdrawal of each account. */
  readonly #newestByAccount = new Map<string, Promise<unknown>>();

  constructor(deps: WithdrawalServiceDeps) {
    this.#deps = deps;
  }

  execute(
    account: string,
    request: WithdrawalRequest,
    restriction: Restriction | undefined,
  ): Promise<WithdrawalResult> {
    const earlier = this.#newestByAccount.get(account) ?? Promise.resolve();
    const execution = earlier.catch(() => undefined).then(() => this.#execute(account, request, restriction));
    this.#newestByAccount.set(account, execution);
    const onSettled = (): void => {
      if (this.#newestByAccount.get(account) === execution) this.#newestByAccount.delete(account);
    };
    execution.then(onSettled, onSettled);
    return execution;
  }

  async #execute(
    account: string,
    request: WithdrawalRequest,
    restriction: Restriction | undefined,
  ): Promise<WithdrawalResult> {
    const { clock, queue, withdrawals, payouts } = this.#deps;
    const { verified, amountCents } = request;
    if (!verified.ok) return refusal({ reason: 'BAD_SIGNATURE', field: 'signature', because: verified.message });
    const { hash: digest } = verified;
    const known = withdrawals.byClientId(account, request.clientWithdrawalId);
    if (known?.digest === digest) return { withdrawal: known, duplicate: true, rejection: null };

    let checked: Wallet | Refused | undefined;
    let withdrawal: Withdrawal | undefined;
    return queue.run({
      command: () => {
        const now = clock.now();
        checked = this.#check(account, request, { digest, restriction, now });
        if ('reason' in checked) return undefined;
        const amount = microUsd(-readCents('amountCents', amountCents));
        return { type: 'transfer', time: now, account: unchecked.account(queue.view.accountOf(account)), amount };
      },
      onApplied: () => {
        if (checked === undefined || 'reason' in checked) return;
        withdrawal = this.#newWithdrawal(checked, request, digest);
        withdrawals.add(withdrawal);
      },
      answer: (events) => {
        if (checked !== undefined && 'reason' in checked) return refusal(checked);
        if (withdrawal === undefined) {
          const reason = events.find((event) => event.type === 'refused')?.refusal.reason;
          throw new Fault('WITHDRAWAL_REFUSED', `Invariant: the exchange refused a checked withdrawal: ${reason}`);
        }
        payouts.start(withdrawal);
        return { withdrawal, duplicate: false, rejection: null };
      },
    });
  }

  #newWithdrawal({ id: walletId, account, chainId }: Wallet, request: WithdrawalRequest, digest: string): Withdrawal {
    const { toAddress, amountCents, clientWithdrawalId } = request;
    const now = this.#deps.clock.now();
    return {
      id: newUuid(),
      number: this.#deps.withdrawals.nextNumber(),
      account,
      walletId,
      chainId,
      toAddress,
      amountCents,
      status: 'PENDING',
      transactionHash: undefined,
      clientWithdrawalId,
      digest,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Returns the wallet that pays, or a refusal. Call this in the queue's `command` callback. */
  #check(
    account: string,
    request: WithdrawalRequest,
    { digest, restriction, now }: { digest: string; restriction: Restriction | undefined; now: EpochMs },
  ): Wallet | Refused {
    const { queue, wallets, withdrawals, settings } = this.#deps;
    const { amountCents, clientWithdrawalId, deadline } = request;
    const wallet = wallets.get(account, request.walletId);
    if (wallet === undefined)
      return { reason: 'NOT_FOUND', field: 'walletId', because: 'the account has no such wallet' };
    if (withdrawals.byClientId(account, clientWithdrawalId) !== undefined) {
      return { reason: 'CONFLICT', field: 'clientWithdrawalId', because: 'another withdrawal has this id' };
    }
    if (withdrawals.isUsed(digest)) {
      return { reason: 'CONFLICT', field: 'nonce', because: 'this signed message was used before' };
    }
    if (wallet.status !== 'ACTIVE') {
      return { reason: 'CONFLICT', field: 'walletId', because: `the wallet is ${wallet.status}` };
    }
    if (restriction === 'GEO_BLOCKED') return { reason: 'GEO_BLOCKED' };
    if (restriction === 'EMAIL_NOT_VERIFIED') return { reason: 'EMAIL_NOT_VERIFIED' };
    if (queue.view.mode === 'HALTED') return { reason: 'VENUE_MODE' };
    if (now >= deadline) {
      const because = 'the signed deadline has passed';
      const unit = 'MILLISECONDS';
      return { reason: 'EXPIRED_PARAMS', field: 'deadline', because, limit: now, value: deadline, unit };
    }
    const [min, amount] = [settings.minWithdrawalCents * CENT, amountCents * CENT];
    if (amount < min) {
      return { reason: 'BELOW_MIN', field: 'amountCents', limit: min, value: amount, unit: 'MICRO_USD' };
    }
    const available = queue.view.account(queue.view.accountOf(account))?.available ?? 0;
    if (amount <= available) return wallet;
    const limit = Math.max(0, available);
    return { reason: 'INSUFFICIENT_BALANCE', field: 'amountCents', limit, value: amount, unit: 'MICRO_USD' };
  }
}

function refusal(rejection: Refused): WithdrawalResult {
  return { withdrawal: null, duplicate: false, rejection };
}
