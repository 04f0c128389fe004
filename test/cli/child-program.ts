/** The real program as a child process, for soaks too: nothing of a test framework. */
import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { programPath } from '../program.ts';

const running = new Set<ChildProcess>();

/** Ends every process that is left. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

export class Program {
  /** Resolves with its exit code, null where a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #said = '';
  #isOver = false;
  #heard: () => void = () => {};

  /** Does not wait until it is ready. */
  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
    const child = spawn(process.execPath, [programPath(env), ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
        this.#heard();
      });
    }
    // Not `close`: its watchdog may hold the pipe for longer than it lives.
    this.ended = new Promise((resolve) => {
      child.on('exit', (code) => {
        running.delete(child);
        this.#isOver = true;
        this.#heard();
        resolve(code);
      });
    });
  }

  /** Both outputs. */
  get said(): string {
    return this.#said;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits for a text; false when it ended before. */
  async says(text: RegExp): Promise<boolean> {
    while (!text.test(this.#said)) {
      if (this.#isOver) return false;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    return true;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}
