/** E-mail addresses of accounts, and codes under way, as they are kept. */
import { z } from 'zod';
import { type EpochMs, epochMs } from '../../domain/index.ts';
import type { RegistryCodec } from '../../exchange/index.ts';
import { registryRow } from '../registry-rows.ts';

/** A verified address. */
export interface VerifiedEmail {
  readonly email: string;
  readonly verifiedAt: EpochMs;
}

/** A code that was sent, the last one of an account. */
export interface SentCode {
  readonly email: string;
  /** Hash of account, address and code; undefined when it was used up. */
  readonly hash: string | undefined;
  readonly expiresAt: EpochMs;
  readonly triesLeft: number;
  /** Times at which codes were sent to this account within the hourly limit, oldest first. */
  readonly sentAt: readonly EpochMs[];
}

const time = z.number().transform(epochMs);
const verified = z.strictObject({ email: z.string(), verifiedAt: time });
const sent = z.strictObject({
  email: z.string(),
  hash: z.string().nullable(),
  expiresAt: time,
  triesLeft: z.number(),
  sentAt: z.array(time),
});

/** Rows of verified addresses, by account. */
export const verifiedEmailCodec: RegistryCodec<VerifiedEmail> = {
  encode: (email) => ({ ...email }),
  decode: (json) => registryRow(verified, json, 'an e-mail address'),
};

/** Rows of codes, by account. */
export const sentCodeCodec: RegistryCodec<SentCode> = {
  encode: ({ hash, sentAt, ...code }) => ({ ...code, hash: hash ?? null, sentAt: [...sentAt] }),
  decode: (json) => {
    const { hash, ...code } = registryRow(sent, json, 'a code');
    return { ...code, hash: hash ?? undefined };
  },
};
