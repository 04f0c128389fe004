/**
 * Verifies e-mail addresses with a code of six digits.
 *
 * Six digits can be guessed, so a code expires after a few guesses or minutes, and few codes are sent per hour. Each
 * guess is counted durably before its answer is sent. The stored hash does not protect a code: an attacker who has the
 * database and its key finds the code within a second.
 */
import { appendFile } from 'node:fs/promises';
import { z } from 'zod';
import { secureBytes } from '../../clock/index.ts';
import { type EpochMs, formatTime, timeAfter } from '../../domain/index.ts';
import { RegistryTable } from '../../exchange/index.ts';
import { badArgument, rateLimited } from '../../protocol/index.ts';
import type { Log } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import { optional, registryCodec, storedTime, syncRegistry } from '../registry-rows.ts';
import type { AccessServiceDeps, MailSender } from './ports.ts';
import { isSameHash } from './secrets.ts';

const verifiedRow = z.strictObject({ email: z.string(), verifiedAt: storedTime });
const codeRow = z.strictObject({
  email: z.string(),
  /** Hash of account, address and code; undefined for a used code. */
  hash: optional(z.string()),
  expiresAt: storedTime,
  triesLeft: z.number(),
  /** Times of the codes sent within the last hour, oldest first. */
  sentAt: z.array(storedTime),
});

const HOUR_MS = 3_600_000;
const MAX_EMAIL_LENGTH = 254;
/** One @, a dotted host, and no characters that a mail program could interpret. */
const ADDRESS = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const CODE_COUNT = 1_000_000;
const UINT32_COUNT = 4_294_967_296;

export class Emails {
  readonly #deps: AccessServiceDeps;
  readonly #verified: RegistryTable<z.output<typeof verifiedRow>>;
  readonly #codes: RegistryTable<z.output<typeof codeRow>>;

  constructor(deps: AccessServiceDeps) {
    this.#deps = deps;
    this.#verified = new RegistryTable(deps.registry, 'email', registryCodec(verifiedRow, 'an e-mail address'));
    this.#codes = new RegistryTable(deps.registry, 'emailCode', registryCodec(codeRow, 'a code'));
  }

  /** Returns the account's verified address, or else the address of its newest code. */
  getEmail(account: string): { readonly email: string | null; readonly isVerified: boolean } {
    const verifiedEmail = this.#verified.get(account);
    if (verifiedEmail !== undefined) return { email: verifiedEmail.email, isVerified: true };
    return { email: this.#codes.get(account)?.email ?? null, isVerified: false };
  }

  isVerified(account: string): boolean {
    return this.#verified.get(account) !== undefined;
  }

  /**
   * Sends a code, and invalidates the account's previous code.
   * @throws WireFault for an invalid address, or RATE_LIMITED above the hourly limit; the mail sender's error
   */
  async request(account: string, email: string, now: EpochMs): Promise<Model<'EmailPayload'>> {
    if (email.length > MAX_EMAIL_LENGTH || !ADDRESS.test(email)) throw badArgument('email', email, 'an e-mail address');
    if (this.#verified.get(account)?.email === email) return { email, verified: true, expiresAt: null };
    const { settings, mailSender, registry } = this.#deps;
    const sentAt = (this.#codes.get(account)?.sentAt ?? []).filter((at) => now - at < HOUR_MS);
    const [oldest] = sentAt;
    if (oldest !== undefined && sentAt.length >= settings.emailsPerHour) throw rateLimited(oldest + HOUR_MS - now);
    const code = newCode();
    const expiresAt = timeAfter(now, settings.emailCodeMs);
    const hash = this.#hash(account, email, code);
    this.#codes.put(account, { email, hash, expiresAt, triesLeft: settings.emailTries, sentAt: [...sentAt, now] });
    await syncRegistry(registry);
    await mailSender.send({ to: email, code, expiresAt });
    return { email, verified: false, expiresAt };
  }

  /**
   * Checks a code. `verified` is false for a wrong or expired code, and after too many guesses. `expiresAt` is null
   * when the caller cannot guess again.
   */
  async verify(account: string, email: string, code: string, now: EpochMs): Promise<Model<'EmailPayload'>> {
    if (this.#verified.get(account)?.email === email) return { email, verified: true, expiresAt: null };
    const newest = this.#codes.get(account);
    if (newest?.hash === undefined || newest.email !== email || now >= newest.expiresAt)
      return { email, verified: false, expiresAt: null };
    const isMatch = isSameHash(newest.hash, this.#hash(account, email, code));
    const triesLeft = newest.triesLeft - 1;
    const isUsedUp = isMatch || triesLeft <= 0;
    this.#codes.put(account, { ...newest, triesLeft, hash: isUsedUp ? undefined : newest.hash });
    if (isMatch) this.#verified.put(account, { email, verifiedAt: now });
    await syncRegistry(this.#deps.registry);
    return { email, verified: isMatch, expiresAt: isUsedUp ? null : newest.expiresAt };
  }

  #hash(account: string, email: string, code: string): string {
    return this.#deps.hash.compute('email', `${account}\n${email}\n${code}`);
  }
}

/** Returns six uniformly distributed digits. Draws again in the last, incomplete million below 2^32. */
function newCode(): string {
  for (;;) {
    const drawn = Buffer.from(secureBytes(4)).readUInt32BE();
    if (drawn < UINT32_COUNT - (UINT32_COUNT % CODE_COUNT)) return String(drawn % CODE_COUNT).padStart(6, '0');
  }
}

export function fileMailSender(file: string): MailSender {
  return {
    send: ({ to, code, expiresAt }) =>
      appendFile(file, `${JSON.stringify({ to, code, expiresAt: formatTime(expiresAt) })}\n`, { mode: 0o600 }),
  };
}

/** Writes codes to the log, for local venues. */
export function logMailSender(log: Log): MailSender {
  return {
    async send({ to, code, expiresAt }) {
      log.info({ to, code, expiresAt: formatTime(expiresAt) }, 'e-mail with a code, not sent');
    },
  };
}
