/** What moves of cash are called. */
import type { Transfer } from '../command.ts';
import type { LedgerKind } from './rows.ts';

/** What a transfer may be called. */
export type TransferKind = Extract<LedgerKind, 'DEPOSIT' | 'WITHDRAWAL' | 'REFUND' | 'REBATE' | 'ADJUSTMENT'>;

/**
 * Tells what a transfer is for, which the command does not say: a port, asked once, when the command is carried out; never
 * when it is replayed. Who sends transfers other than deposits and withdrawals remembers the command objects.
 */
export type NameTransfer = (transfer: Transfer) => TransferKind;

/** What comes in is a deposit, what goes out a withdrawal. */
export const bySign = ({ amount }: Pick<Transfer, 'amount'>): TransferKind => (amount > 0 ? 'DEPOSIT' : 'WITHDRAWAL');
