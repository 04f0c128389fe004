/** A second session of the account, independent of the bot's: for the kill switch, the watchdog and the end of a run. */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import type { LoginPins } from '../../venues/service/index.ts';
import type { Log } from '../log/log.ts';
import { AccountClient } from './account-client.ts';
import { type Credentials, signIn, signOut } from './sign-in.ts';
import type { VenueHttp } from './venue-http.ts';

export interface DirectAccessOptions {
  readonly http: VenueHttp;
  readonly credentials: Credentials;
  readonly pins: LoginPins;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives each token, including the first. */
  readonly onToken: (token: string) => void;
  /** Receives the account's new order epoch after `cancelAll`. Default: ignored. */
  readonly onEpoch?: ((epoch: unknown) => void) | undefined;
}

/** Much shorter than the lifetime of a token, including the watchdog's. */
const RENEW_MS = 300_000;
const RETRY_MS = 5_000;
/** Number of sessions that stay open: the watchdog may still use the previous one. */
const IN_USE = 2;

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

  /** Logs in, and renews the session regularly. @throws Fault as `signIn` */
  async open(): Promise<void> {
    await this.#signIn();
    if (this.#options.credentials.apiKey === undefined) this.#arm(RENEW_MS);
  }

  /** Never rejects. @param isOver whether to also end the last session, because nothing else uses it */
  async close(isOver = true): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
    await this.#end(this.#tokens.splice(0, this.#tokens.length - Number(!isOver)));
  }

  async #signIn(): Promise<void> {
    const { http, credentials, pins, onToken } = this.#options;
    const token = await signIn(http, credentials, pins);
    this.#tokens.push(token);
    onToken(token);
    if (this.#tokens.length > IN_USE) void this.#end(this.#tokens.splice(0, this.#tokens.length - IN_USE));
  }

  async #end(tokens: readonly string[]): Promise<void> {
    const { http, credentials, log } = this.#options;
    const problems = await Promise.all(tokens.map((token) => signOut(http, credentials, token)));
    for (const problem of problems) {
      if (problem !== undefined) log.warn({ problem }, 'a session could not be ended and will expire');
    }
  }

  #arm(wait: number): void {
    const { clock } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), wait), () => void this.#renew());
  }

  async #renew(): Promise<void> {
    let wait = RENEW_MS;
    try {
      await this.#signIn();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#options.log.warn({ problem: error.message }, 'the second session of the account could not be renewed');
      wait = RETRY_MS;
    }
    if (!this.#isClosed) this.#arm(wait);
  }
}
