/**
 * Reconnecting connections to bots, and a bot's markets that browsers show. All browsers share a market's connection.
 * Invariant: a bot has at most `MAX_MARKETS` of these connections, because it serves few and ends idle ones for others.
 */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { type BotAddress, type BotWatch, watchBot } from '../../ops/index.ts';
import { marketReportSchema, type ReceivedMarketReport } from './report-schema.ts';

const RETRY_MS = 1_000;
const MAX_MARKETS = 12;

/** Receives each report. Null: the bot does not have the market or is unreachable, or too many markets are shown. */
type Push = (report: ReceivedMarketReport | null) => void;

interface Followed {
  readonly listeners: Set<Push>;
  last: ReceivedMarketReport | null | undefined;
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

  /** @returns a function that stops following */
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
      const publish = (report: ReceivedMarketReport | null): void => {
        followed.last = report;
        for (const listener of followed.listeners) listener(report);
      };
      followed.end = keepWatching(
        this.#address,
        this.#clock,
        { command: 'watch-market', args: { market } },
        {
          onReport: (result) => publish(result === null ? null : marketReportSchema.parse(result)),
          // The connection of the bot itself shows the reason.
          onLost: () => publish(null),
        },
      );
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
}

interface Watch extends Omit<BotWatch, 'onEnded'> {
  /** Called when the connection ends, and when it cannot be made. */
  onLost(fault: unknown): void;
}

/** Watches a bot, and reconnects a second after each disconnect. @returns a function that stops watching */
export function keepWatching(
  address: BotAddress,
  clock: Clock,
  request: Parameters<typeof watchBot>[1],
  watch: Watch,
): () => void {
  let isOver = false;
  let stop = (): void => {};
  let cancelRetry = (): void => {};
  const retry = (fault: unknown): void => {
    if (isOver) return;
    watch.onLost(fault);
    cancelRetry = clock.schedule(timeAfter(clock.now(), RETRY_MS), () => void connect());
  };
  const connect = async (): Promise<void> => {
    try {
      const end = await watchBot(address, request, { ...watch, onEnded: retry });
      if (isOver) end();
      else stop = end;
    } catch (fault) {
      retry(fault);
    }
  };
  void connect();
  return () => {
    isOver = true;
    cancelRetry();
    stop();
  };
}
