/** `halfspread serve` as a child process, with its metrics. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { programPath } from '../program.ts';

/** Memory of the process, MB. */
export interface Memory {
  readonly rss: number;
  /** Heap of V8, garbage included. */
  readonly heap: number;
  /** Memory outside the heap, such as buffers. */
  readonly external: number;
}

export class ServeProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  /** The operator token. The server shows it only when it creates the database. */
  readonly token: string;

  private constructor(child: ChildProcess, url: string, token: string) {
    this.#child = child;
    this.url = url;
    this.token = token;
  }

  /**
   * @param nodeArgs arguments of Node.js
   * @param token the operator token of an existing database
   */
  static async start(
    args: readonly string[],
    cwd: string,
    { nodeArgs = [], token = '' }: { readonly nodeArgs?: readonly string[]; readonly token?: string } = {},
  ): Promise<ServeProcess> {
    const all = [...nodeArgs, programPath(), 'serve', '--port', '0', '--log', 'warn', ...args];
    const child = spawn(process.execPath, all, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    // Kills the server when this process fails or is interrupted.
    process.once('exit', () => child.kill('SIGKILL'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
    let [out, log] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log = `${log}${chunk}`.slice(-20_000);
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
        const ready = /^listening on (\S+)\n/.exec(out)?.[1];
        if (ready !== undefined) resolve(ready);
      });
      child.once('close', () => reject(new Error(`the server ended before it listened: ${log}`)));
    });
    return new ServeProcess(child, url, /shown only once: (\S+)/.exec(log)?.[1] ?? token);
  }

  async operate(command: string, args: object = {}) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ command, ...args }) };
    const { ok, result, error } = Object(await (await fetch(`${this.url}/operator`, sent)).json());
    if (ok !== true) throw new Error(`${command}: ${error?.message}`);
    return result;
  }

  /** Creates an open market. @returns its UUID */
  async market(question: string): Promise<string> {
    await this.operate('put-category', { slug: 'tests', name: 'Tests' });
    const terms = { question, rules: 'As tested.', category: 'tests', resolution_date: '2100-01-01T00:00:00Z' };
    const { id } = await this.operate('create-market', terms);
    await this.operate('open-market', { market: id });
    return id;
  }

  async metrics(): Promise<(name: string) => number> {
    const response = await fetch(`${this.url}/metrics`);
    const text = await response.text();
    if (!response.ok) throw new Error(`/metrics: ${response.status} ${text}`);
    return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  async memory(): Promise<Memory> {
    const value = await this.metrics();
    const mb = (name: string): number => value(name) / 1_048_576;
    return {
      rss: mb('process_resident_memory_bytes'),
      heap: mb('nodejs_heap_size_used_bytes'),
      external: mb('nodejs_external_memory_bytes'),
    };
  }

  /** Shuts the server down. @returns its exit code */
  end(): Promise<number | null> {
    return this.#signal('SIGTERM');
  }

  /** Kills the server with SIGKILL. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  async #signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    const [code] = await closed;
    return code;
  }
}
