/** A bot that the dashboard watches: the last report, the history, and a connection that reconnects. */
import type { Clock } from '../../clock/index.ts';
import { Fault, thrownText } from '../../domain/index.ts';
import { type BotAddress, type ControlCommand, requestBot } from '../../ops/index.ts';
import type { Fill } from '../generated/schema-types.ts';
import { BotFills } from './bot-fills.ts';
import { FollowedMarkets, keepWatching } from './followed-markets.ts';
import { botReportSchema, type ReceivedBotReport } from './report-schema.ts';
import { Samples } from './samples.ts';

/** Maximum number of simultaneous reads. The bot serves few connections, and ends idle ones for others. */
const MAX_READS = 8;
const READ_MS = 5_000;
/** Maximum number of markets with a price history. Markets with orders or shares come first. */
const MAX_HISTORIES = 500;
/** Seconds of samples over all markets, 40 MB: eleven days of one market, or fourteen hours of twenty markets. */
const MAX_SECONDS = 1_000_000;

export interface BotEndpoint {
  /** Name on the page. */
  readonly id: string;
  readonly address: BotAddress;
}

export class WatchedBot {
  readonly id: string;
  readonly #address: BotAddress;
  readonly #clock: Clock;
  readonly #onChanged: () => void;
  /** The last report; undefined before the first report. */
  report: ReceivedBotReport | undefined;
  /** Time of the last report by this machine's clock, epoch ms. */
  seenAt: number | undefined;
  /** Lead of the bot's clock over this machine's clock at the last report, ms; undefined before the first report. */
  clockAheadMs: number | undefined;
  /** Why the bot is unreachable; undefined if the bot is reachable. */
  problem: string | undefined = 'not connected yet';
  #endWatch: () => void = () => {};
  #reads = 0;
  readonly markets: FollowedMarkets;
  readonly #fills: BotFills;
  /** Equity, and today's P&L, spread and inventory; micro-USD. */
  readonly equity = new Samples(4);
  readonly #histories = new Map<string, Samples>();

  /** @param onChanged called after each report, and when the connection ends */
  constructor({ id, address }: BotEndpoint, clock: Clock, onChanged: () => void) {
    this.id = id;
    this.#address = address;
    this.markets = new FollowedMarkets(address, clock);
    this.#fills = new BotFills(id, (limit) => this.read('fills', { limit }), clock);
    this.#clock = clock;
    this.#onChanged = onChanged;
  }

  /** Returns samples of twice the mid, own bid, own ask and position; undefined for a market without history. */
  history(market: string): Samples | undefined {
    return this.#histories.get(market);
  }

  open(): void {
    this.#endWatch = keepWatching(
      this.#address,
      this.#clock,
      { command: 'watch' },
      {
        onReport: (result) => this.#onReport(botReportSchema.parse(result)),
        onRepeated: () => {
          if (this.report !== undefined) this.#onReport(this.report);
        },
        onConnected: () => {
          this.problem = 'it accepts connections, but sends no report';
        },
        onLost: (fault) => {
          this.problem = thrownText(fault);
          this.#onChanged();
        },
      },
    );
  }

  close(): void {
    this.#endWatch();
    this.markets.close();
  }

  /** Sends an action. @throws the Faults of `requestBot` */
  command(command: ControlCommand, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    return requestBot(this.#address, { command, args }, this.#clock);
  }

  /** Sends a query. @throws the Faults of `requestBot`, and Fault for too many simultaneous reads */
  async read(
    command: ControlCommand,
    args: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (this.#reads >= MAX_READS) throw new Fault('CONTROL', `${this.id}: too many simultaneous reads. Try again`);
    this.#reads += 1;
    try {
      return await requestBot(this.#address, { command, args, signal }, this.#clock, READ_MS);
    } finally {
      this.#reads -= 1;
    }
  }

  /** Returns the newest fills first. @throws the Faults of `read` */
  fills(): Promise<readonly Fill[]> {
    return this.#fills.newest(this.report);
  }

  #onReport(report: ReceivedBotReport): void {
    const now = this.#clock.now();
    // A bot repeats an unchanged report, with its old time, to show that it is alive.
    if (report.now !== this.report?.now) this.clockAheadMs = report.now - now;
    this.report = report;
    this.seenAt = now;
    this.problem = undefined;
    const { total, spread, inventory } = report.today;
    this.equity.add(now, [report.equity, total, spread, inventory]);
    for (const { slug, doubleMid, ownBid, ownAsk, position, openOrders } of report.markets) {
      let samples = this.#histories.get(slug);
      if (samples === undefined) {
        const isIdle = openOrders === 0 && position === 0;
        if (this.#histories.size >= MAX_HISTORIES || (isIdle && report.markets.length > MAX_HISTORIES)) continue;
        samples = new Samples(4);
        this.#histories.set(slug, samples);
        this.#shareMemory();
      }
      samples.add(now, [doubleMid ?? Number.NaN, ownBid ?? Number.NaN, ownAsk ?? Number.NaN, position]);
    }
    this.#onChanged();
  }

  #shareMemory(): void {
    const seconds = Math.floor(MAX_SECONDS / this.#histories.size);
    for (const samples of this.#histories.values()) samples.keepSeconds(seconds);
  }
}
