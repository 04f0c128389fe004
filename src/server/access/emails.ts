/**
 * Verifies e-mail addresses with a code of six digits.
 *
 * Six digits can be guessed, and the hash does not protect them: with the database and its key, an attacker finds them
 * in a second. A code is safe because it expires after a few guesses or minutes and few codes are sent per hour.
 * Guesses are counted on the disk before they are answered.
 */
import { z } from 'zod';
import { secureBytes } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { type Registry, RegistryTable } from '../../exchange/index.ts';
import { badArgument, rateLimited } from '../../protocol/index.ts';
import { optional, registryCodec, syncRegistry, timeRow } from '../registry-rows.ts';
import type { Outbox } from './ports.ts';
import { isSameHash, type SecretHash } from './secret-hash.ts';
import type { AccessSettings } from './settings.ts';

/** A verified address. */
const verified = z.strictObject({ email: z.string(), verifiedAt: timeRow });
/** A code that was sent, the last one of an account. */
const sent = z.strictObject({
  email: z.string(),
  /** Hash of account, address and code; undefined when it was used up. */
  hash: optional(z.string()),
  expiresAt: timeRow,
  triesLeft: z.number(),
  /** Times at which codes were sent to this account within the hourly limit, oldest first. */
  sentAt: z.array(timeRow),
});

export interface EmailsDeps {
  readonly registry: Registry;
  readonly hash: SecretHash;
  readonly outbox: Outbox;
  readonly settings: Pick<AccessSettings, 'emailCodeMs' | 'emailTries' | 'emailsPerHour'>;
}

/** The answer of both mutations. */
export interface EmailAnswer {
  readonly email: string;
  readonly verified: boolean;
  /** Expiry of the sent code; null without one. */
  readonly expiresAt: EpochMs | null;
}

const HOUR = 3_600_000;
const MAX_LENGTH = 254;
/** One @, a dotted host, and nothing that a mail program could read as more than an address. */
const ADDRESS = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const CODES = 1_000_000;
const DRAWS = 4_294_967_296;

/** The addresses of accounts. */
export class Emails {
  readonly #deps: EmailsDeps;
  readonly #verified: RegistryTable<z.output<typeof verified>>;
  readonly #codes: RegistryTable<z.output<typeof sent>>;

  /** Loads the durable rows. */
  constructor(deps: EmailsDeps) {
    this.#deps = deps;
    this.#verified = new RegistryTable(deps.registry, 'email', registryCodec(verified, 'an e-mail address'));
    this.#codes = new RegistryTable(deps.registry, 'emailCode', registryCodec(sent, 'a code'));
  }

  /** The verified address of an account, or the one that a code was sent to. */
  of(account: string): { readonly email: string | null; readonly isVerified: boolean } {
    const verified = this.#verified.get(account);
    if (verified !== undefined) return { email: verified.email, isVerified: true };
    return { email: this.#codes.get(account)?.email ?? null, isVerified: false };
  }

  isVerified(account: string): boolean {
    return this.#verified.get(account) !== undefined;
  }

  /**
   * Sends a code; an earlier code becomes invalid.
   * @throws WireFault for an invalid address, and RATE_LIMITED beyond the hourly limit; what the outbox rejects with
   */
  async request(account: string, email: string, now: EpochMs): Promise<EmailAnswer> {
    if (email.length > MAX_LENGTH || !ADDRESS.test(email)) throw badArgument('email', email, 'an e-mail address');
    if (this.#verified.get(account)?.email === email) return { email, verified: true, expiresAt: null };
    const { settings, outbox, registry } = this.#deps;
    const sentAt = (this.#codes.get(account)?.sentAt ?? []).filter((at) => now - at < HOUR);
    const [oldest] = sentAt;
    if (oldest !== undefined && sentAt.length >= settings.emailsPerHour) throw rateLimited(oldest + HOUR - now);
    const code = newCode();
    const expiresAt = timeAfter(now, settings.emailCodeMs);
    const hash = this.#hash(account, email, code);
    this.#codes.put(account, { email, hash, expiresAt, triesLeft: settings.emailTries, sentAt: [...sentAt, now] });
    await syncRegistry(registry);
    await outbox.send({ to: email, code, expiresAt });
    return { email, verified: false, expiresAt };
  }

  /**
   * Tries a code. A wrong or expired code, or one guess too many, is not verified; `expiresAt` shows whether another
   * try is possible.
   */
  async verify(account: string, email: string, code: string, now: EpochMs): Promise<EmailAnswer> {
    if (this.#verified.get(account)?.email === email) return { email, verified: true, expiresAt: null };
    const sent = this.#codes.get(account);
    if (sent?.hash === undefined || sent.email !== email || now >= sent.expiresAt) {
      return { email, verified: false, expiresAt: null };
    }
    const isRight = isSameHash(sent.hash, this.#hash(account, email, code));
    const triesLeft = sent.triesLeft - 1;
    const isOver = isRight || triesLeft <= 0;
    this.#codes.put(account, { ...sent, triesLeft, hash: isOver ? undefined : sent.hash });
    if (isRight) this.#verified.put(account, { email, verifiedAt: now });
    await syncRegistry(this.#deps.registry);
    return { email, verified: isRight, expiresAt: isOver ? null : sent.expiresAt };
  }

  #hash(account: string, email: string, code: string): string {
    return this.#deps.hash.of('email', `${account}\n${email}\n${code}`);
  }
}

/** Six digits, uniformly distributed. */
function newCode(): string {
  for (;;) {
    const drawn = Buffer.from(secureBytes(4)).readUInt32BE();
    if (drawn < DRAWS - (DRAWS % CODES)) return String(drawn % CODES).padStart(6, '0');
  }
}
