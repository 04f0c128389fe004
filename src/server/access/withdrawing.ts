/**
 * A withdrawal is asked for: every test in the order of `RejectReason`, then money and row in one transaction.
 *
 * One account's are done one after the other, so that two with one id, or one digest, never pass the tests together. Their
 * last test is made in the exchange's turn: nothing can take the money in between.
 */
import type { Clock } from '../../clock/index.ts';
import { counted, type EpochMs, Fault, microUsd } from '../../domain/index.ts';
import type { ExchangeEvent, Restriction } from '../../exchange/index.ts';
import { CENT, readCents } from '../../protocol/index.ts';
import type { AccessDesk } from './ports.ts';
import { type Rejection, rejected } from './rejection.ts';
import type { AccessSettings } from './settings.ts';
import { newUuid } from './token-text.ts';
import type { Wallets } from './wallets.ts';
import type { Withdrawal } from './withdrawal-codec.ts';
import type { AskedWithdrawal } from './withdrawal-message.ts';
import type { Withdrawals } from './withdrawals.ts';

/** What withdrawing stands on. */
export interface WithdrawingOf {
  readonly clock: Clock;
  readonly desk: AccessDesk;
  readonly wallets: Wallets;
  readonly withdrawals: Withdrawals;
  readonly settings: Pick<AccessSettings, 'minWithdrawalCents'>;
  /** Told of each that is durable and new. */
  readonly taken: (withdrawal: Withdrawal) => void;
}

/** The answer of `executeWithdrawal`, before it is shown. */
export interface WithdrawalResult {
  readonly withdrawal: Withdrawal | null;
  readonly duplicate: boolean;
  readonly rejection: Rejection | null;
}

/** Takes withdrawals. */
export class Withdrawing {
  readonly #of: WithdrawingOf;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(of: WithdrawingOf) {
    this.#of = of;
  }

  /** @param account address. @param restriction what the caller is kept from where it is */
  execute(account: string, asked: AskedWithdrawal, restriction: Restriction | undefined): Promise<WithdrawalResult> {
    const before = this.#turns.get(account) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.#execute(account, asked, restriction));
    this.#turns.set(account, turn);
    const leave = (): void => {
      if (this.#turns.get(account) === turn) this.#turns.delete(account);
    };
    turn.then(leave, leave);
    return turn;
  }

  async #execute(
    account: string,
    asked: AskedWithdrawal,
    restriction: Restriction | undefined,
  ): Promise<WithdrawalResult> {
    const { clock, desk, withdrawals, wallets, taken } = this.#of;
    const { verified } = asked;
    if (!verified.ok) return refusal(rejected('BAD_SIGNATURE', verified.message, 'signature'));
    const known = withdrawals.byClientId(account, asked.clientWithdrawalId);
    if (known?.digest === verified.hash) return { withdrawal: known, duplicate: true, rejection: null };
    const now = clock.now();
    const early = this.#rejection(account, asked, verified.hash, restriction, now);
    if (early !== undefined) return refusal(early);

    const amount = readCents('amountCents', asked.amountCents);
    const withdrawal: Withdrawal = {
      id: newUuid(),
      number: 0,
      account,
      walletId: asked.walletId,
      chainId: wallets.get(account, asked.walletId)?.chainId ?? 0,
      toAddress: asked.toAddress,
      amountCents: asked.amountCents,
      status: 'PENDING',
      transactionHash: undefined,
      clientWithdrawalId: asked.clientWithdrawalId,
      digest: verified.hash,
      createdAt: now,
      updatedAt: now,
    };
    let numbered = withdrawal;
    let short: Rejection | undefined;
    return desk.run({
      command: () => {
        const no = desk.view.accountOf(account);
        short = shortage(desk.view.account(no)?.available ?? 0, amount);
        if (short !== undefined) return undefined;
        return { type: 'transfer', time: clock.now(), account: counted.account(no), amount: microUsd(-amount) };
      },
      applied: () => {
        numbered = { ...withdrawal, number: withdrawals.take() };
        withdrawals.write(numbered);
      },
      answer: (events: readonly ExchangeEvent[]) => {
        if (short !== undefined) return refusal(short);
        const refused = events.find((event) => event.type === 'refused');
        if (refused !== undefined || events.length === 0) {
          throw new Fault(
            'WITHDRAWAL_REFUSED',
            `Invariant: a withdrawal that was tested was refused: ${refused?.refusal.reason}`,
          );
        }
        withdrawals.add(numbered);
        taken(numbered);
        return { withdrawal: numbered, duplicate: false, rejection: null };
      },
    });
  }

  #rejection(
    account: string,
    asked: AskedWithdrawal,
    digest: string,
    restriction: Restriction | undefined,
    now: EpochMs,
  ): Rejection | undefined {
    const { desk, wallets, withdrawals, settings } = this.#of;
    const wallet = wallets.get(account, asked.walletId);
    if (wallet === undefined) return rejected('NOT_FOUND', 'the account has no such wallet', 'walletId');
    if (withdrawals.byClientId(account, asked.clientWithdrawalId) !== undefined) {
      return rejected('CONFLICT', 'another withdrawal has this id', 'clientWithdrawalId');
    }
    if (withdrawals.isUsed(digest)) return rejected('CONFLICT', 'this signed message was used before', 'nonce');
    if (wallet.status !== 'ACTIVE') return rejected('CONFLICT', `the wallet is ${wallet.status}`, 'walletId');
    if (restriction === 'GEO_BLOCKED') return rejected('GEO_BLOCKED', 'no withdrawals from where the caller is');
    if (restriction === 'EMAIL_NOT_VERIFIED') return rejected('EMAIL_NOT_VERIFIED', 'verify an e-mail address first');
    if (desk.view.mode === 'HALTED') return rejected('VENUE_MODE', 'the venue is HALTED');
    if (now >= asked.deadline) {
      const compared = { limit: asked.deadline, value: now, unit: 'MILLISECONDS' } as const;
      return rejected('EXPIRED_PARAMS', 'the signed deadline has passed', 'deadline', compared);
    }
    if (asked.amountCents < settings.minWithdrawalCents) {
      const [limit, value] = [settings.minWithdrawalCents * CENT, asked.amountCents * CENT];
      return rejected('BELOW_MIN', 'too little to be withdrawn', 'amountCents', { limit, value, unit: 'MICRO_USD' });
    }
    return undefined;
  }
}

function shortage(available: number, amount: number): Rejection | undefined {
  if (available >= amount) return undefined;
  const compared = { limit: Math.max(0, available), value: amount, unit: 'MICRO_USD' } as const;
  return rejected('INSUFFICIENT_BALANCE', 'more than what is available', 'amountCents', compared);
}

function refusal(rejection: Rejection): WithdrawalResult {
  return { withdrawal: null, duplicate: false, rejection };
}
