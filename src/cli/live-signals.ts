/** Signals to a bot: the first asks for an orderly end, the second does not wait for the venue, SIGUSR2 kills trading. */
import process from 'node:process';

export interface LiveSignals {
  /** Resolves with the first signal. */
  readonly asked: Promise<NodeJS.Signals>;
  /** Resolves with the second. */
  readonly hurried: Promise<void>;
  release(): void;
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @param kill hears SIGUSR2 */
export function listenForSignals(kill: () => void): LiveSignals {
  const asked = Promise.withResolvers<NodeJS.Signals>();
  const hurried = Promise.withResolvers<void>();
  let count = 0;
  const end = (name: NodeJS.Signals): void => {
    count += 1;
    if (count === 1) asked.resolve(name);
    else hurried.resolve();
  };
  for (const name of ENDING) process.on(name, end);
  process.on('SIGUSR2', kill);
  return {
    asked: asked.promise,
    hurried: hurried.promise,
    release() {
      for (const name of ENDING) process.off(name, end);
      process.off('SIGUSR2', kill);
    },
  };
}
