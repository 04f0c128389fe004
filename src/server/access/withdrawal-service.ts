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
import { assertAccepted } from '../command-queue-types.ts';
import type { ApiRefusal } from '../rejection.ts';
import { newUuid } from '../wire-ids.ts';
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
  readonly rejection: ApiRefusal | null;
}

export class WithdrawalService {
  readonly #deps: WithdrawalServiceDeps;
  /** The newest queued withdrawal of each account. */
  readonly #newestByAccount = new Map<string, Promise<unknown>>();

  constructor(deps: WithdrawalServiceDeps) {
    this.#deps = deps;
  }

  execute(account: string, request: WithdrawalRequest, restriction: Restriction | undefined) {
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
    if (!verified.ok) return rejected({ reason: 'BAD_SIGNATURE', field: 'signature', explanation: verified.message });
    const { hash: digest } = verified;
    const existing = withdrawals.findByClientId(account, request.clientWithdrawalId);
    if (existing?.digest === digest) return { withdrawal: existing, duplicate: true, rejection: null };

    let checkResult: Wallet | ApiRefusal | undefined;
    let withdrawal: Withdrawal | undefined;
    return queue.run({
      command: () => {
        const now = clock.now();
        checkResult = this.#check(account, request, { digest, restriction, now });
        if ('reason' in checkResult) return undefined;
        const amount = microUsd(-readCents('amountCents', amountCents));
        return { type: 'transfer', time: now, account: unchecked.account(queue.view.accountOf(account)), amount };
      },
      onApplied: () => {
        if (checkResult === undefined || 'reason' in checkResult) return;
        withdrawal = this.#newWithdrawal(checkResult, request, digest);
        withdrawals.add(withdrawal);
      },
      answer: (events) => {
        if (checkResult !== undefined && 'reason' in checkResult) return rejected(checkResult);
        assertAccepted(events, 'WITHDRAWAL_REFUSED', 'Invariant: the exchange refused a checked withdrawal');
        if (withdrawal === undefined) throw new Fault('WITHDRAWAL_REFUSED', 'Invariant: a withdrawal changed nothing');
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
  ): Wallet | ApiRefusal {
    const { queue, wallets, withdrawals, settings } = this.#deps;
    const { amountCents, clientWithdrawalId, deadline } = request;
    const wallet = wallets.get(account, request.walletId);
    if (wallet === undefined)
      return { reason: 'NOT_FOUND', field: 'walletId', explanation: 'the account has no such wallet' };
    if (withdrawals.findByClientId(account, clientWithdrawalId) !== undefined)
      return { reason: 'CONFLICT', field: 'clientWithdrawalId', explanation: 'another withdrawal has this id' };
    if (withdrawals.isDigestUsed(digest))
      return { reason: 'CONFLICT', field: 'nonce', explanation: 'this signed message was used before' };
    if (wallet.status !== 'ACTIVE')
      return { reason: 'CONFLICT', field: 'walletId', explanation: `the wallet is ${wallet.status}` };
    if (restriction === 'GEO_BLOCKED' || restriction === 'EMAIL_NOT_VERIFIED') return { reason: restriction };
    if (queue.view.mode === 'HALTED') return { reason: 'VENUE_MODE' };
    if (now >= deadline) {
      const times = { limit: now, value: deadline, unit: 'MILLISECONDS' } as const;
      return { reason: 'EXPIRED_PARAMS', field: 'deadline', explanation: 'the signed deadline has passed', ...times };
    }
    const min = settings.minWithdrawalCents * CENT;
    const requested = { field: 'amountCents', value: amountCents * CENT, unit: 'MICRO_USD' } as const;
    if (requested.value < min) return { reason: 'BELOW_MIN', ...requested, limit: min };
    const available = queue.view.account(queue.view.accountOf(account))?.available ?? 0;
    return requested.value <= available
      ? wallet
      : { reason: 'INSUFFICIENT_BALANCE', ...requested, limit: Math.max(0, available) };
  }
}

function rejected(rejection: ApiRefusal): WithdrawalResult {
  return { withdrawal: null, duplicate: false, rejection };
}
