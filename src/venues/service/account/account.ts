/**
 * The account and its authentication: an API key, or a login whose session is renewed.
 *
 * A refresh token is valid once, and using it twice ends the session. So a refresh with a lost answer is never
 * repeated: the account logs in again. No message and no log contains a token.
 */
import { Fault } from '../../../domain/index.ts';
import { type AccountFieldsFragment, OPERATIONS } from '../../../protocol/index.ts';
import type { Hex, SigningKey } from '../../../signing/index.ts';
import { Backoff, Timers } from '../../base/index.ts';
import { read } from '../orders/requests.ts';
import { isUnauthorized, problemOf, type Transport } from '../transport/index.ts';
import { parseEpoch } from './keep-epoch.ts';
import { type LoginPins, login, readSession, type Session, transportChannel } from './login.ts';

/** Authentication of the account. */
export type Credential = { readonly type: 'apiKey'; readonly key: string } | { readonly type: 'login' };

export interface AccountOptions {
  readonly transport: Transport;
  readonly pins: LoginPins;
  readonly credential: Credential;
  /** Signs the orders, and logins. */
  readonly key: SigningKey;
  /** The account, lower case; another one than the key's when the key is its delegate's. */
  readonly address: Hex;
  /** The venue does not take the session any more; `entered` follows when there is another one. */
  readonly lost?: (problem: string) => void;
  /** There is another session, and sockets with its rights are on their way. */
  readonly entered?: () => void;
  /** The account is logged out and cannot log in again. */
  readonly fault: (error: unknown) => void;
}

/** The account as the venue shows it, in units of the house. */
export interface AccountNow {
  readonly epoch: number;
  readonly buckets: readonly Bucket[];
}

export interface Bucket {
  readonly name: string;
  readonly capacity: number;
  readonly refillPerSecond: number;
  readonly remaining: number;
}

/** Part of a token's life after which it is renewed. */
const RENEW_AFTER = 0.6;
const RETRY_MS = 1_000;
const MOST_RETRY_MS = 5_000;
/** A session that held for so long has nothing to do with the next login, ms. */
const LOGIN_MS = 60_000;
/** Of the first entry. */
const MOST_LOGINS = 4;
/** For the venue to end the session: it expires by itself otherwise. ms */
const GOODBYE_MS = 2_000;

export class Account {
  readonly #options: AccountOptions;
  readonly #timers: Timers;
  #session: Session | undefined;
  #entering: Promise<void> | undefined;
  #isEntering = false;
  /** Waits between logins that follow each other at once. */
  readonly #logins = new Backoff();
  #enteredAt = Number.NEGATIVE_INFINITY;

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#timers = new Timers(options.transport.clock);
  }

  /**
   * Lets the account in and looks at it.
   * @throws Fault `LOGIN` when it is not let in, is another account, may not trade, or the key may not sign for it
   */
  async open(): Promise<AccountNow> {
    const { credential, transport, key, address } = this.#options;
    if (credential.type === 'apiKey') transport.setCredentials(credential.key);
    else if (key.address !== address) {
      throw new Fault(
        'LOGIN',
        `${key.address} signs as a delegate of ${address} and cannot log in for it: give an API key that was made for this delegate`,
      );
    } else await this.enter();
    const me = await this.#me();
    this.#check(me);
    return shown(me);
  }

  /** The account as it is now. @throws Fault as `read` */
  async read(): Promise<AccountNow> {
    return shown(await this.#me());
  }

  /**
   * Logs in (again); calls at one time share one login. Who was in before waits for a venue that is out of reach:
   * orders are withdrawn then, and an outage is no reason to end.
   * @throws Fault as `login`; `LOGIN` for an API key, which is over for good
   */
  enter(): Promise<void> {
    this.#entering ??= this.#login().finally(() => {
      this.#entering = undefined;
    });
    return this.#entering;
  }

  /**
   * Logs in after a session ended, or after a renewal without an answer. Renews the sockets, which keep the rights of
   * the old session. Logins pause in between, for a venue that accepts each login but no session. Never rejects.
   * @param problem why the session ended; undefined if it may still be valid
   */
  async enterAgain(problem: string | undefined): Promise<void> {
    const { transport, lost, entered, fault } = this.#options;
    if (this.#isEntering || this.#timers.isClosed) return;
    this.#isEntering = true;
    if (problem !== undefined) lost?.(problem);
    try {
      if (transport.clock.now() - this.#enteredAt > LOGIN_MS) this.#logins.reset();
      else await this.#timers.pause(this.#logins.next());
      if (this.#timers.isClosed) return;
      await this.enter();
      this.#enteredAt = transport.clock.now();
      transport.renew('a new session');
      entered?.();
    } catch (error) {
      fault(error);
    } finally {
      this.#isEntering = false;
    }
  }

  /**
   * Ends the session that was opened here; orders stay.
   * @param isOver whether nothing of ours can stand any more; else the session is left to expire, as its dead-man's
   * switch ends with it
   */
  async close(isOver = true): Promise<void> {
    this.#timers.close();
    if (this.#session === undefined || !isOver) return;
    this.#session = undefined;
    const answer = await this.#options.transport.mutate(OPERATIONS.revokeSession, {}, { timeoutMs: GOODBYE_MS });
    if (answer.type !== 'data')
      this.#options.transport.log.warn({ problem: problemOf(answer) }, 'account: the session could not be ended');
  }

  async #login(): Promise<void> {
    const { transport, key, pins, credential } = this.#options;
    if (credential.type === 'apiKey') {
      throw new Fault(
        'LOGIN',
        'the venue does not take the API key any more: revoked, expired, or not for this address',
      );
    }
    for (let tries = 1; ; tries += 1) {
      try {
        this.#take(await login(transportChannel(transport), key, pins));
        return;
      } catch (error) {
        // A login with a lost answer may have used its nonce: start again with a new one.
        const isLast = this.#session === undefined && tries >= MOST_LOGINS;
        if (!(error instanceof Fault) || !error.retryable || isLast) throw error;
        transport.log.warn({ err: error }, 'account: the login is tried again');
        await this.#timers.wait(Math.min(tries * RETRY_MS, MOST_RETRY_MS));
      }
    }
  }

  #take(session: Session): void {
    const { transport } = this.#options;
    this.#session = session;
    transport.setCredentials(session.accessToken);
    const life = session.expiresAt - transport.clock.now() - transport.offset.offsetMs;
    this.#timers.after(Math.max(RETRY_MS, life * RENEW_AFTER), () => void this.#refresh());
  }

  /** @returns false for an answer without usable tokens: then the account must log in again */
  #takeRefreshed(answer: unknown): boolean {
    try {
      this.#take(readSession(answer));
      return true;
    } catch (error) {
      this.#options.transport.log.warn({ err: error }, 'account: the refreshed session cannot be used');
      return false;
    }
  }

  async #refresh(): Promise<void> {
    const { transport } = this.#options;
    if (this.#session === undefined || this.#timers.isClosed) return;
    const { refreshToken } = this.#session;
    const answer = await transport.mutate(
      OPERATIONS.refreshSession,
      { refreshToken },
      { anonymous: true, via: 'http', isUnchecked: true },
    );
    if (this.#timers.isClosed) return;
    if (answer.type === 'data' && this.#takeRefreshed(answer.data.refreshSession)) return;
    if (!isUnauthorized(answer) && answer.type === 'errors') {
      this.#timers.after(answer.retryAfterMs ?? RETRY_MS, () => void this.#refresh());
      return;
    }
    await this.enterAgain(isUnauthorized(answer) ? 'the session cannot be renewed' : undefined);
  }

  #me(): Promise<AccountFieldsFragment> {
    const { transport } = this.#options;
    const trouble = (): void => {};
    return read({ transport, trouble }, OPERATIONS.me, {});
  }

  #check(me: AccountFieldsFragment): void {
    const { address, key } = this.#options;
    if (me.address.toLowerCase() !== address) {
      throw new Fault('LOGIN', `the credentials are of account ${me.address}, but ${address} is configured`);
    }
    const missing = (['READ', 'TRADE'] as const).filter((scope) => !me.scopes.includes(scope));
    if (missing.length > 0)
      throw new Fault('LOGIN', `the credentials have no scope ${missing.join(' and ')}: make a key that has`);
    if (key.address === address) return;
    const isDelegate = me.apiKeys.some(({ delegateAddress }) => delegateAddress?.toLowerCase() === key.address);
    if (!isDelegate) {
      throw new Fault(
        'LOGIN',
        `no API key of ${address} names ${key.address} as its delegate: make one, or sign with the account's key`,
      );
    }
  }
}

function shown({ orderEpoch, rateBuckets }: AccountFieldsFragment): AccountNow {
  return { epoch: parseEpoch(orderEpoch), buckets: rateBuckets };
}
