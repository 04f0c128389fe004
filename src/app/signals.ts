/** Signals to a bot: the first asks for an orderly end, the second does not wait for the venue, SIGUSR2 kills trading. */
import process from 'node:process';
import type { Clock } from '../clock/index.ts';
import { timeAfter } from '../domain/index.ts';

export interface LiveSignals {
  readonly asked: Promise<NodeJS.Signals>;
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

/** For the cancel to be written, and answered where the venue is there. */
const HURRY_MS = 1_000;

interface CancelParts {
  readonly clock: Clock;
  readonly cancelNow: () => Promise<void>;
}

/** After a second signal: one more cancel of everything, whose answer is waited for a second at most. Never rejects. */
export function cancelledSoon({ clock, cancelNow }: CancelParts): Promise<void> {
  return new Promise((resolve) => {
    const late = clock.schedule(timeAfter(clock.now(), HURRY_MS), resolve);
    void cancelNow().then(() => {
      late();
      resolve();
    });
  });
}
