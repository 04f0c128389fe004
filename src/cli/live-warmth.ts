/** What keeps the way of an order quick while a live bot waits: rehearsals, and a loop that does not sleep. */
import { availableParallelism } from 'node:os';
import { keepAwake } from '../clock/index.ts';
import { type Log, Rehearsal, type RehearsalOptions, type RehearsalProps } from '../ops/index.ts';
import { ScratchFile } from '../store/index.ts';
import { Loopback } from '../venues/remote/index.ts';
import type { Closers } from './closers.ts';
import type { LiveFile } from './live-schema.ts';

/**
 * Between two rehearsals of a loop that does not sleep, ms. What a rehearsal has touched is in the caches for some 0.3 ms more
 * (docs/decisions/0024).
 */
export const POLLED_REST_MS = 0.25;
/** One for the loop and one for all else: the watchdog, the database's thread, V8's own. */
const CORES = 2;

export interface WarmthOptions extends Omit<RehearsalOptions, 'props'> {
  /** Of the bot's database: what is rehearsed is written beside it, to a file without a name. */
  readonly db: string;
}

/**
 * Rehearses until code is compiled, before the first quote.
 * @param cores that this process may use
 * @returns to be called once when trading has begun: from then on things are kept warm until the closers close
 */
export async function openWarmth(
  { busy_poll: isPolled, keep_warm_ms: everyMs }: Pick<LiveFile, 'busy_poll' | 'keep_warm_ms'>,
  { db, ...options }: WarmthOptions,
  closers: Closers,
  cores = availableParallelism(),
): Promise<() => void> {
  const { log } = options;
  if (isPolled && cores < CORES)
    log.warn({ cores }, 'busy_poll takes a core, and there is no other: give this process two, or leave it out');
  const rehearsal =
    everyMs === 'none' ? undefined : new Rehearsal({ ...options, props: await openProps(db, log, closers) });
  if (rehearsal !== undefined) {
    closers.add(() => rehearsal.end());
    await rehearsal.train();
  }
  return () => {
    if (isPolled) closers.add(keepAwake(POLLED_REST_MS, () => rehearsal?.once()));
    else if (everyMs !== 'none') rehearsal?.keepWarm(everyMs);
  };
}

/** What rehearsals write to: without one or the other they go less of the way. */
export async function openProps(db: string, log: Log, closers: Closers): Promise<RehearsalProps> {
  return {
    scratch: await propOf('a file', () => new ScratchFile(`${db}.rehearsal`), log, closers),
    loopback: await propOf('a connection to itself', () => Loopback.open(), log, closers),
  };
}

async function propOf<Prop extends { close(): void }>(
  what: string,
  open: () => Prop | Promise<Prop>,
  log: Log,
  closers: Closers,
): Promise<Prop | undefined> {
  let prop: Prop;
  try {
    prop = await open();
  } catch (error) {
    log.warn({ err: error }, `rehearsals go without ${what}: orders may be slower after a quiet time`);
    return undefined;
  }
  closers.add(() => prop.close());
  return prop;
}
