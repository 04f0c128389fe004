/** A session and how it is kept. */
import { z } from 'zod';
import { type CredentialNo, credentialNo, type EpochMs, epochMs } from '../../domain/index.ts';
import type { RegistryCodec } from '../../exchange/index.ts';
import { registryRow } from '../registry-rows.ts';

/** Stored data of a token. */
export interface KeptToken {
  readonly hash: string;
  readonly endsAt: EpochMs;
}

/** A login with its refreshes. Tokens are stored as hashes only. */
export interface Session {
  /** UUID. */
  readonly id: string;
  /** Address, lower case. */
  readonly account: string;
  readonly number: CredentialNo;
  readonly createdAt: EpochMs;
  /** Hash of what all its refresh tokens have in common. */
  readonly family: string;
  readonly access: KeptToken;
  /** The access token before the last refresh. It stays valid until it expires, because requests may be under way. */
  readonly previous: KeptToken | undefined;
  /** The one valid refresh token. The session ends with it. */
  readonly refresh: KeptToken;
}

const time = z.number().transform(epochMs);
const token = z.strictObject({ hash: z.string(), endsAt: time });
const row = z.strictObject({
  account: z.string(),
  number: z.number().transform(credentialNo),
  createdAt: time,
  family: z.string(),
  access: token,
  previous: token.nullable(),
  refresh: token,
});

/** @param id the row's key */
export function sessionOf(id: string, json: unknown): Session {
  const { previous, ...rest } = registryRow(row, json, 'a session');
  return { id, ...rest, previous: previous ?? undefined };
}

/** The row of a session, whose key is its id. */
export function sessionRow({
  id: _,
  previous,
  access,
  refresh,
  ...rest
}: Session): ReturnType<RegistryCodec<Session>['encode']> {
  return {
    ...rest,
    access: { ...access },
    refresh: { ...refresh },
    previous: previous === undefined ? null : { ...previous },
  };
}
