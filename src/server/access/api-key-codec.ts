/** An API key and its stored form. */
import { z } from 'zod';
import { credentialNo } from '../../domain/index.ts';
import { optional, registryCodec, timeRow } from '../registry-rows.ts';

/** Another address that may sign the account's orders while the key is valid. */
const delegate = z.strictObject({
  /** Lower case. */
  address: z.string(),
  expiresAt: timeRow,
});
export type Delegate = Readonly<z.output<typeof delegate>>;

const row = z.strictObject({
  /** Address, lower case. */
  account: z.string(),
  number: z.number().transform(credentialNo),
  hash: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'])).readonly(),
  ipAllowList: z.array(z.string()).readonly(),
  delegate: optional(delegate),
  /** Undefined for never. */
  expiresAt: optional(timeRow),
  createdAt: timeRow,
  lastUsedAt: optional(timeRow),
  /** Undefined for a key that is not revoked. */
  revokedAt: optional(timeRow),
});

/** A key, with only the hash of its secret. Its id, a UUID, is the row's key. */
export type ApiKey = Readonly<z.output<typeof row>> & { readonly id: string };

export const apiKeyCodec = registryCodec(row, 'an API key');
