/** Records Polymarket's public streams. Needs no account and sends no order. */
import { join } from 'node:path';
import { backgroundTimer, secureSeed, seededRandom, steadyClock } from '../clock/index.ts';
import { type EpochMs, Fault, FileFault } from '../domain/index.ts';
import { CaptureWriter, writeFileAtomically } from '../history/index.ts';
import { HttpClient } from '../network/index.ts';
import {
  type ListedMarket,
  listMarkets,
  MAX_TOKENS,
  type MarketQuery,
  MarketStream,
} from '../venues/polymarket/index.ts';
import { withFileLease } from './shared-lease.ts';

const NAME = 'polymarket';
const FLUSH_MS = 1_000;

export interface PolymarketRecording {
  readonly folder: string;
  readonly choice: MarketQuery;
  /** `https://gamma-api.polymarket.com` */
  readonly gammaUrl: string;
  /** `wss://ws-subscriptions-clob.polymarket.com/ws` */
  readonly wsUrl: string;
  readonly rotateMs: number;
  readonly rotateBytes: number;
  /** Interval between listings of markets. A listing adds new markets and stores outcomes. */
  readonly refreshMs: number;
  readonly log: (text: string) => void;
  readonly stop: Promise<void>;
  readonly onStart: (markets: number) => void;
}

/** @throws Fault LINK or VENUE when the first listing fails; FileFault for a full disk or a folder in use */
export async function recordPolymarket(settings: PolymarketRecording) {
  const { folder } = settings;
  const remedy = 'Wait until it ends, or name another folder with --out';
  return withFileLease(join(folder, NAME), remedy, () => new Recorder(settings).run());
}

class Recorder {
  readonly #settings: PolymarketRecording;
  readonly #clock = steadyClock();
  readonly #random = seededRandom(secureSeed());
  readonly #http = new HttpClient({ clock: this.#clock });
  readonly #streams: MarketStream[] = [];
  /** Markets by condition id. */
  readonly #markets = new Map<string, ListedMarket>();
  /** Condition ids by token. */
  readonly #conditions = new Map<string, string>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #writer: CaptureWriter;
  #frames = 0;
  #losses = 0;

  constructor(settings: PolymarketRecording) {
    const { folder, rotateMs, rotateBytes, log } = settings;
    this.#settings = settings;
    this.#writer = new CaptureWriter({ folder, name: NAME, clock: this.#clock, rotateMs, rotateBytes, onProblem: log });
  }

  /** @returns counts; `losses` counts lost connections */
  async run() {
    const { refreshMs, stop, onStart } = this.#settings;
    const timers: (() => void)[] = [];
    try {
      await this.#refresh();
      const { killedAt } = this.#writer;
      if (killedAt !== undefined) this.#writeGap(this.#markets.keys(), killedAt);
      onStart(this.#markets.size);
      timers.push(backgroundTimer(FLUSH_MS, () => this.#failOnError(() => this.#writer.flush())));
      timers.push(
        backgroundTimer(refreshMs, () => void this.#refresh().catch((fault) => this.#onRefreshFailed(fault))),
      );
      await Promise.race([stop, this.#failed.promise]);
    } catch (fault) {
      // A fault of the end would hide this one, which is its cause on a full disk.
      await this.#end(timers).catch(() => {});
      throw fault;
    }
    await this.#end(timers);
    return { markets: this.#markets.size, frames: this.#frames, losses: this.#losses };
  }

  async #end(timers: readonly (() => void)[]): Promise<void> {
    for (const stopTimer of timers) stopTimer();
    for (const stream of this.#streams) stream.close();
    this.#http.close();
    // A later recording in this folder lacks the data from now until its start. If this gap cannot be written, the
    // file stays uncompressed, and the next recorder adds the gap.
    this.#writeGap(this.#markets.keys(), this.#clock.now());
    await this.#writer.close();
  }

  async #refresh(): Promise<void> {
    const { gammaUrl, choice, folder, log } = this.#settings;
    const listed = await listMarkets(this.#http, gammaUrl, choice);
    const added = listed.filter(({ record }) => !this.#markets.has(record.market));
    for (const market of listed) this.#markets.set(market.record.market, market);
    if (added.length > 0 && this.#streams.length > 0) log(`${added.length} more markets`);
    for (const { record } of added) {
      for (const token of record.assets) this.#conditions.set(token, record.market);
      this.#findOrOpenStream().add(record.assets);
    }
    const json = JSON.stringify([...this.#markets.values()].map((market) => market.json));
    writeFileAtomically(join(folder, `${NAME}-markets.json`), json);
  }

  #findOrOpenStream(): MarketStream {
    const last = this.#streams.at(-1);
    if (last !== undefined && last.tokens.size + 2 <= MAX_TOKENS) return last;
    const stream = new MarketStream({
      url: `${this.#settings.wsUrl.replace(/\/$/, '')}/market`,
      clock: this.#clock,
      random: this.#random,
      onFrame: (text, at) => {
        this.#frames += 1;
        this.#failOnError(() => this.#writer.write(at, text));
      },
      onLost: (problem, lastAt) => this.#failOnError(() => this.#onConnectionLost(stream, problem, lastAt)),
    });
    this.#streams.push(stream);
    return stream;
  }

  #onConnectionLost(stream: MarketStream, problem: string, lastAt: EpochMs | undefined): void {
    this.#settings.log(`a connection was lost (${problem}): reconnecting`);
    if (lastAt === undefined) return;
    this.#losses += 1;
    this.#writeGap(new Set([...stream.tokens].flatMap((token) => this.#conditions.get(token) ?? [])), lastAt);
  }

  /** Marks these books as unknown until their next snapshots. */
  #writeGap(markets: Iterable<string>, at: EpochMs): void {
    for (const market of markets)
      this.#writer.write(at, JSON.stringify({ event_type: 'recording_gap', market, timestamp: String(at) }));
  }

  #onRefreshFailed(fault: unknown): void {
    if (!(fault instanceof Fault) || fault instanceof FileFault) this.#failed.reject(fault);
    else this.#settings.log(`the markets could not be listed again: ${fault.message}`);
  }

  #failOnError(work: () => void): void {
    try {
      work();
    } catch (fault) {
      this.#failed.reject(fault);
    }
  }
}
