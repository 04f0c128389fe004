/**
 * HOT: the hash of the token that a request shows. A client shows the same one with each request of a connection, so what a
 * connection showed last is remembered with its hash as long as the connection lives (bench/server.ts).
 *
 * Invariant: only the hash is remembered, never what it stands for. Whose token it is, whether it holds, and from where, is
 * looked up anew each time, so whatever ends it ends it for the next request of every connection.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretHash } from './secret-hash.ts';
import { bearerToken, isAccessToken } from './token-text.ts';

/** What a token is looked up by. */
export interface TokenHash {
  readonly use: 'access' | 'key';
  /** 64 hex digits. */
  readonly hash: string;
}

interface Remembered {
  /** The header, which is ASCII. */
  readonly bytes: Buffer;
  readonly token: TokenHash;
}

/** Headers with a token are shorter, whatever spaces are in them. */
const MAX_BYTES = 256;

/** Hashes tokens for the connections of one server. */
export class TokenHashes {
  readonly #hash: SecretHash;
  readonly #byConnection = new WeakMap<object, Remembered>();
  readonly #shown = Buffer.alloc(MAX_BYTES);

  constructor(hash: SecretHash) {
    this.#hash = hash;
  }

  /**
   * The hash of a token in an `Authorization` header; undefined where there is none of ours.
   * @param connection what the request came on; undefined where nothing is to be remembered
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

  /** In a time that does not tell where they differ: behind a proxy a connection may carry the requests of many. */
  #isSame(authorization: string, bytes: Buffer): boolean {
    const { length } = authorization;
    if (length !== bytes.length) return false;
    // Anything but ASCII becomes bytes that no token has.
    this.#shown.write(authorization, 'utf8');
    return timingSafeEqual(this.#shown.subarray(0, length), bytes);
  }
}
