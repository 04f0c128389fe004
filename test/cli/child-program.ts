/** Runs the program as a child process without a test framework, as soaks need. */
import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { programPath } from '../program.ts';

const running = new Set<ChildProcess>();

/** Kills every process that is still running. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

export class Program {
  /** Resolves with the exit code, or null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = '';
  #hasEnded = false;
  #onChange: () => void = () => {};

  /** Starts the process and does not wait until it is ready. */
  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
    const child = spawn(process.execPath, [programPath(env), ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#onChange();
      });
    }
    // Not `close`: the watchdog may keep the pipe open after the process ended.
    this.ended = new Promise((resolve) => {
      child.on('exit', (code) => {
        running.delete(child);
        this.#hasEnded = true;
        this.#onChange();
        resolve(code);
      });
    });
  }

  /** Standard output and standard error so far. */
  get output(): string {
    return this.#output;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Waits for a text in the output. @returns false if the process ended before */
  async waitForOutput(text: RegExp): Promise<boolean> {
    while (!text.test(this.#output)) {
      if (this.#hasEnded) return false;
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
    return true;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}
