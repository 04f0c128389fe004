/**
 * The warm-up of the order path. Each pass is one frame of a book on a market that does not exist, the requote that answers it,
 * signed and written down, and the venue's answer, through the code that trades. So that code is compiled before the first
 * quote, and stays in the caches while the real markets are quiet (docs/decisions/0019).
 *
 * Invariants: nothing of it is seen anywhere. It has its own state, risk, planner, books and key; a connection to itself and a
 * file without a name where it was given them; and no socket, file, log, timer or strategy of anybody. A fault ends it and
 * nothing else.
 */
import { nextTurn } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { timeAfter } from '../../domain/index.ts';
import type { Log } from '../../ops/index.ts';
import { ScratchFile } from '../../store/index.ts';
import type { WarmupVenue } from '../../venues/service/index.ts';
import type { Closers } from '../startup.ts';
import { Loopback } from './loopback.ts';
import { type WarmupOutputs, type WarmupParts, warmupVenue } from './warmup-bot.ts';

export interface WarmupOptions extends WarmupParts {
  readonly log: Log;
  /** How many orders went out for real so far: after one, the next pass is skipped. */
  readonly ordersSent?: () => number;
  /** How many rows of market data came in so far: while none does, passes are rarer. Default: as often as ever. */
  readonly rowsReceived?: () => number;
}

/**
 * Runs until the code is compiled, before the first quote.
 * @param db of the bot: log entries are written beside it, to a file without a name
 * @returns to be called once when trading has begun: from then on passes go on until the closers close
 */
export async function warmUp(
  { warmup_ms: everyMs }: Pick<LiveFile, 'warmup_ms'>,
  { db, ...options }: Omit<WarmupOptions, 'outputs'> & { readonly db: string },
  closers: Closers,
): Promise<() => void> {
  if (everyMs === 'none') return () => {};
  const warmup = new Warmup({ ...options, outputs: await openOutputs(db, options.log, closers) });
  closers.add(() => warmup.end());
  await warmup.train();
  return () => warmup.keepWarm(everyMs);
}

/** What a warm-up writes to; without one or the other it runs less of the order path. */
export async function openOutputs(db: string, log: Log, closers: Closers): Promise<WarmupOutputs> {
  return {
    scratch: await output('a file', () => new ScratchFile(`${db}.warmup`), log, closers),
    loopback: await output('a connection to itself', () => Loopback.open(), log, closers),
  };
}

async function output<Output extends { close(): void }>(
  what: string,
  open: () => Output | Promise<Output>,
  log: Log,
  closers: Closers,
): Promise<Output | undefined> {
  let opened: Output;
  try {
    opened = await open();
  } catch (error) {
    log.warn({ err: error }, `the warm-up goes without ${what}: orders may be slower after a quiet time`);
    return undefined;
  }
  closers.add(() => opened.close());
  return opened;
}

/** V8's second compiler takes what was called 400 times (`halfspread run` sets that); then some, for what it takes back. */
const TRAINING = 1_500;
/** Between two looks at what else there is to do. */
const SLICE = 10;
/** Then it begins anew, so that it does not grow: order numbers are remembered for long. */
const MOST_PASSES = 50_000;
/** Where nothing has come in for so long, ms, … */
const QUIET_AFTER_MS = 1_000;
/** … so much lies between two at least, ms: 1 % of a core. */
const QUIET_MS = 100;

export class Warmup {
  readonly #options: WarmupOptions;
  #venue: WarmupVenue | undefined;
  #passes = 0;
  #orders = 0;
  /** Orders that had gone out for real at the last look. */
  #ordersSent = 0;
  /** Rows that had come in at the last look, and when that was another number. */
  #rows = 0;
  #rowsAt = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #cancel: () => void = () => {};
  #turn = 0;

  constructor(options: WarmupOptions) {
    this.#options = options;
  }

  get passes(): number {
    return this.#passes;
  }

  get orders(): number {
    return this.#orders;
  }

  /** Runs until the code is compiled; others have their turn every millisecond. Never rejects. */
  async train(passes: number = TRAINING): Promise<void> {
    for (let done = 0; done < passes && !this.#isOver; done += SLICE) {
      await this.#run(Math.min(SLICE, passes - done));
      await nextTurn();
    }
  }

  /** One pass every so many ms (100 where nothing comes in) until `pause` or `end`; none after an order for real. */
  keepWarm(everyMs: number): void {
    this.pause();
    if (!this.#isOver) this.#arm(everyMs, this.#turn);
  }

  /** No pass until `keepWarm` is called again. */
  pause(): void {
    this.#turn += 1;
    this.#cancel();
  }

  end(): void {
    this.#isOver = true;
    this.pause();
    this.#venue = undefined;
  }

  #arm(everyMs: number, turn: number): void {
    const { clock } = this.#options;
    const wait = this.#isQuiet() ? Math.max(everyMs, QUIET_MS) : everyMs;
    this.#cancel = clock.schedule(timeAfter(clock.now(), wait), () => {
      void this.#run(this.#hasTraded() ? 0 : 1).then(() => {
        if (turn === this.#turn) this.#arm(everyMs, turn);
      });
    });
  }

  #isQuiet(): boolean {
    const { clock, rowsReceived } = this.#options;
    if (rowsReceived === undefined) return false;
    const [rows, now] = [rowsReceived(), clock.now()];
    if (rows !== this.#rows) {
      this.#rows = rows;
      this.#rowsAt = now;
    }
    return now - this.#rowsAt >= QUIET_AFTER_MS;
  }

  /** Whether an order has gone out for real since this was asked last. */
  #hasTraded(): boolean {
    const before = this.#ordersSent;
    this.#ordersSent = this.#options.ordersSent?.() ?? 0;
    return this.#ordersSent !== before;
  }

  async #run(passes: number): Promise<void> {
    if (passes === 0) return;
    try {
      if (this.#venue === undefined || this.#passes % MOST_PASSES === 0) this.#venue = await warmupVenue(this.#options);
      for (let pass = 0; pass < passes && !this.#isOver; pass += 1) {
        this.#orders += this.#venue.pass();
        this.#passes += 1;
      }
    } catch (error) {
      this.end();
      this.#options.log.warn({ err: error }, 'the warm-up is over: orders may be slower after a quiet time');
    }
  }
}
