/** Ctrl+C and SIGTERM as an AbortSignal: the first asks for an orderly end, the second ends at once. */
import process from 'node:process';
import { EXIT, type ExitCode } from './exit-code.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code of what came; undefined while nothing did. */
  code(): ExitCode | undefined;
  release(): void;
}

export function listenForInterrupt(): Interruption {
  const controller = new AbortController();
  let code: ExitCode | undefined;
  const hear = (name: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = name === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    controller.abort();
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return {
    signal: controller.signal,
    code: () => code,
    release() {
      process.off('SIGINT', hear);
      process.off('SIGTERM', hear);
    },
  };
}
