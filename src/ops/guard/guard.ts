/**
 * Executes a kill: the core cancels every order at once. The guard then cancels directly at the venue until the venue
 * confirms that no order is open, or all tries fail. It then sends an alert.
 */
import { sleep } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { LiveBotDeps } from '../live/live-bot-deps.ts';
import type { Kill } from './kill-switch.ts';

export interface GuardDeps
  extends Pick<
    LiveBotDeps,
    'killSwitch' | 'client' | 'writeKillFile' | 'alert' | 'commandLine' | 'venueCommandLine' | 'clock' | 'log'
  > {
  readonly run: Pick<LiveBotDeps['run'], 'submit'>;
}

export interface Verification {
  readonly isVerified: boolean;
  /** Orders open at the venue at the last check; undefined when the check failed. */
  readonly open: number | undefined;
  readonly tries: number;
}

const MAX_TRIES = 12;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

export class Guard {
  readonly #deps: GuardDeps;
  #checking: Promise<Verification> | undefined;
  #verified: Verification | undefined;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  /** Result of the check after the last kill; undefined before the first kill, or while the check runs. */
  get verified(): Verification | undefined {
    return this.#verified;
  }

  /** Kills trading, unless it is already killed. */
  trip(kill: Kill): void {
    if (this.#deps.killSwitch.trip(kill)) this.enforce(kill);
  }

  /** Cancels, verifies and sends an alert. If the core is processing an event, cancels right after that event. */
  enforce(kill: Kill): void {
    const { log } = this.#deps;
    const reason = `${kill.reason}: ${kill.text}`;
    log.error({ reason: kill.reason }, `kill switch: ${kill.text}`);
    queueMicrotask(() => {
      try {
        this.#deps.run.submit({ type: 'operatorCommanded', command: 'kill', reason });
      } catch (error) {
        log.error({ err: error }, 'the core could not cancel: cancelling directly at the venue');
        this.#storeKillFile(reason);
      }
      this.#verified = undefined;
      this.#checking = this.#check(kill);
    });
  }

  /** Waits for the check of the last kill. Returns undefined without a kill. */
  async settled(): Promise<Verification | undefined> {
    return this.#checking;
  }

  #storeKillFile(reason: string): void {
    try {
      this.#deps.writeKillFile?.(reason);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the kill could not be stored: the next start will trade');
    }
  }

  async #check(kill: Kill): Promise<Verification> {
    const { alert, log, commandLine, venueCommandLine } = this.#deps;
    const verified = await cancelAllAndVerify(this.#deps);
    this.#verified = verified;
    const fields = { reason: kill.reason, open: verified.open ?? -1, tries: verified.tries };
    const outcome = verified.isVerified
      ? 'No order is open at the venue.'
      : `NOT VERIFIED: ${verified.open === undefined ? 'the venue does not answer' : `${verified.open} orders are open`}. Look at once: \`${venueCommandLine('orders')}\`.`;
    if (verified.isVerified) log.warn(fields, `kill switch: ${outcome}`);
    else log.error(fields, `kill switch: ${outcome}`);
    const text = `halfspread killed trading (${kill.reason}): ${kill.text}. ${outcome} Nothing is sent until \`${commandLine('resume')}\``;
    alert('kill', text, fields);
    return verified;
  }
}

/**
 * Cancels every order of the account and checks that none is open, up to twelve times. All waits together take 17 s,
 * plus a minute if requests get no answer. Cancels even if no order is open, because the new order epoch invalidates
 * signed orders in flight. Rejects only with an error that is not a `Fault`.
 * @param retryMs longest time from the first attempt to the start of the last attempt. Default: no limit
 */
export function cancelAllAndVerify(
  { client, clock, log }: Pick<GuardDeps, 'client' | 'clock' | 'log'>,
  retryMs: number = Number.POSITIVE_INFINITY,
): Promise<Verification> {
  const cancel = async (): Promise<number> => {
    await client.cancelAll();
    // Needs no wait, because a confirmed cancel is effective at once.
    return client.countOpenOrders();
  };
  return cancelAndVerify(cancel, { clock, log }, retryMs);
}

/** Like `cancelAllAndVerify`. @param cancel cancels, and returns the number of open orders; may throw a `Fault` */
export async function cancelAndVerify(
  cancel: () => Promise<number>,
  { clock, log }: Pick<GuardDeps, 'clock' | 'log'>,
  retryMs: number,
): Promise<Verification> {
  const deadline = clock.now() + retryMs;
  let open: number | undefined;
  let tries = 0;
  while (tries < MAX_TRIES) {
    tries += 1;
    try {
      open = await cancel();
      if (open === 0) return { isVerified: true, open, tries };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ problem: error.message }, 'the check for open orders failed');
      open = undefined;
    }
    const waitMs = Math.min(FIRST_WAIT_MS * tries * tries, LONGEST_WAIT_MS);
    if (clock.now() + waitMs > deadline) break;
    if (tries < MAX_TRIES) await sleep(clock, waitMs);
  }
  return { isVerified: false, open, tries };
}
