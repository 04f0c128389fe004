/** Distributes the tokens of all markets over connections to the market channel, and parses frames into events. */
import type { Clock, Random } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';
import { getMember, parseJson, ReportLimiter, shortLine } from '../../network/index.ts';
import { type PolymarketEvent, readPolymarketEvent, readPolymarketFrame } from '../../protocol/polymarket/index.ts';
import type { Log } from '../base/index.ts';
import { MAX_TOKENS, MarketStream } from './market-stream.ts';

export interface MarketStreamsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Such as `wss://ws-subscriptions-clob.polymarket.com/ws`. */
  readonly wsUrl: string;
  readonly onEvent: (event: PolymarketEvent) => void;
  /** An event or a whole frame cannot be read. @param condition id of the event's market, if the event names one */
  readonly onUnreadable: (stream: MarketStream, problem: string, condition: string | undefined) => void;
  /** A connection opened or ended, or an attempt failed. */
  readonly onLink: (stream: MarketStream) => void;
  /** Runs work that passes on events, and handles its errors. */
  readonly guard: (work: () => void) => void;
}

const REPORT_INTERVAL_MS = 60_000;

export class MarketStreams {
  readonly #options: MarketStreamsOptions;
  readonly #streams = new Set<MarketStream>();
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);

  constructor(options: MarketStreamsOptions) {
    this.#options = options;
  }

  get areOpen(): boolean {
    return [...this.#streams].every(({ isOpen }) => isOpen);
  }

  all(): Iterable<MarketStream> {
    return this.#streams;
  }

  /** Returns a connection with room for one more market. A new connection opens when the market is added. */
  getStreamWithRoom(): MarketStream {
    for (const stream of this.#streams) if (stream.tokens.size + 2 <= MAX_TOKENS) return stream;
    const { clock, random, wsUrl, guard, onLink } = this.#options;
    const stream: MarketStream = new MarketStream({
      url: `${wsUrl.replace(/\/$/, '')}/market`,
      clock,
      random,
      onFrame: (text) => guard(() => this.#onFrame(stream, text)),
      onOpen: () => guard(() => onLink(stream)),
      onLost: (problem) => {
        this.#report(problem, 'polymarket: a connection is lost');
        guard(() => onLink(stream));
      },
    });
    this.#streams.add(stream);
    return stream;
  }

  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  /** Parses the events of a frame one by one, so an unreadable event does not affect the others. */
  #onFrame(stream: MarketStream, text: string): void {
    const events = this.#read(stream, text, undefined, () => readPolymarketFrame(parseJson(text))) ?? [];
    for (const json of events) {
      const event = this.#read(stream, text, json, () => readPolymarketEvent(json));
      if (event !== undefined) this.#options.onEvent(event);
    }
  }

  /** Returns the result of `read`. For unreadable input, reports the problem and returns undefined. */
  #read<T>(stream: MarketStream, text: string, json: unknown, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InputFault || error instanceof SyntaxError)) throw error;
      this.#report(`${error.message} in ${shortLine(text)}`, 'polymarket: a frame cannot be read');
      const market = getMember(json, 'market');
      this.#options.onUnreadable(stream, error.message, typeof market === 'string' ? market.toLowerCase() : undefined);
      return undefined;
    }
  }

  #report(problem: string, message: string): void {
    const { clock, log } = this.#options;
    const suppressed = this.#reports.count(message, clock.now());
    if (suppressed !== undefined) log.warn({ problem, suppressed }, message);
  }
}
