/** `halfspread serve` as a process of its own, with the numbers that it prints about itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { programPath } from '../program.ts';

/** What the process uses, MB. */
export interface Memory {
  readonly rss: number;
  /** Of V8, garbage included. */
  readonly heap: number;
  /** Buffers and the like. */
  readonly external: number;
}

export class Served {
  readonly url: string;
  readonly #child: ChildProcess;
  /** The operators'; a database that has one does not show it again. */
  readonly token: string;

  private constructor(child: ChildProcess, url: string, token: string) {
    this.#child = child;
    this.url = url;
    this.token = token;
  }

  /**
   * @param nodeArgs for Node itself
   * @param token the operators', if the database has one
   */
  static async start(
    args: readonly string[],
    cwd: string,
    { nodeArgs = [], token = '' }: { readonly nodeArgs?: readonly string[]; readonly token?: string } = {},
  ): Promise<Served> {
    const all = [...nodeArgs, programPath(), 'serve', '--port', '0', '--log', 'warn', ...args];
    const child = spawn(process.execPath, all, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    // Whoever fails or is interrupted leaves no server behind.
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
      child.once('close', () => reject(new Error(`it ended before it listened: ${log}`)));
    });
    return new Served(child, url, /shown only once: (\S+)/.exec(log)?.[1] ?? token);
  }

  async operate(command: string, args: object = {}) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ command, ...args }) };
    const { ok, result, error } = Object(await (await fetch(`${this.url}/operator`, sent)).json());
    if (ok !== true) throw new Error(`${command}: ${error?.message}`);
    return result;
  }

  /** A market that takes orders. @returns its UUID */
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

  /** In good order. @returns its exit code */
  end(): Promise<number | null> {
    return this.#ended('SIGTERM');
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    await this.#ended('SIGKILL');
  }

  async #ended(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    const [code] = await closed;
    return code;
  }
}
