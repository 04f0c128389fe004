/** Records Polymarket's public streams: no account, no key, no order. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backgroundTimer, secureSeed, seededRandom, wallClock } from '../clock/index.ts';
import { type EpochMs, Fault } from '../domain/index.ts';
import { CaptureWriter, PartialFile } from '../history/index.ts';
import { HttpClient } from '../network/index.ts';
import {
  type ListedMarket,
  listMarkets,
  type MarketChoice,
  MarketStream,
  MOST_ASSETS,
} from '../venues/polymarket/index.ts';
import { whileAlone } from './shared-lease.ts';

const NAME = 'polymarket';
const FLUSH_MS = 1_000;

export interface PolymarketRecording {
  readonly folder: string;
  readonly choice: MarketChoice;
  /** `https://gamma-api.polymarket.com` */
  readonly gammaUrl: string;
  /** `wss://ws-subscriptions-clob.polymarket.com/ws` */
  readonly wsUrl: string;
  readonly rotateMs: number;
  readonly rotateBytes: number;
  /** How often markets are listed again: new ones are recorded, too, and outcomes are kept. */
  readonly refreshMs: number;
  readonly log: (text: string) => void;
  /** Resolves when the recording is to end. */
  readonly stop: Promise<void>;
  readonly onStart: (markets: number) => void;
}

export interface Recorded {
  readonly markets: number;
  readonly frames: number;
  /** Connections that were lost. */
  readonly losses: number;
}

/** @throws Fault LINK or VENUE for Gamma at the start; FileFault when the disk is full, or another recorder uses the folder */
export async function recordPolymarket(settings: PolymarketRecording): Promise<Recorded> {
  const { folder } = settings;
  const remedy = 'Wait until it ends, or name another folder with --out';
  return whileAlone(join(folder, NAME), remedy, () => new Recorder(settings).run());
}

class Recorder {
  readonly #settings: PolymarketRecording;
  readonly #clock = wallClock();
  readonly #random = seededRandom(secureSeed());
  readonly #http = new HttpClient({ clock: this.#clock });
  readonly #streams: MarketStream[] = [];
  /** By condition id. */
  readonly #markets = new Map<string, ListedMarket>();
  /** Condition id of each token. */
  readonly #marketOf = new Map<string, string>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #writer: CaptureWriter;
  #frames = 0;
  #losses = 0;

  constructor(settings: PolymarketRecording) {
    const { folder, rotateMs, rotateBytes, log } = settings;
    this.#settings = settings;
    this.#writer = new CaptureWriter({ folder, name: NAME, clock: this.#clock, rotateMs, rotateBytes, onProblem: log });
  }

  async run(): Promise<Recorded> {
    const { refreshMs, stop, onStart } = this.#settings;
    const timers: (() => void)[] = [];
    try {
      await this.#refresh();
      const { killedAt } = this.#writer;
      if (killedAt !== undefined) this.#writeGap(this.#markets.keys(), killedAt);
      onStart(this.#markets.size);
      timers.push(backgroundTimer(FLUSH_MS, () => this.#guarded(() => this.#writer.flush())));
      timers.push(backgroundTimer(refreshMs, () => void this.#refresh().catch((fault) => this.#refused(fault))));
      await Promise.race([stop, this.#failed.promise]);
    } finally {
      for (const end of timers) end();
      for (const stream of this.#streams) stream.close();
      this.#http.close();
      // Whoever goes on later has missed what comes in between.
      this.#writeGap(this.#markets.keys(), this.#clock.now());
      await this.#writer.close();
    }
    return { markets: this.#markets.size, frames: this.#frames, losses: this.#losses };
  }

  /** Lists markets, subscribes to those that are new, and keeps what Gamma says of all. */
  async #refresh(): Promise<void> {
    const { gammaUrl, choice, folder, log } = this.#settings;
    const listed = await listMarkets(this.#http, gammaUrl, choice);
    const added = listed.filter(({ record }) => !this.#markets.has(record.market));
    for (const market of listed) this.#markets.set(market.record.market, market);
    if (added.length > 0 && this.#streams.length > 0) log(`${added.length} more markets`);
    for (const { record } of added) {
      for (const asset of record.assets) this.#marketOf.set(asset, record.market);
      this.#streamWithRoom().add(record.assets);
    }
    const known = new PartialFile(join(folder, `${NAME}-markets.json`));
    writeFileSync(known.path, JSON.stringify([...this.#markets.values()].map(({ json }) => json)));
    known.finish();
  }

  #streamWithRoom(): MarketStream {
    const last = this.#streams.at(-1);
    if (last !== undefined && last.assets.size + 2 <= MOST_ASSETS) return last;
    const stream = new MarketStream({
      url: `${this.#settings.wsUrl.replace(/\/$/, '')}/market`,
      clock: this.#clock,
      random: this.#random,
      onFrame: (text, at) => this.#guarded(() => this.#write(at, text)),
      onLost: (problem, lastAt) => this.#guarded(() => this.#lost(stream, problem, lastAt)),
    });
    this.#streams.push(stream);
    return stream;
  }

  #write(at: EpochMs, text: string): void {
    this.#frames += 1;
    this.#writer.write(at, text);
  }

  #lost(stream: MarketStream, problem: string, lastAt: EpochMs | undefined): void {
    this.#settings.log(`a connection was lost (${problem}): the next try follows`);
    if (lastAt === undefined) return;
    this.#losses += 1;
    this.#writeGap(new Set([...stream.assets].flatMap((asset) => this.#marketOf.get(asset) ?? [])), lastAt);
  }

  /** From then on these books are unknown until the next full ones. */
  #writeGap(markets: Iterable<string>, at: EpochMs): void {
    for (const market of markets)
      this.#writer.write(at, JSON.stringify({ event_type: 'recording_gap', market, timestamp: String(at) }));
  }

  #refused(fault: unknown): void {
    if (!(fault instanceof Fault)) this.#failed.reject(fault);
    else this.#settings.log(`markets were not listed again: ${fault.message}`);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (fault) {
      this.#failed.reject(fault);
    }
  }
}
