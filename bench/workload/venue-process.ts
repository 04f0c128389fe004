/** The whole server on its own database file, as a child process that reports its processor time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TradingReport } from './trading-server.ts';

export class VenueProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #operatorToken: string | undefined;

  private constructor(child: ChildProcess, folder: string, { url, operatorToken }: TradingReport) {
    this.#child = child;
    this.#folder = folder;
    this.url = url;
    this.#operatorToken = operatorToken;
  }

  /**
   * @param nodeArgs for the server's Node, such as `--cpu-prof`
   * @param dialects APIs in addition to the service's own
   */
  static async open(nodeArgs: readonly string[] = [], dialects: readonly 'polymarket'[] = []): Promise<VenueProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-'));
    const server = join(import.meta.dirname, 'trading-server.ts');
    const child = fork(server, [join(folder, 'venue.db'), ...dialects], {
      execArgv: [...process.execArgv, ...nodeArgs],
    });
    return new VenueProcess(child, folder, await nextReport(child));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Sends an operator command. @returns its result */
  async operate(command: object) {
    const headers = { authorization: `Bearer ${this.#operatorToken}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/operator`, { method: 'POST', headers, body: JSON.stringify(command) });
    const { ok, result, error } = Object(await answer.json());
    if (ok !== true) throw new Error(`operators: ${JSON.stringify(error)}`);
    return Object(result);
  }

  /** Opens markets in a new category, with very high position limits. @returns their ids */
  async openMarkets(count: number): Promise<readonly string[]> {
    await this.operate({ command: 'put-category', slug: 'bench', name: 'Bench' });
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const question = `Will it rain in Oslo on day ${at}, by the station's own record?`;
      const terms = { question, rules: 'As they are.', category: 'bench', resolution_date: '2100-01-01T00:00:00Z' };
      const { id } = await this.operate({ command: 'create-market', ...terms });
      await this.operate({ command: 'open-market', market: id });
      ids.push(String(id));
    }
    const limit = 1_000_000_000_000;
    await this.operate({ command: 'configure', max_bet_per_market: limit, max_exposure_per_market: limit });
    return ids;
  }

  /** Processor time so far. */
  async usage(): Promise<TradingReport> {
    const answer = nextReport(this.#child);
    this.#child.send('usage');
    return answer;
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}

async function nextReport(child: ChildProcess): Promise<TradingReport> {
  const [report] = await once(child, 'message');
  return report;
}
