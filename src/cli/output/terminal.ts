/** The terminal of a command. Tests use their own. */
import process from 'node:process';
import { Fault } from '../../domain/index.ts';
import { escapeControls } from '../../network/index.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';

export interface Terminal {
  readonly out: TextOutput;
  readonly err: TextOutput;
  readonly cwd: string;
}

export interface TextOutput {
  /** Escapes all control characters except tab and line feed, including colours. */
  write(text: string): void;
  /** Writes coloured text unchanged. Apply `escapeControls` to text from outside before colouring it. */
  writeColored(text: string): void;
  /** Why the last text could not be written; undefined if it was written. */
  readonly problem?: string | undefined;
  readonly isTty: boolean;
  /** Width in characters; 80 when it is unknown. */
  readonly columns: number;
  readonly colors: boolean;
  /** The underlying stream, for a progress bar. */
  readonly stream: NodeJS.WritableStream;
}

export type Interruption = Readonly<ReturnType<typeof listenForInterrupt>>;

export interface Session {
  readonly terminal: Terminal;
  /** Sets an exit code other than 0 without a fault. */
  setExitCode(code: ExitCode): void;
  /** Listens for Ctrl+C and SIGTERM. From now on, only the second signal ends the process. */
  interruption(): Interruption;
}

/** If a signal caused the fault, prints `note`, sets the exit code of the signal and returns true. */
export function endInterrupted(session: Session, fault: unknown, note: string): boolean {
  const code = session.interruption().exitCode();
  if (code === undefined || !(fault instanceof Fault && fault.code === 'ABORTED')) return false;
  session.terminal.err.write(`interrupted: ${note}\n`);
  session.setExitCode(code);
  return true;
}

/**
 * Returns the terminal of the process. If a reader closes early (`| head`), later output is dropped without a fault.
 * If standard output cannot be written, the process ends, because results would be lost. If standard error cannot be
 * written, a bot continues to trade.
 */
export function processTerminal(): Terminal {
  return { out: textOutput(process.stdout), err: textOutput(process.stderr), cwd: process.cwd() };
}

function textOutput(stream: NodeJS.WriteStream): TextOutput {
  const { NO_COLOR: noColor } = process.env;
  let isClosed = false;
  let problem: string | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isClosed = error.code === 'EPIPE';
    if (isClosed || stream === process.stderr) return;
    process.stderr.write(`error: the output cannot be written (${error.message}). Check the disk\n`);
    process.exit(EXIT.data);
  });
  const write = (text: string): void => {
    if (isClosed) return;
    stream.write(text, (error) => {
      problem = error?.message;
    });
  };
  return {
    write: (text) => write(escapeControls(text)),
    writeColored: write,
    get problem() {
      return problem;
    },
    isTty: stream.isTTY === true,
    columns: stream.columns > 0 ? stream.columns : 80,
    stream,
    colors: stream.isTTY === true && noColor === undefined,
  };
}

/** Writes a result as JSON, or as text for people. @param text receives the width of tables, characters */
export function writeResult({ out }: Terminal, json: boolean, result: unknown, text: (width: number) => string): void {
  out.write(json ? `${JSON.stringify(result)}\n` : text(tableWidth(out)));
}

/** Returns the width of tables in characters: the terminal's width, or Infinity for a file or a pipe. */
export function tableWidth({ columns, isTty }: Pick<TextOutput, 'columns' | 'isTty'>): number {
  return isTty ? columns : Number.POSITIVE_INFINITY;
}

/** Waits until both streams have written everything, or their readers have closed. */
export async function flushOutput(): Promise<void> {
  const flush = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()));
  await Promise.all([process.stdout, process.stderr].map(flush));
}

/** The first Ctrl+C or SIGTERM aborts `signal` and resolves `stopRequested`. The second ends the process. */
export function listenForInterrupt() {
  const controller = new AbortController();
  const stopRequested = Promise.withResolvers<void>();
  let exitCode: ExitCode | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (exitCode !== undefined) process.exit(exitCode);
    exitCode = name === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    controller.abort();
    stopRequested.resolve();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    /** Resolves at the first signal. */
    stopRequested: stopRequested.promise,
    /** Exit code for the signal; undefined before a signal. */
    exitCode: () => exitCode,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
