/** Process signals of a bot. The first requests an orderly stop, the second stops at once. SIGUSR2 kills trading. */
import process from 'node:process';
import { type Clock, monotonic, type Stopwatch, sleep } from '../clock/index.ts';

export type LiveSignals = Readonly<ReturnType<typeof listenForSignals>>;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Time after the first signal in which others are ignored, ms. timeout(1) signals the process and its group. */
const IGNORE_MS = 200;

/** @param kill is called for SIGUSR2 */
export function listenForSignals(kill: () => void, stopwatch: Stopwatch = monotonic) {
  const requested = Promise.withResolvers<NodeJS.Signals>();
  const forced = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const onStopSignal = (name: NodeJS.Signals): void => {
    if (firstAt === undefined) requested.resolve(name);
    else if (stopwatch() - firstAt >= IGNORE_MS) forced.resolve();
    firstAt ??= stopwatch();
  };
  for (const name of STOP_SIGNALS) process.on(name, onStopSignal);
  process.on('SIGUSR2', kill);
  return {
    stopRequested: requested.promise,
    stopForced: forced.promise,
    release(): void {
      for (const name of STOP_SIGNALS) process.off(name, onStopSignal);
      process.off('SIGUSR2', kill);
    },
  };
}

const MAX_WAIT_MS = 1_000;

/** Cancels every order once more, and waits at most a second for the answer. Never rejects. */
export async function cancelAgain(bot: { readonly clock: Clock; cancelNow(): Promise<void> }): Promise<void> {
  await Promise.race([bot.cancelNow(), sleep(bot.clock, MAX_WAIT_MS)]);
}
