/**
 * A whole bot as `halfspread run` puts it together, its file included, which quotes a step or two below the best bid; at each
 * boundary between its parts a clock is told.
 */
import { join } from 'node:path';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { counted, gridAbove, gridBelow, microShares, ZERO_USD } from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { type Bot, createCore, Roster, Run, type Venue } from '../../src/runtime/index.ts';
import type { OrderMessage, SignedMessage } from '../../src/signing/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { BotStore } from '../../src/store/index.ts';
import type { StrategyHandlers } from '../../src/strategy/index.ts';
import {
  createMarketData,
  createTransport,
  endpointOf,
  OperationTexts,
  RemoteVenue,
  readTerms,
  selectMarkets,
  type Transport,
} from '../../src/venues/remote/index.ts';
import { keyOf, type Pen } from '../../test/server/trader.ts';
import { MARK, type TickClock } from './tick-clock.ts';

export interface TickBotOptions {
  readonly url: string;
  readonly market: string;
  readonly pen: Pen;
  /** Number of its key. */
  readonly account: number;
  /** Quotes one side of the book or both. */
  readonly sides: 1 | 2;
  /** Of its database. */
  readonly folder: string;
  readonly clock: TickClock;
  /** Signs orders; default the pen's. */
  readonly orders?: SignedMessage<OrderMessage>;
}

const SILENT = { debug: () => {}, info: () => {}, warn: console.warn, error: console.error };
const SIZE = microShares(1_000_000);

export class TickBot {
  readonly #run: Run;
  readonly #store: BotStore;
  readonly faults: Error[] = [];

  private constructor(run: Run, store: BotStore) {
    this.#run = run;
    this.#store = store;
  }

  static async start(options: TickBotOptions): Promise<TickBot> {
    const { url, pen, clock } = options;
    const key = keyOf(pen, options.account);
    const transport = marked(
      createTransport({
        ...{ endpoint: endpointOf({ url }), operations: new OperationTexts(), clock: wallClock(), log: SILENT },
        random: seededRandom(1),
      }),
      clock,
    );
    const terms = await readTerms(transport);
    const markets = await selectMarkets(transport, terms, { ids: [options.market] });
    const file = join(options.folder, `${options.account}.db`);
    const store = BotStore.open({ file, name: 'bench', spec: '{}' });
    const state = new AccountState({ cash: ZERO_USD, markets: markets.map(({ setup }) => setup) });
    const gate = createRiskGate(riskLimits(riskSchema.parse({})));
    const planner = createPlanner({ firstOrder: counted.order(1) });
    const bots: readonly Bot[] = [
      {
        ...{ bot: counted.bot(0), name: 'quoter', params: {}, timers: [], markets: [counted.market(0)] },
        handlers: quoter(options.sides),
      },
    ];
    const core = createCore({ state, bots, risk: gate, planner, firstSeq: counted.seq(1) });
    const messages = { ...pen.messages, order: options.orders ?? pen.messages.order };
    const remote = new RemoteVenue({
      ...{ transport, markets, terms, key, signer: pen.signer, messages, address: key.address, view: state },
      ...{ audience: 'http://127.0.0.1', credential: { type: 'login' }, records: markedRecords(store, clock) },
      marketData: createMarketData({ transport, terms }),
      settings: { auditMs: 0 },
      fault: (error) => bot.faults.push(error),
      marketFailed: (_, error) => bot.faults.push(error),
    });
    const run = new Run({
      ...{ core, bots, clock: wallClock(), venue: markedVenue(remote, clock), taps: [] },
      store: {
        append: (steps) => store.append(steps),
        appendUntilSigned(steps) {
          clock.mark(MARK.decided);
          store.appendUntilSigned(steps);
          clock.mark(MARK.stored);
        },
        settle: () => store.settle(),
      },
    });
    const snapshot = () => ({
      ...{ seq: counted.seq(core.nextSeq - 1), rows: core.rows, nextOrder: planner.nextOrder },
      ...{ account: state.snapshot(), risk: gate.snapshot(), roster: new Roster().entries },
    });
    store.follow({ account: state, risk: () => gate.snapshot(), snapshot }, Date.now());
    const bot: TickBot = new TickBot(run, store);
    await run.start();
    return bot;
  }

  async close(): Promise<void> {
    await this.#run.close();
    await this.#store.close(Date.now());
    const [fault] = this.faults;
    if (fault !== undefined) throw fault;
  }
}

/** The quote follows the best of the others, two steps behind it. */
function quoter(sides: 1 | 2): StrategyHandlers {
  return {
    onBook({ book, info }) {
      const [bid, ask] = [book.bestBid(), book.bestAsk()];
      if (bid === undefined || ask === undefined) return undefined;
      const lower = gridBelow(info.grid, gridBelow(info.grid, bid) ?? bid);
      // The ask moves with the bid: who quotes a spread moves both.
      const upper = gridAbove(info.grid, bid > 4_200 ? ask : (gridAbove(info.grid, ask) ?? ask));
      if (lower === undefined || upper === undefined) return undefined;
      const bidQuote = { side: 'bid', price: lower, shares: SIZE } as const;
      const askQuote = { side: 'ask', price: upper, shares: SIZE } as const;
      const quotes = sides === 1 ? [bidQuote] : [bidQuote, askQuote];
      return [{ type: 'quote', market: info.market, quotes }];
    },
  };
}

/** Frames are parsed when a stream is told of them. */
function marked(transport: Transport, clock: TickClock): Transport {
  const subscribe: Transport['subscribe'] = (operation, variables, sink, options) =>
    transport.subscribe(
      operation,
      variables,
      {
        ...sink,
        next(data, errors) {
          clock.mark(MARK.parsed);
          sink.next(data, errors);
        },
      },
      options,
    );
  return new Proxy(transport, {
    get(target, name) {
      if (name === 'subscribe') return subscribe;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function markedRecords(store: BotStore, clock: TickClock) {
  const signed: BotStore['signed'] = (rows) => {
    clock.mark(MARK.signed);
    store.signed(rows);
    clock.mark(MARK.kept);
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'signed') return signed;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function markedVenue(venue: Venue, clock: TickClock): Venue {
  return {
    connect: (sink) =>
      venue.connect({
        rows(block, from, to) {
          clock.mark(MARK.booked);
          sink.rows(block, from, to);
        },
        event: (event) => sink.event(event),
      }),
  };
}
