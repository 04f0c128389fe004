/** A wallet and how it is kept. */
import { z } from 'zod';
import { type EpochMs, epochMs } from '../../domain/index.ts';
import type { RegistryCodec } from '../../exchange/index.ts';
import { type HexText, isHexText, type WalletStatus } from '../../protocol/index.ts';

import { registryRow } from '../registry-rows.ts';

/** A wallet of an account on one chain. */
export interface Wallet {
  /** UUID. */
  readonly id: string;
  /** Address, lower case. */
  readonly account: string;
  readonly chainId: number;
  readonly address: HexText;
  /** Undefined until it is ready. */
  readonly depositAddress: HexText | undefined;
  readonly status: WalletStatus;
  readonly createdAt: EpochMs;
}

/** Hex, in rows. */
export const hexRow = z.string().refine(isHexText);
const row = z.strictObject({
  id: z.string(),
  account: z.string(),
  chainId: z.number(),
  address: hexRow,
  depositAddress: hexRow.nullable(),
  status: z.enum(['PROVISIONING', 'ACTIVE', 'DISABLED']),
  createdAt: z.number().transform(epochMs),
});

/** Rows of wallets, by id. */
export const walletCodec: RegistryCodec<Wallet> = {
  encode: (wallet) => ({ ...wallet, depositAddress: wallet.depositAddress ?? null }),
  decode: (json) => {
    const { depositAddress, ...wallet } = registryRow(row, json, 'a wallet');
    return { ...wallet, depositAddress: depositAddress ?? undefined };
  },
};
