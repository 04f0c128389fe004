/**
 * A whole bot as `halfspread run` assembles it, with its file. It quotes behind the best prices and marks the time at
 * each boundary between its parts.
 */
import { join } from 'node:path';
import { Closers } from '../../src/app/startup.ts';
import { openOutputs, Warmup } from '../../src/app/warmup/warmup.ts';
import { wallClock } from '../../src/clock/index.ts';
import { gridAbove, gridBelow } from '../../src/domain/index.ts';
import { OrderTimes } from '../../src/ops/index.ts';
import { Run, type Venue } from '../../src/runtime/index.ts';
import type { RunOptions } from '../../src/runtime/run.ts';
import { type OrderMessage, type SignedMessage, signedMessages } from '../../src/signing/index.ts';
import type { BotStore } from '../../src/store/index.ts';
import type { StrategyHandlers } from '../../src/strategy/index.ts';
import { ServiceMarketData, ServiceVenue, type Transport } from '../../src/venues/service/index.ts';
import { DOMAINS, keyOf, pinsOf, type SigningTools } from '../../test/server/trader.ts';
import { liveParts, openTransport, SILENT, SIZE, withReplaced } from './live-parts.ts';
import { MARK, type TickClock } from './tick-clock.ts';

export interface TickBotOptions {
  readonly url: string;
  readonly market: string;
  readonly tools: SigningTools;
  /** Number of the bot's key. */
  readonly account: number;
  /** Number of quoted sides of the book. */
  readonly sides: 1 | 2;
  /** Folder of the database. */
  readonly folder: string;
  readonly clock: TickClock;
  /** Default: a quote that follows the best bid. */
  readonly handlers?: () => StrategyHandlers;
  /** Signs orders. Default: the venue tools' signing. */
  readonly orders?: SignedMessage<OrderMessage>;
}

/** Warm-up intervals: the default of `halfspread run`, and one for machines without processor time to spare. */
const KEEP_WARM_MS = { on: 2, seldom: 100 } as const;

export class TickBot {
  readonly faults: Error[] = [];
  readonly #run: Run;
  readonly #store: BotStore;
  readonly #warmup: TickWarmup;

  private constructor(run: Run, store: BotStore, warmup: TickWarmup) {
    this.#run = run;
    this.#store = store;
    this.#warmup = warmup;
  }

  static async start(options: TickBotOptions): Promise<TickBot> {
    const { url, tools, clock, account } = options;
    const key = keyOf(tools, account);
    const transport = markedTransport(openTransport(url), clock);
    const { terms, markets, store, state, instances, core, follow } = await liveParts({
      transport,
      markets: [options.market],
      folder: options.folder,
      file: `${account}.db`,
      handlers: options.handlers ?? (() => quoter(options.sides)),
    });
    const counts = { signed: 0 };
    const messages = { ...tools.messages, order: options.orders ?? tools.messages.order };
    const remote = new ServiceVenue({
      transport,
      markets,
      key,
      signer: tools.signer,
      messages,
      address: key.address,
      view: state,
      login: pinsOf(tools, 'http://127.0.0.1'),
      maxFeeBps: 1_000,
      credential: { type: 'login' },
      records: markedRecords(store, clock, counts),
      marketData: new ServiceMarketData({ transport, terms }),
      settings: { auditMs: 0 },
      onFault: (error) => bot.faults.push(error),
      onMarketFailed: (_, error) => bot.faults.push(error),
    });
    const run = tickRun({ core, instances, venue: remote }, store, clock);
    follow();
    const file = join(options.folder, `${account}.db`);
    const warmup = await TickWarmup.open(tools, file, () => counts.signed, options.orders);
    const bot: TickBot = new TickBot(run, store, warmup);
    await run.start();
    return bot;
  }

  use(mode: 'off' | 'on' | 'seldom'): void {
    this.#warmup.use(mode);
  }

  async close(): Promise<void> {
    await this.#warmup.close();
    await this.#run.close();
    await this.#store.close(Date.now());
    const [fault] = this.faults;
    if (fault !== undefined) throw fault;
  }
}

/** The warm-up of a bot. */
export class TickWarmup {
  readonly #warmup: Warmup;
  readonly #outputs: Closers;

  private constructor(warmup: Warmup, outputs: Closers) {
    this.#warmup = warmup;
    this.#outputs = outputs;
  }

  /** @param orders signs orders. Default: the venue tools' signing */
  static async open(
    { signer }: SigningTools,
    file: string,
    ordersSent: () => number,
    orders?: SignedMessage<OrderMessage>,
  ): Promise<TickWarmup> {
    const closers = new Closers(SILENT);
    // As in a live bot, the warm-up has its own messages.
    const messages = signedMessages(signer, DOMAINS);
    const warmup = new Warmup({
      ...{ signer, ordersSent, clock: wallClock(), log: SILENT },
      messages: { ...messages, order: orders ?? messages.order },
      outputs: await openOutputs(file, SILENT, closers),
    });
    await warmup.train();
    return new TickWarmup(warmup, closers);
  }

  /** Only the measured bot warms up, because several bots share this process. */
  use(mode: 'off' | 'on' | 'seldom'): void {
    this.#warmup.pause();
    if (mode === 'on' || mode === 'seldom') this.#warmup.keepWarm(KEEP_WARM_MS[mode]);
  }

  async close(): Promise<void> {
    this.#warmup.end();
    await this.#outputs.close();
  }
}

/** Creates the run of a bot, with marks between its parts. */
export function tickRun(
  { core, instances, venue }: Pick<RunOptions, 'core' | 'instances' | 'venue'>,
  store: BotStore,
  clock: TickClock,
): Run {
  const times = new OrderTimes();
  store.onWritten = (ms) => times.recordWrite(ms);
  return new Run({
    onSent: (...at) => times.recordSent(...at),
    core,
    instances,
    clock: wallClock(),
    venue: markedVenue(venue, clock),
    stepListeners: [],
    store: {
      append: (steps) => store.append(steps),
      appendDeferred(steps) {
        clock.mark(MARK.decided);
        store.appendDeferred(steps);
        clock.mark(MARK.stored);
      },
      flushDeferred: () => store.flushDeferred(),
    },
  });
}

/** Quotes two ticks behind the best bid. The ask follows the bid. */
function quoter(sides: 1 | 2): StrategyHandlers {
  return {
    onBook({ book, info }) {
      const [bid, ask] = [book.bestBid(), book.bestAsk()];
      if (bid === undefined || ask === undefined) return undefined;
      const lower = gridBelow(info.grid, gridBelow(info.grid, bid) ?? bid);
      // The ask moves with the bid, although only the best bid changes.
      const upper = gridAbove(info.grid, bid > 4_200 ? ask : (gridAbove(info.grid, ask) ?? ask));
      if (lower === undefined || upper === undefined) return undefined;
      const bidQuote = { side: 'bid', price: lower, shares: SIZE } as const;
      const askQuote = { side: 'ask', price: upper, shares: SIZE } as const;
      const quotes = sides === 1 ? [bidQuote] : [bidQuote, askQuote];
      return [{ type: 'quote', market: info.market, quotes }];
    },
  };
}

/** Marks the end of parsing when a stream receives a frame. */
function markedTransport(transport: Transport, clock: TickClock): Transport {
  const subscribe: Transport['subscribe'] = (operation, variables, sink, options) =>
    transport.subscribe(
      operation,
      variables,
      {
        ...sink,
        next(data) {
          clock.mark(MARK.parsed);
          sink.next(data);
        },
      },
      options,
    );
  return withReplaced(transport, { subscribe });
}

export function markedRecords(store: BotStore, clock: TickClock, counts: { signed: number }) {
  const signed: BotStore['addSigned'] = (rows) => {
    clock.mark(MARK.signed);
    store.addSigned(rows);
    clock.mark(MARK.logged);
    counts.signed += rows.length;
  };
  return withReplaced(store, { addSigned: signed });
}

function markedVenue(venue: Venue, clock: TickClock): Venue {
  return {
    connect: (sink) =>
      venue.connect({
        rows(block, from, to) {
          clock.mark(MARK.rowsReady);
          sink.rows(block, from, to);
        },
        event: (event) => sink.event(event),
      }),
  };
}
