/** A withdrawal and its stored form. */
import { z } from 'zod';
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
  /** Digest of the signed message. */
  digest: z.string(),
  createdAt: timeRow,
  updatedAt: timeRow,
});

export type Withdrawal = Readonly<z.output<typeof row>>;

export const withdrawalCodec = registryCodec(row, 'a withdrawal');
