/** Access answers in the form of the schema. */
import type { EpochMs } from '../../domain/index.ts';
import type { ApiScope, WalletStatus, WithdrawalStatus } from '../../protocol/index.ts';
import type { ApiKey } from './api-key-codec.ts';
import type { BucketModel } from './buckets.ts';
import type { Wallet } from './wallet-codec.ts';
import type { Withdrawal } from './withdrawal-codec.ts';

/** A key without its secret. */
export interface KeyModel {
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly ApiScope[];
  readonly delegateAddress: string | null;
  readonly ipAllowList: readonly string[];
  readonly lastUsedAt: EpochMs | null;
  readonly expiresAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** The calling account. */
export interface AccountModel {
  readonly id: string;
  readonly address: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly scopes: readonly ApiScope[];
  readonly apiKeys: readonly KeyModel[];
  readonly orderEpoch: number;
  readonly rateBuckets: readonly BucketModel[];
  readonly createdAt: EpochMs;
}

/** A wallet. */
export interface WalletModel {
  readonly id: string;
  readonly address: string;
  readonly chainId: number;
  readonly status: WalletStatus;
  readonly isDefault: boolean;
  readonly depositAddress: string | null;
  readonly createdAt: EpochMs;
}

/** A withdrawal; the venue takes no fee for it. */
export interface WithdrawalModel {
  readonly id: string;
  readonly walletId: string;
  readonly toAddress: string;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly status: WithdrawalStatus;
  readonly transactionHash: string | null;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

export function presentKey(key: ApiKey): KeyModel {
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

/** @param isDefault whether it is the account's first */
export function presentWallet({ account: _, ...wallet }: Wallet, isDefault: boolean): WalletModel {
  return { ...wallet, isDefault, depositAddress: wallet.depositAddress ?? null };
}

export function presentWithdrawal(withdrawal: Withdrawal): WithdrawalModel {
  const { id, walletId, toAddress, amountCents, status, createdAt, updatedAt } = withdrawal;
  const transactionHash = withdrawal.transactionHash ?? null;
  return { id, walletId, toAddress, amountCents, feeCents: 0, status, transactionHash, createdAt, updatedAt };
}
