/** What commands see of the process they run in. Tests hand in their own. */
import process from 'node:process';

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
    if (error.code !== 'EPIPE') throw error;
    gone = true;
  });
  return {
    write(text) {
      if (!gone) stream.write(text);
    },
    isTty: stream.isTTY === true,
    columns: stream.columns > 0 ? stream.columns : 80,
    stream,
    colors: stream.isTTY === true && noColor === undefined,
  };
}
