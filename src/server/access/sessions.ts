/**
 * Opens, refreshes and ends sessions.
 *
 * Invariants: a session has one valid refresh token. All refresh tokens of a session contain the same secret, the
 * family. Any other token of the family ends the session. This detects the reuse of a token without storing used
 * tokens. The maps keep sessions in order of expiry.
 */
import { z } from 'zod';
import { credentialNo, type EpochMs, epochMs, timeAfter } from '../../domain/index.ts';
import { optional, registryCodec, storedTime, syncRegistry } from '../registry-rows.ts';
import { newUuid } from '../wire-ids.ts';
import type { AccessServiceDeps } from './ports.ts';
import { isSameHash, newToken, parseRefreshToken, randomHex } from './secrets.ts';

const tokenRow = z.strictObject({ hash: z.string(), endsAt: storedTime });
type StoredToken = Readonly<z.output<typeof tokenRow>>;

const row = z.strictObject({
  /** Address in lower case. */
  account: z.string(),
  number: z.number().transform(credentialNo),
  createdAt: storedTime,
  /** Hash of the secret part that all refresh tokens of the session share. */
  family: z.string(),
  access: tokenRow,
  /** The access token before the newest refresh. Requests in flight may use this token until it expires. */
  previous: optional(tokenRow),
  /** The valid refresh token. The session ends when this token expires. */
  refresh: tokenRow,
});
const sessionCodec = registryCodec(row, 'a session');

/** The id is a UUID. */
export type Session = Readonly<z.output<typeof row>> & { readonly id: string };

export interface SessionsDeps extends AccessServiceDeps {
  readonly onEnd: (session: Session) => void;
}

/** A session with its new tokens. The tokens are not stored, so the client sees them only once. */
export interface FreshSession {
  readonly session: Session;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #byId = new Map<string, Session>();
  readonly #byAccessHash = new Map<string, Session>();
  readonly #byFamily = new Map<string, Session>();
  readonly #byAccount = new Map<string, Set<string>>();

  /** Loads the durable sessions. Shortens the sessions if `refreshTokenMs` is shorter than before. */
  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    const latestEnd = timeAfter(deps.clock.now(), deps.settings.refreshTokenMs);
    const stored = deps.registry.load('session').map(({ key: id, value }) => {
      const { refresh, ...rest } = sessionCodec.decode(value);
      return { id, ...rest, refresh: { ...refresh, endsAt: epochMs(Math.min(refresh.endsAt, latestEnd)) } };
    });
    for (const session of stored.toSorted((a, b) => a.refresh.endsAt - b.refresh.endsAt)) this.#add(session);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Includes expired sessions that are not deleted yet. */
  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  /** Returns the session of a valid access token. @param hash of the token */
  findByAccessToken(hash: string, now: EpochMs): Session | undefined {
    const session = this.#byAccessHash.get(hash);
    if (session === undefined || now >= session.refresh.endsAt) return undefined;
    const token = session.access.hash === hash ? session.access : session.previous;
    return token !== undefined && now < token.endsAt ? session : undefined;
  }

  /** Resolves when the session is durable. */
  async open(account: string, now: EpochMs): Promise<FreshSession> {
    this.#endExpired(now);
    const ids = this.#byAccount.get(account);
    const [oldest] = ids ?? [];
    if (ids !== undefined && oldest !== undefined && ids.size >= this.#deps.settings.maxSessions) this.#end(oldest);
    const familySecret = randomHex(16);
    const number = this.#deps.numbers.next();
    const family = this.#deps.hash.compute('family', familySecret);
    return this.#renew({ id: newUuid(), account, number, createdAt: now, family }, familySecret, undefined, now);
  }

  /** Returns new tokens for a valid refresh token. Any other token ends its session, if any, and returns undefined. */
  async refresh(refreshToken: string, now: EpochMs): Promise<FreshSession | undefined> {
    const parts = parseRefreshToken(refreshToken);
    if (parts === undefined) return undefined;
    const session = this.#byFamily.get(this.#deps.hash.compute('family', parts.family));
    if (session === undefined) return undefined;
    const isCurrent = isSameHash(session.refresh.hash, this.#deps.hash.compute('refresh', parts.secret));
    if (!isCurrent || now >= session.refresh.endsAt) {
      await this.end(session.id);
      return undefined;
    }
    return this.#renew(session, parts.family, session.access, now);
  }

  /** Ends a session, if one has this id. Resolves when the end is durable. */
  async end(id: string): Promise<void> {
    this.#end(id);
    await syncRegistry(this.#deps.registry);
  }

  async #renew(
    session: Pick<Session, 'id' | 'account' | 'number' | 'createdAt' | 'family'>,
    familySecret: string,
    previous: StoredToken | undefined,
    now: EpochMs,
  ): Promise<FreshSession> {
    const { hash, settings, registry } = this.#deps;
    const [accessToken, refreshToken] = [newToken('pma'), newToken(`pmr_${familySecret}`)];
    const secret = parseRefreshToken(refreshToken)?.secret ?? '';
    const renewed: Session = {
      ...session,
      previous,
      access: { hash: hash.compute('access', accessToken), endsAt: timeAfter(now, settings.accessTokenMs) },
      refresh: { hash: hash.compute('refresh', secret), endsAt: timeAfter(now, settings.refreshTokenMs) },
    };
    const { id, ...row } = renewed;
    this.#remove(id);
    this.#add(renewed);
    registry.put({ table: 'session', key: id, value: sessionCodec.encode(row) });
    await syncRegistry(registry);
    return { session: renewed, accessToken, refreshToken };
  }

  #endExpired(now: EpochMs): void {
    for (const { id, refresh } of this.#byId.values()) {
      if (now < refresh.endsAt) break;
      this.#end(id);
    }
  }

  #end(id: string): void {
    const session = this.#byId.get(id);
    if (session === undefined) return;
    this.#remove(id);
    this.#deps.registry.put({ table: 'session', key: id, value: undefined });
    this.#deps.onEnd(session);
  }

  #add(session: Session): void {
    const { id, account, family, access, previous } = session;
    this.#byId.set(id, session);
    this.#byFamily.set(family, session);
    this.#byAccessHash.set(access.hash, session);
    if (previous !== undefined) this.#byAccessHash.set(previous.hash, session);
    this.#byAccount.set(account, (this.#byAccount.get(account) ?? new Set()).add(id));
  }

  #remove(id: string): void {
    const session = this.#byId.get(id);
    if (session === undefined) return;
    this.#byId.delete(id);
    this.#byFamily.delete(session.family);
    this.#byAccessHash.delete(session.access.hash);
    if (session.previous !== undefined) this.#byAccessHash.delete(session.previous.hash);
    const ids = this.#byAccount.get(session.account);
    ids?.delete(id);
    if (ids?.size === 0) this.#byAccount.delete(session.account);
  }
}
