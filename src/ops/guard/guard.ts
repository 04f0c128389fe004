/**
 * Acts on what the kill switch decides: everything is cancelled at once by the core, then once more past the core until the
 * venue says that nothing is open, and told to people.
 */
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, Fault, timeAfter } from '../../domain/index.ts';
import type { Log } from '../ports.ts';
import type { Kill, KillSwitch } from './kill-switch.ts';

export interface OrderCanceller {
  /** Open orders of the account at the venue. @throws Fault */
  openOrders(): Promise<number>;
  /** Cancels every order of the account. @throws Fault */
  cancelAll(): Promise<number>;
  /** @param hashes of the orders to cancel, no others. @returns how many are still open. @throws Fault */
  cancelThese(hashes: readonly string[]): Promise<number>;
}

export interface GuardOptions {
  readonly killSwitch: KillSwitch;
  /** The core's `kill`, with its reason: cancels everything and is stored. */
  readonly kill: (reason: string) => void;
  readonly client: OrderCanceller;
  /** Keeps the reason for the next start where the core could not: the run has failed, its store with it, maybe. Default: nothing. */
  readonly mark?: ((reason: string) => void) | undefined;
  /** Tells people; never rejects. */
  readonly alert: (kind: string, text: string, fields: Readonly<Record<string, string | number>>) => void;
  readonly resume: string;
  /** The command line that lists the account's orders at the venue. */
  readonly listOrders: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Verified {
  readonly isVerified: boolean;
  /** Open at the venue when it was last asked; undefined when it could not be asked. */
  readonly open: number | undefined;
  readonly tries: number;
}

const TRIES = 12;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

export class Guard {
  readonly #options: GuardOptions;
  #checking: Promise<Verified> | undefined;
  #verified: Verified | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** What the venue said after the last kill; undefined while there was none, or while it is being asked. */
  get verified(): Verified | undefined {
    return this.#verified;
  }

  /** Somebody's word. Does nothing when it was pulled before. */
  pull(kill: Kill): void {
    if (this.#options.killSwitch.pull(kill)) this.act(kill);
  }

  /** Cancels, then verifies and tells. Within the core's turn the cancel goes out right after it. */
  act(kill: Kill): void {
    const { log } = this.#options;
    const reason = `${kill.reason}: ${kill.text}`;
    log.error({ reason: kill.reason }, `kill switch: ${kill.text}`);
    queueMicrotask(() => {
      try {
        this.#options.kill(reason);
      } catch (error) {
        log.error({ err: error }, 'the core could not cancel: cancelling at the venue itself');
        this.#mark(reason);
      }
      this.#verified = undefined;
      this.#checking = this.#check(kill);
    });
  }

  /** Waits until the venue was asked; undefined when nothing tripped. */
  async settled(): Promise<Verified | undefined> {
    return this.#checking;
  }

  #mark(reason: string): void {
    try {
      this.#options.mark?.(reason);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the kill could not be kept: the next start trades');
    }
  }

  async #check(kill: Kill): Promise<Verified> {
    const { alert, log, resume, listOrders } = this.#options;
    const verified = await verifyNothingOpen(this.#options);
    this.#verified = verified;
    const fields = { reason: kill.reason, open: verified.open ?? -1, tries: verified.tries };
    const end = verified.isVerified
      ? 'No order is open at the venue.'
      : `NOT VERIFIED: ${verified.open === undefined ? 'the venue does not answer' : `${verified.open} orders are open`}. Look at once: \`${listOrders}\`.`;
    if (verified.isVerified) log.warn(fields, `kill switch: ${end}`);
    else log.error(fields, `kill switch: ${end}`);
    alert(
      'kill',
      `halfspread killed trading (${kill.reason}): ${kill.text}. ${end} Nothing is sent until \`${resume}\``,
      fields,
    );
    return verified;
  }
}

/**
 * Cancels everything, then asks until nothing is open, cancelling again in between; gives up after twelve tries: 17 s of waiting,
 * and a minute more where no try is answered. It begins with a cancel even where nothing stands: what is signed and on its way
 * ends with the account's epoch. Never rejects.
 *
 * @param patienceMs no try begins later than so long after the first; default: whenever it may be
 */
export function verifyNothingOpen(
  { client, clock, log }: Pick<GuardOptions, 'client' | 'clock' | 'log'>,
  patienceMs: number = Number.POSITIVE_INFINITY,
): Promise<Verified> {
  const cancel = async (): Promise<number> => {
    await client.cancelAll();
    // Asked at once: what a venue has confirmed is gone.
    return client.openOrders();
  };
  return verifyNoneLeft(cancel, { clock, log }, patienceMs);
}

/** As `verifyNothingOpen`. @param cancel cancels, and answers how many are open. @throws Fault */
export async function verifyNoneLeft(
  cancel: () => Promise<number>,
  { clock, log }: Pick<GuardOptions, 'clock' | 'log'>,
  patienceMs: number,
): Promise<Verified> {
  const end = clock.now() + patienceMs;
  let open: number | undefined;
  let tries = 0;
  while (tries < TRIES) {
    tries += 1;
    try {
      open = await cancel();
      if (open === 0) return { isVerified: true, open, tries };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ problem: error.message }, 'whether orders are open could not be asked');
      open = undefined;
    }
    const wait = Math.min(FIRST_WAIT_MS * tries * tries, LONGEST_WAIT_MS);
    if (clock.now() + wait > end) break;
    if (tries < TRIES) await waited(clock, wait);
  }
  return { isVerified: false, open, tries };
}

function waited(clock: Clock, ms: number): Promise<void> {
  const when: EpochMs = timeAfter(clock.now(), ms);
  return new Promise((resolve) => void clock.schedule(when, resolve));
}
