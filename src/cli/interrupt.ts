/** Ctrl+C and SIGTERM as an AbortSignal: the first requests a clean end, the second ends the process at once. */
import process from 'node:process';
import { Fault } from '../domain/index.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Session } from './output/terminal.ts';

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

/** Ends an interrupted command with the exit code of the signal. @returns false for a fault with another cause */
export function endInterrupted({ terminal, end, interruption }: Session, fault: unknown, note: string): boolean {
  const code = interruption().code();
  if (code === undefined || !(fault instanceof Fault && fault.code === 'ABORTED')) return false;
  terminal.err.write(`interrupted: ${note}\n`);
  end(code);
  return true;
}
