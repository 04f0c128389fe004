/** A way to the account that is kept open beside the bot's own: for the kill switch, the watchdog, the end of a run. */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import type { Log } from '../ports.ts';
import { AccountDesk } from './account-desk.ts';
import type { VenueLine } from './line.ts';
import { type Credentials, type SignInOptions, signIn } from './sign-in.ts';

export interface DirectAccessOptions {
  readonly line: VenueLine;
  readonly credentials: Credentials;
  readonly pins: SignInOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears each token, the first one too. */
  readonly onToken: (token: string) => void;
}

/** Well within the life of a session's token, and of one that a watchdog has. */
const RENEW_MS = 300_000;
const RETRY_MS = 5_000;

export class DirectAccess {
  readonly desk: AccountDesk;
  readonly #options: DirectAccessOptions;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(options: DirectAccessOptions) {
    this.#options = options;
    this.desk = new AccountDesk(options.line);
  }

  /** Logs in, and again from time to time. @throws Fault as `signIn` */
  async open(): Promise<void> {
    await this.#enter();
    if (this.#options.credentials.apiKey === undefined) this.#arm(RENEW_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #enter(): Promise<void> {
    const { line, credentials, pins, onToken } = this.#options;
    onToken(await signIn(line, credentials, pins));
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
