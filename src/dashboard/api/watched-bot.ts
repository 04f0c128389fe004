/** One bot that the dashboard watches: its last report, its history since, and a connection that comes back. */
import type { Clock } from '../../clock/index.ts';
import { type Fault, thrownText, timeAfter } from '../../domain/index.ts';
import { askBot, type ControlCommand, watchBot } from '../../ops/index.ts';
import { type BotSays, botReportSchema, type MarketSays, marketReportSchema } from './report-schema.ts';
import { Samples } from './samples.ts';

const RETRY_MS = 1_000;
/** Markets whose prices are kept over time: those with orders or shares first. */
const MOST_HISTORIES = 500;

export interface BotPlace {
  /** Name on the page. */
  readonly id: string;
  /** Path of its control socket. */
  readonly socket: string;
}

export class WatchedBot {
  readonly id: string;
  readonly #socket: string;
  readonly #clock: Clock;
  readonly #changed: () => void;
  #report: BotSays | undefined;
  #seenAt: number | undefined;
  #problem: string | undefined = 'not connected yet';
  #endWatch: () => void = () => {};
  #cancelRetry: () => void = () => {};
  #isClosed = false;
  readonly #equity = new Samples();
  readonly #histories = new Map<string, Samples>();

  /** @param changed called after each report, and when the connection ends */
  constructor({ id, socket }: BotPlace, clock: Clock, changed: () => void) {
    this.id = id;
    this.#socket = socket;
    this.#clock = clock;
    this.#changed = changed;
  }

  /** What the bot said last; undefined before the first time. */
  get report(): BotSays | undefined {
    return this.#report;
  }

  /** Epoch ms of this machine. */
  get seenAt(): number | undefined {
    return this.#seenAt;
  }

  /** Why it cannot be reached; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Equity, and today's P&L, spread and inventory; micro-USD. */
  get equity(): Samples {
    return this.#equity;
  }

  /** Double mid, own bid, own ask, position; undefined for a market of which nothing is kept. */
  history(market: string): Samples | undefined {
    return this.#histories.get(market);
  }

  /** Connects, and again after each end. */
  open(): void {
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#endWatch();
  }

  /** @throws Fault as `askBot` */
  ask(command: ControlCommand, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return askBot(this.#socket, { command, args }, this.#clock);
  }

  /**
   * Follows one market.
   * @param push takes each report; null while the bot does not have the market or cannot be reached
   * @returns ends it
   */
  followMarket(market: string, push: (report: MarketSays | null) => void): () => void {
    let end = (): void => {};
    let cancel = (): void => {};
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      push(null);
      cancel = this.#clock.schedule(timeAfter(this.#clock.now(), RETRY_MS), () => void begin());
    };
    const begin = async (): Promise<void> => {
      try {
        const stop = await watchBot(
          this.#socket,
          { command: 'watch-market', args: { market } },
          {
            report: (result) => push(result === null ? null : marketReportSchema.parse(result)),
            ended: again,
          },
        );
        if (isOver) stop();
        else end = stop;
      } catch {
        // The bot's own watch tells why it cannot be reached.
        again();
      }
    };
    void begin();
    return () => {
      isOver = true;
      cancel();
      end();
    };
  }

  async #connect(): Promise<void> {
    try {
      const end = await watchBot(
        this.#socket,
        { command: 'watch' },
        {
          report: (result) => this.#take(botReportSchema.parse(result)),
          ended: (fault) => this.#lost(fault),
        },
      );
      if (this.#isClosed) end();
      else this.#endWatch = end;
    } catch (error) {
      this.#lost(error);
    }
  }

  #take(report: BotSays): void {
    const now = this.#clock.now();
    this.#report = report;
    this.#seenAt = now;
    this.#problem = undefined;
    const { total, spread, inventory } = report.today;
    this.#equity.add(now, [report.equity, total, spread, inventory]);
    for (const { slug, doubleMid, ownBid, ownAsk, position, openOrders } of report.markets) {
      let samples = this.#histories.get(slug);
      if (samples === undefined) {
        const isIdle = openOrders === 0 && position === 0;
        if (this.#histories.size >= MOST_HISTORIES || (isIdle && report.markets.length > MOST_HISTORIES)) continue;
        samples = new Samples();
        this.#histories.set(slug, samples);
      }
      samples.add(now, [doubleMid ?? Number.NaN, ownBid ?? Number.NaN, ownAsk ?? Number.NaN, position]);
    }
    this.#changed();
  }

  #lost(error: Fault | unknown): void {
    if (this.#isClosed) return;
    this.#problem = thrownText(error);
    this.#changed();
    this.#cancelRetry = this.#clock.schedule(timeAfter(this.#clock.now(), RETRY_MS), () => this.open());
  }
}
