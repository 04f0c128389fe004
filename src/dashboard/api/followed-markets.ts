/**
 * The markets of a bot that browsers show. Each has a connection, which all browsers share.
 *
 * Invariant: at most `MAX_MARKETS` connections. The bot accepts few, and the command line needs one for a kill.
 */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { type BotAddress, watchBot } from '../../ops/index.ts';
import { type MarketSays, marketReportSchema } from './report-schema.ts';

const RETRY_MS = 1_000;
const MAX_MARKETS = 12;

/** Receives each report; null while the bot does not have the market, is unreachable, or too many markets are shown. */
type Push = (report: MarketSays | null) => void;

interface Followed {
  readonly listeners: Set<Push>;
  last: MarketSays | null | undefined;
  /** Ends the connection, or the wait for the next one. */
  end: () => void;
}

export class FollowedMarkets {
  readonly #address: BotAddress;
  readonly #clock: Clock;
  readonly #markets = new Map<string, Followed>();

  constructor(address: BotAddress, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** @returns a function that ends it */
  follow(market: string, push: Push): () => void {
    const known = this.#markets.get(market);
    if (known === undefined && this.#markets.size >= MAX_MARKETS) {
      push(null);
      return () => {};
    }
    const followed = known ?? { listeners: new Set<Push>(), last: undefined, end: () => {} };
    followed.listeners.add(push);
    if (known === undefined) {
      this.#markets.set(market, followed);
      void this.#connect(market, followed);
    } else if (known.last !== undefined) push(known.last);
    return () => {
      followed.listeners.delete(push);
      if (followed.listeners.size > 0 || this.#markets.get(market) !== followed) return;
      this.#markets.delete(market);
      followed.end();
    };
  }

  close(): void {
    for (const { end } of this.#markets.values()) end();
    this.#markets.clear();
  }

  async #connect(market: string, followed: Followed): Promise<void> {
    const isOver = (): boolean => this.#markets.get(market) !== followed;
    const say = (report: MarketSays | null): void => {
      followed.last = report;
      for (const push of followed.listeners) push(report);
    };
    const again = (): void => {
      if (isOver()) return;
      say(null);
      const now = this.#clock.now();
      followed.end = this.#clock.schedule(timeAfter(now, RETRY_MS), () => void this.#connect(market, followed));
    };
    try {
      const end = await watchBot(
        this.#address,
        { command: 'watch-market', args: { market } },
        {
          report: (result) => say(result === null ? null : marketReportSchema.parse(result)),
          ended: again,
        },
      );
      if (isOver()) end();
      else followed.end = end;
    } catch {
      // The bot's own connection shows why it is unreachable.
      again();
    }
  }
}
