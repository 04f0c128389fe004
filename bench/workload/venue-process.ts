/** The whole server on its own database file in a child process, which reports its processor time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Child } from './child.ts';
import type { TradingReport } from './trading-server.ts';

/** Orders per second. */
export interface OrderRate {
  readonly byClock: number;
  /** Orders per second of processor time of the main thread. */
  readonly byMain: number;
  /** Orders per second of processor time of the process, including writer thread and garbage collector. */
  readonly byAll: number;
}

export class VenueProcess {
  readonly url: string;
  readonly #child: Child<TradingReport>;
  readonly #folder: string;

  private constructor(child: Child<TradingReport>, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.url = child.ready.url;
  }

  /** @param dialects APIs in addition to the service's own */
  static async open(dialects: readonly 'polymarket'[] = []): Promise<VenueProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-'));
    const child = await Child.open<TradingReport>('trading-server.ts', [join(folder, 'venue.db'), ...dialects]);
    return new VenueProcess(child, folder);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Sends an operator command. @returns its result */
  async operate(command: object) {
    const headers = { authorization: `Bearer ${this.#child.ready.operatorToken}`, 'content-type': 'application/json' };
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

  /** Measures `work`, which sends a number of orders. */
  async measureRate(orders: number, work: () => Promise<unknown>): Promise<OrderRate> {
    const before = await this.usage();
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    const after = await this.usage();
    return {
      byClock: orders / seconds,
      byMain: orders / (after.mainSeconds - before.mainSeconds),
      byAll: orders / (after.allSeconds - before.allSeconds),
    };
  }

  /** Returns the processor time so far. */
  usage(): Promise<TradingReport> {
    return this.#child.request('usage');
  }

  async close(): Promise<void> {
    await this.#child.close();
    rmSync(this.#folder, { recursive: true });
  }
}
