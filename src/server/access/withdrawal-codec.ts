/** A withdrawal and how it is kept. */
import { z } from 'zod';
import { type EpochMs, epochMs } from '../../domain/index.ts';
import type { RegistryCodec } from '../../exchange/index.ts';
import type { HexText, WithdrawalStatus } from '../../protocol/index.ts';
import { registryRow } from '../registry-rows.ts';
import { hexRow } from './wallet-codec.ts';

/** Money on its way out. */
export interface Withdrawal {
  /** UUID. */
  readonly id: string;
  /** From 1, over all accounts, in order of creation. */
  readonly number: number;
  /** Address, lower case. */
  readonly account: string;
  readonly walletId: string;
  readonly chainId: number;
  readonly toAddress: HexText;
  readonly amountCents: number;
  readonly status: WithdrawalStatus;
  /** Undefined until it is broadcast. */
  readonly transactionHash: HexText | undefined;
  readonly clientWithdrawalId: string;
  /** Of the signed message. */
  readonly digest: string;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

const time = z.number().transform(epochMs);
const row = z.strictObject({
  id: z.string(),
  number: z.number(),
  account: z.string(),
  walletId: z.string(),
  chainId: z.number(),
  toAddress: hexRow,
  amountCents: z.number(),
  status: z.enum(['PENDING', 'BROADCAST', 'CONFIRMED', 'FAILED']),
  transactionHash: hexRow.nullable(),
  clientWithdrawalId: z.string(),
  digest: z.string(),
  createdAt: time,
  updatedAt: time,
});

/** Rows of withdrawals, by id. */
export const withdrawalCodec: RegistryCodec<Withdrawal> = {
  encode: (withdrawal) => ({ ...withdrawal, transactionHash: withdrawal.transactionHash ?? null }),
  decode: (json) => {
    const { transactionHash, ...withdrawal } = registryRow(row, json, 'a withdrawal');
    return { ...withdrawal, transactionHash: transactionHash ?? undefined };
  },
};
