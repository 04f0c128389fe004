/** Keys, wallets and withdrawals in their public form. */
import type { Model } from '../presenters/models.ts';
import type { ApiKey } from './api-keys.ts';
import type { Wallet } from './wallets.ts';
import type { Withdrawal } from './withdrawals.ts';

export function presentKey(key: ApiKey): Model<'ApiKey'> {
  const { id, label, scopes, ipAllowList, createdAt } = key;
  return {
    id,
    label,
    scopes,
    ipAllowList,
    createdAt,
    delegateAddress: key.delegate?.address ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    expiresAt: key.expiresAt ?? null,
  };
}

/** @param isDefault whether it is the account's first wallet */
export function presentWallet({ account: _, ...wallet }: Wallet, isDefault: boolean): Model<'Wallet'> {
  return { ...wallet, isDefault, depositAddress: wallet.depositAddress ?? null };
}

/** A withdrawal has no fee. */
export function presentWithdrawal(withdrawal: Withdrawal): Model<'Withdrawal'> {
  const { id, walletId, toAddress, amountCents, status, createdAt, updatedAt } = withdrawal;
  const transactionHash = withdrawal.transactionHash ?? null;
  return { id, walletId, toAddress, amountCents, feeCents: 0, status, transactionHash, createdAt, updatedAt };
}
