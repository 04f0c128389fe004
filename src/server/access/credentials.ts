/** Finds the owner of a token or key. Each request needs one synchronous look-up and at most one hash. */
import { timingSafeEqual } from 'node:crypto';
import { type CredentialNo, type EpochMs, epochMs } from '../../domain/index.ts';
import type { ApiScope } from '../../protocol/index.ts';
import type { Viewer } from '../graphql/context.ts';
import type { ApiKeys } from './api-keys.ts';
import type { AccessServiceDeps } from './ports.ts';
import { bearerToken, isAccessToken, type SecretHash } from './secrets.ts';
import type { Sessions } from './sessions.ts';

export interface RequestCredentials {
  readonly authorization: string | undefined;
  readonly ip: string;
  readonly now: EpochMs;
  /** Cache key for the hash of the connection's latest token; undefined to cache nothing. */
  readonly connection?: object;
}

export interface CredentialsDeps extends AccessServiceDeps {
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
}

export const ALL_SCOPES: readonly ApiScope[] = ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'];

export class Credentials {
  readonly #deps: CredentialsDeps;
  readonly #tokenHashes: TokenHashes;
  /** Listeners and timers by credential. */
  readonly #watched = new Map<string, { readonly listeners: Set<() => void>; cancel?: () => void }>();

  constructor(deps: CredentialsDeps) {
    this.#deps = deps;
    this.#tokenHashes = new TokenHashes(deps.hash);
  }

  /** Returns the caller; undefined for a missing or invalid credential. Never throws for client input. */
  identify({ authorization, ip, now, connection }: RequestCredentials): Viewer | undefined {
    const token = this.#tokenHashes.fromHeader(authorization, connection);
    if (token === undefined) return undefined;
    if (token.use === 'access') {
      const session = this.#deps.sessions.findByAccessToken(token.hash, now);
      return session && { account: session.account, credential: session.id, kind: 'session', scopes: ALL_SCOPES };
    }
    const key = this.#deps.keys.authenticate(token.hash, ip, now);
    return key && { account: key.account, credential: key.id, kind: 'key', scopes: key.scopes };
  }

  /**
   * Calls `onEnded` once, when a credential ends by logout, revocation, reuse of a refresh token or expiry. Calls
   * `onEnded` asynchronously if the credential has already ended. An expired access token does not end its session.
   * @returns a function that removes the listener
   */
  onEnd(credential: string, onEnded: () => void): () => void {
    // A new function per call lets a caller register the same function twice.
    const listener = (): void => onEnded();
    let watched = this.#watched.get(credential);
    if (watched === undefined) {
      watched = { listeners: new Set() };
      this.#watched.set(credential, watched);
      this.#scheduleEnd(credential);
    }
    watched.listeners.add(listener);
    return () => this.#unwatch(credential, listener);
  }

  getNumber(credential: string): CredentialNo | undefined {
    return (this.#deps.sessions.get(credential) ?? this.#deps.keys.get(credential))?.number;
  }

  notifyEnded(credential: string): void {
    const watched = this.#watched.get(credential);
    if (watched === undefined) return;
    this.#watched.delete(credential);
    watched.cancel?.();
    for (const listener of watched.listeners) listener();
  }

  close(): void {
    for (const { cancel } of this.#watched.values()) cancel?.();
    this.#watched.clear();
  }

  #unwatch(credential: string, listener: () => void): void {
    const watched = this.#watched.get(credential);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0) return;
    watched.cancel?.();
    this.#watched.delete(credential);
  }

  /** Schedules the notification. A refresh moves a session's end, so the timer checks the end again when it fires. */
  #scheduleEnd(credential: string): void {
    const { clock } = this.#deps;
    const watched = this.#watched.get(credential);
    const end = this.#getEnd(credential);
    if (watched === undefined || end === Number.POSITIVE_INFINITY) return;
    watched.cancel = clock.schedule(epochMs(Math.max(end, clock.now())), () => {
      if (this.#getEnd(credential) > clock.now()) this.#scheduleEnd(credential);
      else this.notifyEnded(credential);
    });
  }

  /** Returns when a credential ends: Infinity for never, -Infinity for an ended or unknown credential. */
  #getEnd(credential: string): number {
    const session = this.#deps.sessions.get(credential);
    if (session !== undefined) return session.refresh.endsAt;
    const key = this.#deps.keys.get(credential);
    if (key === undefined || key.revokedAt !== undefined) return Number.NEGATIVE_INFINITY;
    return key.expiresAt ?? Number.POSITIVE_INFINITY;
  }
}

interface TokenHash {
  readonly use: 'access' | 'key';
  readonly hash: string;
}

const MAX_CACHED_BYTES = 256;

/**
 * Hashes tokens. HOT: caches the hash of each connection's latest token, because clients repeat their token
 * (bench/server.ts).
 *
 * Invariant: only the hash is cached. Each request looks up its session or key, so an ended credential is refused
 * immediately.
 */
class TokenHashes {
  readonly #hash: SecretHash;
  /** The latest token of each connection, with the bytes of the whole ASCII header. */
  readonly #byConnection = new WeakMap<object, { readonly bytes: Buffer; readonly token: TokenHash }>();
  readonly #received = Buffer.alloc(MAX_CACHED_BYTES);

  constructor(hash: SecretHash) {
    this.#hash = hash;
  }

  /** Returns the hash of the header's token; undefined if the header contains no token of this venue. */
  fromHeader(authorization: string | undefined, connection: object | undefined): TokenHash | undefined {
    if (authorization === undefined) return undefined;
    const cached = connection === undefined ? undefined : this.#byConnection.get(connection);
    if (cached !== undefined && this.#isSame(authorization, cached.bytes)) return cached.token;
    const text = bearerToken(authorization);
    if (text === undefined) return undefined;
    const use = isAccessToken(text) ? 'access' : 'key';
    const token: TokenHash = { use, hash: this.#hash.compute(use, text) };
    if (connection !== undefined && authorization.length <= MAX_CACHED_BYTES)
      this.#byConnection.set(connection, { bytes: Buffer.from(authorization, 'latin1'), token });
    return token;
  }

  /** Compares in constant time, because a proxy's connection may carry requests of many callers. */
  #isSame(authorization: string, bytes: Buffer): boolean {
    const { length } = authorization;
    if (length !== bytes.length) return false;
    // Non-ASCII characters become bytes that no token contains.
    this.#received.write(authorization, 'utf8');
    return timingSafeEqual(this.#received.subarray(0, length), bytes);
  }
}
