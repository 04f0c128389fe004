/** Rehearsals keep the path from a frame to its order fast while a live bot waits. */
import { type Log, Rehearsal, type RehearsalOptions, type RehearsalProps } from '../ops/index.ts';
import { ScratchFile } from '../store/index.ts';
import { Loopback } from '../venues/remote/index.ts';
import type { Closers } from './closers.ts';
import type { LiveFile } from './live-schema.ts';

export interface WarmthOptions extends Omit<RehearsalOptions, 'props'> {
  /** Of the bot's database: what is rehearsed is written beside it, to a file without a name. */
  readonly db: string;
}

/**
 * Rehearses until code is compiled, before the first quote.
 * @returns to be called once when trading has begun: from then on things are kept warm until the closers close
 */
export async function openWarmth(
  { keep_warm_ms: everyMs }: Pick<LiveFile, 'keep_warm_ms'>,
  { db, ...options }: WarmthOptions,
  closers: Closers,
): Promise<() => void> {
  if (everyMs === 'none') return () => {};
  const rehearsal = new Rehearsal({ ...options, props: await openProps(db, options.log, closers) });
  closers.add(() => rehearsal.end());
  await rehearsal.train();
  return () => rehearsal.keepWarm(everyMs);
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
