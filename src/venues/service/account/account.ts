/**
 * The account and its authentication: an API key, or a login whose session is renewed.
 *
 * A refresh token is valid once, and a second use ends the session. A refresh with a lost answer is therefore never
 * repeated. Instead, the account logs in again. No message and no log contains a token.
 */
import { Fault } from '../../../domain/index.ts';
import { type DataOf, OPERATIONS } from '../../../protocol/index.ts';
import type { Hex, SigningKey } from '../../../signing/index.ts';
import { Backoff, Timers } from '../../base/index.ts';
import { readPayload } from '../orders/requests.ts';
import { describeProblem, isUnauthorized, type Transport } from '../transport/index.ts';
import { type LoginPins, login, readSession, type Session, transportChannel } from './login.ts';
import { parseEpoch } from './order-epoch.ts';

type AccountAnswer = DataOf<typeof OPERATIONS.me>['me'];

export type Credential = { readonly type: 'apiKey'; readonly key: string } | { readonly type: 'login' };

export interface AccountOptions {
  readonly transport: Transport;
  readonly pins: LoginPins;
  readonly credential: Credential;
  /** Signs orders and logins. */
  readonly key: SigningKey;
  /** The account's address, lower case. Differs from the key's address if the key belongs to a delegate. */
  readonly address: Hex;
  /** Called when the venue has rejected the session. `onSessionRenewed` follows when a new session exists. */
  readonly onSessionLost?: (problem: string) => void;
  /** Called when a new session exists and the sockets are being replaced. */
  readonly onSessionRenewed?: () => void;
  /** Called when the account is logged out and cannot log in again. */
  readonly onFault: (error: unknown) => void;
}

export type Bucket = AccountAnswer['rateBuckets'][number];

/** Fraction of a token's lifetime after which the token is renewed. */
const RENEW_AFTER = 0.6;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 5_000;
/** Age of a session after which the next login does not pause, ms. */
const STABLE_SESSION_MS = 60_000;
const MAX_LOGINS = 4;
/** Timeout for ending the session at the venue, ms. After the timeout, the session stays until it expires. */
const CLOSE_TIMEOUT_MS = 2_000;

export class Account {
  readonly #options: AccountOptions;
  readonly #timers: Timers;
  #session: Session | undefined;
  #sessionRenewal: Promise<void> | undefined;
  #isLoggingInAgain = false;
  #cancelRefresh = (): void => {};
  readonly #loginBackoff = new Backoff();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#timers = new Timers(options.transport.clock);
  }

  /**
   * Authenticates the account and checks it.
   * @throws Fault `LOGIN` for credentials that the venue refuses, that belong to another account or that cannot trade,
   *   and for a key that cannot sign for the account
   */
  async open() {
    const { credential, transport, key, address } = this.#options;
    if (credential.type === 'apiKey') transport.setCredentials(credential.key);
    else if (key.address !== address) {
      const problem = `${key.address} signs as a delegate of ${address} and cannot log in for it`;
      throw new Fault('LOGIN', `${problem}: give an API key that was made for this delegate`);
    } else await this.renewSession();
    const account = await this.#readAccount();
    this.#checkAccount(account);
    return accountStatus(account);
  }

  /** Reads the account. @throws Fault as `readPayload` */
  async read() {
    return accountStatus(await this.#readAccount());
  }

  /**
   * Logs in. Concurrent calls share one login. After the first session, an outage causes unlimited retries, because the
   * orders are already withdrawn.
   * @throws Fault as `login`; `LOGIN` for an API key, which cannot log in again
   */
  renewSession(): Promise<void> {
    this.#sessionRenewal ??= this.#login().finally(() => {
      this.#sessionRenewal = undefined;
    });
    return this.#sessionRenewal;
  }

  /**
   * Logs in after a session ended, or after a renewal without an answer. Replaces the sockets, because they
   * keep the rights of the old session. Pauses between logins, because a venue may accept each login and reject each
   * session. Never rejects.
   * @param problem why the session ended; undefined if it may still be valid
   */
  async loginAgain(problem: string | undefined): Promise<void> {
    const { transport, onSessionLost, onSessionRenewed, onFault } = this.#options;
    if (this.#isLoggingInAgain || this.#timers.isClosed) return;
    this.#isLoggingInAgain = true;
    if (problem !== undefined) onSessionLost?.(problem);
    try {
      if (transport.clock.now() - this.#renewedAt > STABLE_SESSION_MS) this.#loginBackoff.reset();
      else await this.#timers.pause(this.#loginBackoff.next());
      if (this.#timers.isClosed) return;
      await this.renewSession();
      this.#renewedAt = transport.clock.now();
      transport.renew('a new session');
      onSessionRenewed?.();
    } catch (error) {
      onFault(error);
    } finally {
      this.#isLoggingInAgain = false;
    }
  }

  /**
   * Ends the session of `open`. Orders stay open.
   * @param options with `mayHaveOpenOrders` the session stays, because its end also ends its dead-man's switch
   */
  async close({ mayHaveOpenOrders = false } = {}): Promise<void> {
    this.#timers.close();
    if (this.#session === undefined || mayHaveOpenOrders) return;
    this.#session = undefined;
    const answer = await this.#options.transport.mutate(OPERATIONS.revokeSession, {}, { timeoutMs: CLOSE_TIMEOUT_MS });
    if (answer.type !== 'data')
      this.#options.transport.log.warn({ problem: describeProblem(answer) }, 'account: the session could not be ended');
  }

  async #login(): Promise<void> {
    const { transport, key, pins, credential } = this.#options;
    if (credential.type === 'apiKey')
      throw new Fault('LOGIN', 'the venue rejects the API key: it is revoked, expired, or not for this address');
    for (let tries = 1; ; tries += 1) {
      try {
        this.#applySession(await login(transportChannel(transport), key, pins));
        return;
      } catch (error) {
        // A login with a lost answer may have used its nonce, so each retry requests a new one.
        const isLast = this.#session === undefined && tries >= MAX_LOGINS;
        if (!(error instanceof Fault) || !error.retryable || isLast) throw error;
        transport.log.warn({ err: error }, 'account: retrying the login');
        await this.#timers.wait(Math.min(tries * RETRY_MS, MAX_RETRY_MS));
      }
    }
  }

  #applySession(session: Session): void {
    const { transport } = this.#options;
    this.#session = session;
    transport.setCredentials(session.accessToken);
    const lifetimeMs = session.expiresAt - transport.clock.now() - transport.offset.offsetMs;
    this.#scheduleRefresh(Math.max(RETRY_MS, lifetimeMs * RENEW_AFTER));
  }

  #scheduleRefresh(ms: number): void {
    this.#cancelRefresh();
    this.#cancelRefresh = this.#timers.after(ms, () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    const { transport } = this.#options;
    const session = this.#session;
    if (session === undefined || this.#timers.isClosed) return;
    const { refreshToken } = session;
    const options = { isAnonymous: true, via: 'http', isUnchecked: true } as const;
    const answer = await transport.mutate(OPERATIONS.refreshSession, { refreshToken }, options);
    // A login may have replaced the session.
    if (this.#session !== session || this.#timers.isClosed) return;
    try {
      if (answer.type === 'data') {
        this.#applySession(readSession(answer.data.refreshSession));
        return;
      }
    } catch (error) {
      transport.log.warn({ err: error }, 'account: the refreshed session cannot be used');
    }
    if (!isUnauthorized(answer) && answer.type === 'errors') this.#scheduleRefresh(answer.retryAfterMs ?? RETRY_MS);
    else await this.loginAgain(isUnauthorized(answer) ? 'the session cannot be renewed' : undefined);
  }

  #readAccount(): Promise<AccountAnswer> {
    return readPayload({ transport: this.#options.transport, onProblem: () => {} }, OPERATIONS.me, {});
  }

  #checkAccount(account: AccountAnswer): void {
    const { address, key } = this.#options;
    if (account.address.toLowerCase() !== address)
      throw new Fault('LOGIN', `the credentials are of account ${account.address}, but ${address} is configured`);
    const missing = (['READ', 'TRADE'] as const).filter((scope) => !account.scopes.includes(scope));
    if (missing.length > 0)
      throw new Fault('LOGIN', `the credentials have no scope ${missing.join(' and ')}. Make an API key that has it`);
    if (key.address === address) return;
    const isDelegate = account.apiKeys.some(({ delegateAddress }) => delegateAddress?.toLowerCase() === key.address);
    const problem = `no API key of ${address} names ${key.address} as its delegate`;
    if (!isDelegate) throw new Fault('LOGIN', `${problem}: make one, or sign with the account's key`);
  }
}

function accountStatus({ orderEpoch, rateBuckets }: AccountAnswer) {
  return { epoch: parseEpoch(orderEpoch), buckets: rateBuckets };
}
