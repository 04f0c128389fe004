/**
 * The warm-up of the order path. Each pass runs the trading code on an imaginary market: a book frame, the signed and
 * logged requote, and the venue's answer. The code is compiled before the first quote and stays in the CPU caches while
 * the real markets are quiet (docs/decisions/0019).
 *
 * Invariants: the warm-up has no visible effect. It has its own state, risk, planner, books and key, an optional
 * connection to itself and an optional unlinked temporary file. It uses no socket, file, timer or strategy of the bot.
 * A fault ends only the warm-up, with a warning in the log.
 */
import { nextEventLoopTurn } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { timeAfter } from '../../domain/index.ts';
import type { Log } from '../../ops/index.ts';
import { ScratchFile } from '../../store/index.ts';
import type { WarmupVenue } from '../../venues/service/index.ts';
import type { Closers } from '../startup.ts';
import { Loopback } from './loopback.ts';
import { createWarmupVenue, type WarmupDeps, type WarmupOutputs } from './warmup-bot.ts';

export interface WarmupOptions extends WarmupDeps {
  readonly log: Log;
  /** Number of real orders sent so far. After a real order, the warm-up skips the next pass. */
  readonly ordersSent?: () => number;
  /** Number of market data rows received so far. Passes slow down without new rows. Default: never slow down. */
  readonly rowsReceived?: () => number;
}

/**
 * Runs the warm-up until the code is compiled. Call this before the first quote.
 * @param db database of the bot. The warm-up writes log entries to an unlinked temporary file in the same folder
 * @returns a function that must be called once when trading has begun. Passes then continue until the closers close
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

/** Opens the outputs of a warm-up. A missing output shortens the warmed part of the order path. */
export async function openOutputs(db: string, log: Log, closers: Closers): Promise<WarmupOutputs> {
  return {
    scratch: await openOutput('a file', () => new ScratchFile(`${db}.warmup`), log, closers),
    loopback: await openOutput('a connection to itself', () => Loopback.open(), log, closers),
  };
}

async function openOutput<Output extends { close(): void }>(
  name: string,
  open: () => Output | Promise<Output>,
  log: Log,
  closers: Closers,
): Promise<Output | undefined> {
  let opened: Output;
  try {
    opened = await open();
  } catch (error) {
    log.warn({ err: error }, `the warm-up runs without ${name}: orders may be slower after a quiet time`);
    return undefined;
  }
  closers.add(() => opened.close());
  return opened;
}

/** V8's second compiler starts after 400 calls (`compileEarly`). More passes cover code that V8 deoptimizes. */
const TRAINING_PASSES = 1_500;
const PASSES_PER_SLICE = 10;
/** Number of passes after which a new venue starts. This bounds the memory for order numbers. */
const PASSES_PER_VENUE = 50_000;
/** Time without market data after which the market is quiet, ms. */
const QUIET_AFTER_MS = 1_000;
/** Shortest time between two passes in a quiet market, ms. Passes then use about 1 % of a core. */
const QUIET_INTERVAL_MS = 100;

export class Warmup {
  readonly #options: WarmupOptions;
  #venue: WarmupVenue | undefined;
  passes = 0;
  orders = 0;
  /** Real orders at the last check. */
  #ordersSent = 0;
  /** Rows at the last check, and the time at which new rows were last seen. */
  #rows = 0;
  #rowsAt = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #cancel: () => void = () => {};
  #scheduleNo = 0;

  constructor(options: WarmupOptions) {
    this.#options = options;
  }

  /** Runs passes until the code is compiled. Yields to the event loop every few passes. Never rejects. */
  async train(passes: number = TRAINING_PASSES): Promise<void> {
    for (let done = 0; done < passes && !this.#isOver; done += PASSES_PER_SLICE) {
      await this.#runPasses(Math.min(PASSES_PER_SLICE, passes - done));
      await nextEventLoopTurn();
    }
  }

  /** Runs a pass every `everyMs`, at least 100 ms apart in a quiet market, until `pause` or `end`. */
  keepWarm(everyMs: number): void {
    this.pause();
    if (!this.#isOver) this.#schedulePass(everyMs, this.#scheduleNo);
  }

  pause(): void {
    this.#scheduleNo += 1;
    this.#cancel();
  }

  end(): void {
    this.#isOver = true;
    this.pause();
    this.#venue = undefined;
  }

  #schedulePass(everyMs: number, scheduleNo: number): void {
    const { clock } = this.#options;
    const waitMs = this.#detectQuiet() ? Math.max(everyMs, QUIET_INTERVAL_MS) : everyMs;
    this.#cancel = clock.schedule(timeAfter(clock.now(), waitMs), () => {
      void this.#runPasses(this.#detectOrder() ? 0 : 1).then(() => {
        if (scheduleNo === this.#scheduleNo) this.#schedulePass(everyMs, scheduleNo);
      });
    });
  }

  #detectQuiet(): boolean {
    const { clock, rowsReceived } = this.#options;
    if (rowsReceived === undefined) return false;
    const [rows, now] = [rowsReceived(), clock.now()];
    if (rows !== this.#rows) {
      this.#rows = rows;
      this.#rowsAt = now;
    }
    return now - this.#rowsAt >= QUIET_AFTER_MS;
  }

  #detectOrder(): boolean {
    const before = this.#ordersSent;
    this.#ordersSent = this.#options.ordersSent?.() ?? 0;
    return this.#ordersSent !== before;
  }

  async #runPasses(passes: number): Promise<void> {
    if (passes === 0) return;
    try {
      if (this.#venue === undefined || this.passes % PASSES_PER_VENUE === 0)
        this.#venue = await createWarmupVenue(this.#options);
      for (let pass = 0; pass < passes && !this.#isOver; pass += 1) {
        this.orders += this.#venue.runOnce();
        this.passes += 1;
      }
    } catch (error) {
      this.end();
      const text = 'the warm-up failed and has ended: orders may be slower after a quiet time';
      this.#options.log.warn({ err: error }, text);
    }
  }
}
