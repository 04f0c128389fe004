/** Ctrl+C and SIGTERM as an AbortSignal: the first requests a clean end, the second ends the process at once. */
import process from 'node:process';
import { EXIT, type ExitCode } from './exit-code.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves at the first signal. */
  readonly requested: Promise<void>;
  /** Exit code for the signal; undefined before a signal. */
  code(): ExitCode | undefined;
  release(): void;
}

export function listenForInterrupt(): Interruption {
  const controller = new AbortController();
  const requested = Promise.withResolvers<void>();
  let code: ExitCode | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = name === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    controller.abort();
    requested.resolve();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    requested: requested.promise,
    code: () => code,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
