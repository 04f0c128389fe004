/** An API key and how it is kept. */
import { z } from 'zod';
import { type CredentialNo, credentialNo, type EpochMs, epochMs } from '../../domain/index.ts';
import type { RegistryCodec } from '../../exchange/index.ts';
import type { ApiScope } from '../../protocol/index.ts';
import { registryRow } from '../registry-rows.ts';

/** Another address that may sign orders of the account while its key lives. */
export interface Delegate {
  /** Lower case. */
  readonly address: string;
  readonly expiresAt: EpochMs;
}

/** A key, with only the hash of its secret. */
export interface ApiKey {
  /** UUID. */
  readonly id: string;
  /** Address, lower case. */
  readonly account: string;
  readonly number: CredentialNo;
  readonly hash: string;
  readonly label: string;
  readonly scopes: readonly ApiScope[];
  readonly ipAllowList: readonly string[];
  readonly delegate: Delegate | undefined;
  /** Undefined for never. */
  readonly expiresAt: EpochMs | undefined;
  readonly createdAt: EpochMs;
  readonly lastUsedAt: EpochMs | undefined;
  /** Undefined while it was not. */
  readonly revokedAt: EpochMs | undefined;
}

const time = z.number().transform(epochMs);
const row = z.strictObject({
  account: z.string(),
  number: z.number().transform(credentialNo),
  hash: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'])),
  ipAllowList: z.array(z.string()),
  delegate: z.strictObject({ address: z.string(), expiresAt: time }).nullable(),
  expiresAt: time.nullable(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
});

/** @param id the row's key */
export function apiKeyOf(id: string, json: unknown): ApiKey {
  const { delegate, expiresAt, lastUsedAt, revokedAt, ...rest } = registryRow(row, json, 'an API key');
  return {
    id,
    ...rest,
    delegate: delegate ?? undefined,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
  };
}

/** The row of a key, under its id. */
export function apiKeyRow({ id: _, delegate, ...key }: ApiKey): ReturnType<RegistryCodec<ApiKey>['encode']> {
  return {
    ...key,
    delegate: delegate === undefined ? null : { ...delegate },
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    revokedAt: key.revokedAt ?? null,
  };
}
