/**
 * A log that is written to a file, without waiting for the disk. A disk that refuses later ends the file and nothing else:
 * it is told once, and what is logged from then on goes where logs go that have no file.
 */
import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { FileFault } from '../../domain/index.ts';

export class LogFile {
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #spare: (text: string) => void;
  #isOver = false;

  /** Appends; a new file is its owner's alone. @param spare takes what the file cannot. @throws FileFault */
  constructor(path: string, spare: (text: string) => void) {
    this.path = path;
    this.#spare = spare;
    this.#stream = createWriteStream(path, { fd: opened(path) });
    this.#stream.on('error', (error) => this.#fail(error));
  }

  /** @param text whole lines */
  write(text: string): void {
    if (this.#isOver) this.#spare(text);
    else this.#stream.write(text);
  }

  /** Resolves when all is written, or cannot be; a second time does nothing. Never rejects. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await new Promise<void>((resolve) => {
      this.#stream.on('close', () => resolve());
      this.#stream.end();
    });
  }

  #fail(error: Error): void {
    this.#isOver = true;
    this.#spare(`log.file ${this.path} cannot be written (${error.message}): what is logged from now on stands here\n`);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const problem = isMissing ? 'its folder is not there' : `cannot be opened (${String(cause)})`;
    const remedy = 'Make the folder, or set `log.file` to a file that this user may write';
    throw new FileFault(path, undefined, problem, remedy, { cause });
  }
}
