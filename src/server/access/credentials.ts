/**
 * Finds the owner of a token or key. Runs for every request, so it is synchronous: one look-up and at most one hash.
 */
import { timingSafeEqual } from 'node:crypto';
import { type CredentialNo, type EpochMs, epochMs } from '../../domain/index.ts';
import type { ApiScope } from '../../protocol/index.ts';
import type { Viewer } from '../graphql/context.ts';
import type { ApiKeys } from './api-keys.ts';
import type { AccessParts } from './ports.ts';
import { bearerToken, isAccessToken, type SecretHash } from './secrets.ts';
import type { Sessions } from './sessions.ts';

/** The parts of a request that identify its caller. */
export interface Presented {
  readonly authorization: string | undefined;
  readonly ip: string;
  readonly now: EpochMs;
  /** The connection, as the cache key for the hash of its last token; undefined to cache nothing. */
  readonly connection?: object;
}

export interface CredentialsDeps extends AccessParts {
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
}

export const ALL_SCOPES: readonly ApiScope[] = ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'];

interface WatchedCredential {
  readonly listeners: Set<() => void>;
  cancel: () => void;
}

export class Credentials {
  readonly #deps: CredentialsDeps;
  readonly #tokens: TokenHashes;
  readonly #watched = new Map<string, WatchedCredential>();

  constructor(deps: CredentialsDeps) {
    this.#deps = deps;
    this.#tokens = new TokenHashes(deps.hash);
  }

  /** The viewer of a credential; undefined for a missing or invalid one. Never throws for client input. */
  identify({ authorization, ip, now, connection }: Presented): Viewer | undefined {
    const token = this.#tokens.of(authorization, connection);
    if (token === undefined) return undefined;
    if (token.use === 'access') {
      const session = this.#deps.sessions.find(token.hash, now);
      return session && { account: session.account, credential: session.id, kind: 'session', scopes: ALL_SCOPES };
    }
    const key = this.#deps.keys.use(token.hash, ip, now);
    return key && { account: key.account, credential: key.id, kind: 'key', scopes: key.scopes };
  }

  /**
   * Calls `ended` once, when a credential ends by logout, revocation, reuse of a refresh token or expiry; asynchronously if it
   * has already ended. A session outlives its access tokens.
   * @returns a function that ends the watch
   */
  onEnd(credential: string, ended: () => void): () => void {
    // A new function per watch, so that one listener can watch twice.
    const listener = (): void => ended();
    let watched = this.#watched.get(credential);
    if (watched === undefined) {
      watched = { listeners: new Set(), cancel: () => undefined };
      this.#watched.set(credential, watched);
      this.#arm(credential, watched);
    }
    watched.listeners.add(listener);
    return () => this.#leave(credential, listener);
  }

  /** The exchange's number of a credential; undefined for an unknown one. */
  numberOf(credential: string): CredentialNo | undefined {
    return (this.#deps.sessions.get(credential) ?? this.#deps.keys.get(credential))?.number;
  }

  /** Notifies watchers that a session ended or a key was revoked. */
  ended(credential: string): void {
    const watched = this.#watched.get(credential);
    if (watched === undefined) return;
    this.#watched.delete(credential);
    watched.cancel();
    for (const listener of watched.listeners) listener();
  }

  close(): void {
    for (const { cancel } of this.#watched.values()) cancel();
    this.#watched.clear();
  }

  #leave(credential: string, listener: () => void): void {
    const watched = this.#watched.get(credential);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0) return;
    watched.cancel();
    this.#watched.delete(credential);
  }

  /** Schedules the end. A refresh moves a session's end, so the timer checks again when it fires. */
  #arm(credential: string, watched: WatchedCredential): void {
    const { clock } = this.#deps;
    const end = this.#endOf(credential);
    if (end === Number.POSITIVE_INFINITY) return;
    watched.cancel = clock.schedule(epochMs(Math.max(end, clock.now())), () => {
      if (this.#endOf(credential) > clock.now()) this.#arm(credential, watched);
      else this.ended(credential);
    });
  }

  /** A time, Infinity for never, -Infinity for an ended or unknown credential. */
  #endOf(credential: string): number {
    const session = this.#deps.sessions.get(credential);
    if (session !== undefined) return session.refresh.endsAt;
    const key = this.#deps.keys.get(credential);
    if (key === undefined || key.revokedAt !== undefined) return Number.NEGATIVE_INFINITY;
    return key.expiresAt ?? Number.POSITIVE_INFINITY;
  }
}

interface TokenHash {
  readonly use: 'access' | 'key';
  /** 64 hex digits. */
  readonly hash: string;
}

interface CachedToken {
  /** The header, which is ASCII. */
  readonly bytes: Buffer;
  readonly token: TokenHash;
}

/** Longer headers are not cached. */
const MAX_BYTES = 256;

/**
 * Hashes tokens. HOT: caches the hash of each connection's last token, because clients repeat their token (bench/server.ts).
 *
 * Invariant: only the hash is cached. The session or key is looked up for each request, so an ended one is refused immediately.
 */
class TokenHashes {
  readonly #hash: SecretHash;
  readonly #byConnection = new WeakMap<object, CachedToken>();
  readonly #shown = Buffer.alloc(MAX_BYTES);

  constructor(hash: SecretHash) {
    this.#hash = hash;
  }

  /**
   * The hash of a token in an `Authorization` header; undefined when the header holds no token of this venue.
   * @param connection of the request; undefined to cache nothing
   */
  of(authorization: string | undefined, connection: object | undefined): TokenHash | undefined {
    if (authorization === undefined) return undefined;
    const known = connection === undefined ? undefined : this.#byConnection.get(connection);
    if (known !== undefined && this.#isSame(authorization, known.bytes)) return known.token;
    const text = bearerToken(authorization);
    if (text === undefined) return undefined;
    const use = isAccessToken(text) ? 'access' : 'key';
    const token: TokenHash = { use, hash: this.#hash.of(use, text) };
    if (connection !== undefined && authorization.length <= MAX_BYTES) {
      this.#byConnection.set(connection, { bytes: Buffer.from(authorization, 'latin1'), token });
    }
    return token;
  }

  /** Compares in constant time, because a proxy's connection may carry requests of many callers. */
  #isSame(authorization: string, bytes: Buffer): boolean {
    const { length } = authorization;
    if (length !== bytes.length) return false;
    // Non-ASCII characters become bytes that no token contains.
    this.#shown.write(authorization, 'utf8');
    return timingSafeEqual(this.#shown.subarray(0, length), bytes);
  }
}
