/**
 * Sign-in of viewers and operators by a password or token, then a cookie. Sessions end with the process. Passwords are
 * stored as salted scrypt hashes, the token and session ids as SHA-256 hashes. All comparisons take constant time.
 */
import { createHash, scryptSync, timingSafeEqual } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { FailedAttempts } from '../../network/index.ts';
import type { Role } from '../generated/schema-types.ts';

const MAX_IDLE_MS = 12 * 3_600_000;
const MAX_AGE_MS = 7 * 86_400_000;
const MAX_SESSIONS = 200;
/** Maximum number of failed sign-ins per minute. */
const MAX_FAILURES = { perAddress: 5, total: 50 };
/** Maximum length of a password or token, characters. */
const MAX_SECRET = 1_000;

export interface Secrets {
  /** Token that signs in as OPERATOR, printed at the start. Undefined if a password is set. */
  readonly token?: string | undefined;
  readonly operatorPassword?: string | undefined;
  readonly viewerPassword?: string | undefined;
}

export interface Session {
  readonly role: Role;
  readonly startedAt: number;
  seenAt: number;
}

export type SignIn =
  | { readonly ok: true; readonly id: string; readonly role: Role }
  /** Seconds to wait after too many failures; 0 for a wrong secret. */
  | { readonly ok: false; readonly retryAfterS: number };

interface StoredSecret {
  readonly role: Role;
  matches(given: string): boolean;
}

export class Sessions {
  readonly #secrets: readonly StoredSecret[];
  /** Sessions by hash of their ids. */
  readonly #sessions = new Map<string, Session>();
  readonly #failed = new FailedAttempts(MAX_FAILURES);

  constructor({ token, operatorPassword, viewerPassword }: Secrets) {
    this.#secrets = [
      ...(token === undefined ? [] : [tokenSecret(token)]),
      ...(operatorPassword === undefined ? [] : [passwordSecret('OPERATOR', operatorPassword)]),
      ...(viewerPassword === undefined ? [] : [passwordSecret('VIEWER', viewerPassword)]),
    ];
  }

  /** @param address the client's address @param now epoch ms */
  signIn(secret: string, address: string, now: number): SignIn {
    const retryAfterS = this.#failed.waitSeconds(address, now);
    if (retryAfterS > 0) return { ok: false, retryAfterS };
    // Compares all secrets, so that the time does not reveal which secret matches.
    const [found] = this.#secrets.filter((each) => each.matches(secret.slice(0, MAX_SECRET)));
    if (found === undefined || secret.length > MAX_SECRET) {
      this.#failed.add(address, now);
      return { ok: false, retryAfterS: 0 };
    }
    const id = Buffer.from(secureBytes(32)).toString('base64url');
    this.#sessions.set(sessionKey(id), { role: found.role, startedAt: now, seenAt: now });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return { ok: true, id, role: found.role };
  }

  /** Returns undefined for an unknown or ended session. */
  find(id: string | undefined, now: number): Session | undefined {
    if (id === undefined) return undefined;
    const key = sessionKey(id);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    if (now - session.seenAt > MAX_IDLE_MS || now - session.startedAt > MAX_AGE_MS) {
      this.#sessions.delete(key);
      return undefined;
    }
    session.seenAt = now;
    return session;
  }

  signOut(id: string): void {
    this.#sessions.delete(sessionKey(id));
  }
}

function passwordSecret(role: Role, password: string): StoredSecret {
  const salt = secureBytes(16);
  const hashed = scryptSync(password, salt, 32);
  return { role, matches: (given) => timingSafeEqual(scryptSync(given, salt, 32), hashed) };
}

/** A fast hash is enough for 128 random bits. */
function tokenSecret(token: string): StoredSecret {
  const hashed = digest(token);
  return { role: 'OPERATOR', matches: (given) => timingSafeEqual(digest(given), hashed) };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sessionKey(id: string): string {
  return digest(id).toString('base64url');
}
