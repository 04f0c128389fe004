/**
 * Account sessions that are independent of the bot's session. `DirectAccess` serves the kill switch, the watchdog and
 * the end of a run.
 */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { SigningKey } from '../../signing/index.ts';
import { type LoginChannel, type LoginPins, login } from '../../venues/service/index.ts';
import type { Log } from '../log/log.ts';
import { AccountClient } from './account-client.ts';
import type { VenueHttp } from './venue-http.ts';

export interface Credentials {
  /** An API key, which needs no login. Default: a login with `key`. */
  readonly apiKey?: string | undefined;
  readonly key?: SigningKey | undefined;
  /** The account's address. Default: the key's address. */
  readonly address?: string | undefined;
}

/** Logs in and returns the token. @throws Fault LOGIN for a differing or missing field, faults of `request` */
export async function logIn(http: VenueHttp, credentials: Credentials, pins: LoginPins): Promise<string> {
  const { apiKey, key, address = key?.address } = credentials;
  if (apiKey !== undefined) {
    http.setToken(apiKey);
    return apiKey;
  }
  if (key === undefined || address === undefined) {
    const problem = 'there is neither an API key nor a signing key to log in with. Set account.key or account.api_key';
    throw new Fault('LOGIN', problem);
  }
  if (address !== key.address) {
    const problem = `the key is that of ${key.address}, not of account.address ${address}: only the account's own key can log in. Give an API key (account.api_key) for a delegate`;
    throw new Fault('LOGIN', problem);
  }
  // Sends each request once, because the whole login is repeated.
  const channel: LoginChannel = {
    now: () => http.now(),
    challenge: (address) => http.requestOnce(OPERATIONS.authChallenge, { address }),
    createSession: (input) => http.requestOnce(OPERATIONS.createSession, { input }),
  };
  // Each attempt requests a new challenge, because a login without an answer may have used the last one.
  const { accessToken } = await http.withRetries(() => login(channel, key, pins));
  http.setToken(accessToken);
  return accessToken;
}

/** Ends a session, but not an API key. Returns why the session could not be ended. Never throws a Fault. */
export async function logOut(http: VenueHttp, { apiKey }: Credentials, token: string): Promise<string | undefined> {
  if (apiKey !== undefined) return undefined;
  try {
    await http.withToken(token).request(OPERATIONS.revokeSession);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

export interface DirectAccessOptions {
  readonly http: VenueHttp;
  readonly credentials: Credentials;
  readonly pins: LoginPins;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives each token, including the first. */
  readonly onToken: (token: string) => void;
  /** Receives the account's new order epoch after `cancelAll`. */
  readonly onEpoch?: ((epoch: unknown) => void) | undefined;
}

/** Interval of renewals. It is much shorter than the lifetime of a token, including the watchdog's token. */
const RENEW_MS = 300_000;
const RETRY_MS = 5_000;
/** Number of sessions that stay open. The watchdog may still use the previous session. */
const MAX_SESSIONS = 2;

export class DirectAccess {
  readonly client: AccountClient;
  readonly #options: DirectAccessOptions;
  #cancel: () => void = () => {};
  #isClosed = false;
  /** Tokens of open sessions, the newest last. */
  #tokens: string[] = [];

  constructor(options: DirectAccessOptions) {
    this.#options = options;
    this.client = new AccountClient(options.http, options.onEpoch);
  }

  /** Logs in, and renews the session regularly. @throws Fault as `logIn` */
  async open(): Promise<void> {
    await this.#logIn();
    if (this.#options.credentials.apiKey === undefined) this.#scheduleRenewal(RENEW_MS);
  }

  /** Ends the sessions. Never rejects. @param options `keepsLast` keeps the last session, which the watchdog may use */
  async close({ keepsLast = false } = {}): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
    await this.#endSessions(this.#tokens.splice(0, this.#tokens.length - (keepsLast ? 1 : 0)));
  }

  async #logIn(): Promise<void> {
    const { http, credentials, pins, onToken } = this.#options;
    const token = await logIn(http, credentials, pins);
    if (this.#isClosed) return this.#endSessions([token]);
    this.#tokens.push(token);
    onToken(token);
    if (this.#tokens.length > MAX_SESSIONS)
      void this.#endSessions(this.#tokens.splice(0, this.#tokens.length - MAX_SESSIONS));
  }

  async #endSessions(tokens: readonly string[]): Promise<void> {
    const { http, credentials, log } = this.#options;
    const problems = await Promise.all(tokens.map((token) => logOut(http, credentials, token)));
    for (const problem of problems) {
      if (problem !== undefined) log.warn({ problem }, 'a session could not be ended and will expire');
    }
  }

  #scheduleRenewal(waitMs: number): void {
    if (this.#isClosed) return;
    const { clock } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), waitMs), () => void this.#renew());
  }

  async #renew(): Promise<void> {
    let waitMs = RENEW_MS;
    try {
      await this.#logIn();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#options.log.warn({ problem: error.message }, 'the session for direct cancels could not be renewed');
      waitMs = RETRY_MS;
    }
    this.#scheduleRenewal(waitMs);
  }
}
