/** A way to the account that is kept open beside the bot's own: for the kill switch, the watchdog, the end of a run. */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import type { LoginPins } from '../../venues/service/index.ts';
import type { Log } from '../ports.ts';
import { AccountClient } from './account-client.ts';
import type { VenueLine } from './line.ts';
import { type Credentials, signIn, signOut } from './sign-in.ts';

export interface DirectAccessOptions {
  readonly line: VenueLine;
  readonly credentials: Credentials;
  readonly pins: LoginPins;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears each token, the first one too. */
  readonly onToken: (token: string) => void;
  /** Hears the account's epoch when everything was cancelled. Default: nobody does. */
  readonly onEpoch?: ((epoch: unknown) => void) | undefined;
}

/** Well within the life of a session's token, and of one that a watchdog has. */
const RENEW_MS = 300_000;
const RETRY_MS = 5_000;
/** Sessions that are left alone. */
const IN_USE = 2;

export class DirectAccess {
  readonly client: AccountClient;
  readonly #options: DirectAccessOptions;
  #cancel: () => void = () => {};
  #isClosed = false;
  /** Of sessions that may be in use, the newest last: whoever was told of a new one may be using the one before. */
  #tokens: string[] = [];

  constructor(options: DirectAccessOptions) {
    this.#options = options;
    this.client = new AccountClient(options.line, options.onEpoch);
  }

  /** Logs in, and again from time to time. @throws Fault as `signIn` */
  async open(): Promise<void> {
    await this.#enter();
    if (this.#options.credentials.apiKey === undefined) this.#arm(RENEW_MS);
  }

  /** @param isOver whether nobody goes on with the last token: then its session is ended, too. Never rejects */
  async close(isOver = true): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
    await this.#end(this.#tokens.splice(0, this.#tokens.length - Number(!isOver)));
  }

  async #enter(): Promise<void> {
    const { line, credentials, pins, onToken } = this.#options;
    const token = await signIn(line, credentials, pins);
    this.#tokens.push(token);
    onToken(token);
    if (this.#tokens.length > IN_USE) void this.#end(this.#tokens.splice(0, this.#tokens.length - IN_USE));
  }

  async #end(tokens: readonly string[]): Promise<void> {
    const { line, credentials, log } = this.#options;
    const problems = await Promise.all(tokens.map((token) => signOut(line, credentials, token)));
    for (const problem of problems) {
      if (problem !== undefined) log.warn({ problem }, 'a session could not be ended, it will expire');
    }
  }

  #arm(wait: number): void {
    const { clock } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), wait), () => void this.#renew());
  }

  async #renew(): Promise<void> {
    let wait = RENEW_MS;
    try {
      await this.#enter();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#options.log.warn({ problem: error.message }, 'the second way to the account could not be renewed');
      wait = RETRY_MS;
    }
    if (!this.#isClosed) this.#arm(wait);
  }
}
