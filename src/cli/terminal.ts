/** What commands see of the process they run in. Tests hand in their own. */
import process from 'node:process';
import { EXIT } from './exit-code.ts';

export interface Terminal {
  /** Results go here. */
  readonly out: TextOutput;
  /** Progress, notes and errors go here. */
  readonly err: TextOutput;
  readonly cwd: string;
}

export interface TextOutput {
  write(text: string): void;
  readonly isTty: boolean;
  /** Width in characters; 80 where nobody knows. */
  readonly columns: number;
  readonly colors: boolean;
  /** What it writes to, for a progress bar. */
  readonly stream: NodeJS.WritableStream;
}

/** The real one. A reader that goes away early (`| head`) is no fault: what is written after that is dropped. */
export function processTerminal(): Terminal {
  return { out: textOutput(process.stdout), err: textOutput(process.stderr), cwd: process.cwd() };
}

function textOutput(stream: NodeJS.WriteStream): TextOutput {
  const { NO_COLOR: noColor } = process.env;
  let gone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone = true;
    if (error.code === 'EPIPE') return;
    if (stream !== process.stderr)
      process.stderr.write(`error: the output cannot be written (${error.message}). Check the disk\n`);
    process.exit(EXIT.data);
  });
  return {
    write(text) {
      if (!gone) stream.write(harmless(text));
    },
    isTty: stream.isTTY === true,
    columns: stream.columns > 0 ? stream.columns : 80,
    stream,
    colors: stream.isTTY === true && noColor === undefined,
  };
}

/** Resolves when both streams have handed on all that was written, or their readers are gone. */
export async function flushed(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))),
  );
}

/** What moves a cursor, sets a title or turns text around: controls but tab and line feed, and Unicode's own. Colours stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /\x1b\[[\d;]*m|[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Names in tapes and words in errors come from outside: they may not steer the terminal. */
export function harmless(text: string): string {
  return text.replace(CONTROLS, (found) =>
    found.length > 1 ? found : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
