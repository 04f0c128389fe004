/**
 * A live bot with everything that `halfspread run` puts around it (journal, kill switch, guard), which quotes both sides of many
 * markets. Its orders go to the embedded venue, a process of its own; its books come from a feeder, a process too, which can tell
 * more changes than a venue and its traders could make on this machine.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { counted, gridAbove, gridBelow, type MarketNo, microShares, ZERO_USD } from '../../src/domain/index.ts';
import { createPlanner, RateBudget } from '../../src/execution/index.ts';
import { AccountDesk, KillSwitch, LiveBot, signIn, Tally, VenueLine } from '../../src/ops/index.ts';
import { OPERATIONS } from '../../src/protocol/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { type Bot, createCore, Roster, Run, type Step } from '../../src/runtime/index.ts';
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
import type { FallOrder, FeedOrder } from './book-feeder.ts';

export interface LiveStageOptions {
  /** Of the venue. */
  readonly url: string;
  /** Their ids. */
  readonly markets: readonly string[];
  readonly pen: Pen;
  /** Number of its key. */
  readonly account: number;
  /** Of its database. */
  readonly folder: string;
  /** Loss of a day at which it is killed. */
  readonly lossUsd: number;
  /** Shares of one market above which it is killed. */
  readonly mostHeld: number;
  /** How long a quote stays where it is at least, ms. */
  readonly minAgeMs: number;
}

const SILENT = { debug: () => {}, info: () => {}, warn: console.warn, error: () => {} };
const SIZE = microShares(1_000_000);
/** Above any number of the venue: of own orders in its books the feeder knows nothing. */
const FIRST_SEQ = 1_000_000_000_000;

/** What is seen from outside while it runs. */
export class LiveStage {
  readonly state: AccountState;
  readonly bot: LiveBot;
  /** ms between the leaving of a frame and its rows at the core's door, since `ages` was last emptied. */
  readonly ages: number[] = [];
  /** Epoch ms at which the cancel of the whole account was written. */
  readonly cancelled: number[] = [];
  /** Orders that were sent. */
  orders = 0;
  /** Shown to the kill switch's timer; ms. */
  skewMs = 0;
  /** Epoch ms at which a timer saw a skew beyond the limit. */
  sawSkewAt: number | undefined;
  /** Hears each step. */
  heard: (step: Step) => void = () => {};
  readonly #feeder: ChildProcess;
  readonly #close: () => Promise<void>;

  private constructor(parts: Pick<LiveStage, 'state' | 'bot'>, feeder: ChildProcess, close: () => Promise<void>) {
    this.state = parts.state;
    this.bot = parts.bot;
    this.#feeder = feeder;
    this.#close = close;
  }

  static async open(options: LiveStageOptions): Promise<LiveStage> {
    const { pen, url } = options;
    const clock = wallClock();
    const feeder = fork(join(import.meta.dirname, 'book-feeder.ts'), [String(FIRST_SEQ)]);
    const [{ port }] = await once(feeder, 'message');
    const key = keyOf(pen, options.account);
    const open = (base: string): Transport =>
      createTransport({
        ...{ endpoint: endpointOf({ url: base }), operations: new OperationTexts(), clock, log: SILENT },
        random: seededRandom(1),
      });
    const [books, venue] = [open(`http://127.0.0.1:${port}`), open(url)];
    const terms = await readTerms(venue);
    const markets = await selectMarkets(venue, terms, { ids: options.markets });
    const store = BotStore.open({ file: join(options.folder, 'bot.db'), name: 'bench', spec: '{}' });
    const state = new AccountState({ cash: ZERO_USD, markets: markets.map(({ setup }) => setup) });
    const gate = createRiskGate(
      riskLimits(
        riskSchema.parse({
          ...{ max_open_orders: 'none', max_position: 'none', max_drawdown_usd: 'none' },
          ...{ max_notional_usd: 'none', max_total_notional_usd: 'none', daily_loss_usd: options.lossUsd },
        }),
      ),
    );
    const planner = createPlanner({ firstOrder: counted.order(1) });
    const bots = markets.map(({ setup: { info } }, at): Bot => {
      const handlers = quoter(options.minAgeMs);
      return { bot: counted.bot(at), name: 'quoter', params: {}, timers: [], markets: [info.market], handlers };
    });
    const core = createCore({ state, bots, risk: gate, planner, budget: new RateBudget(), firstSeq: counted.seq(1) });
    const marketData = createMarketData({ transport: books, terms });
    const remote = new RemoteVenue({
      ...{ transport: stamped(venue, () => stage), markets, terms, key, signer: pen.signer, messages: pen.messages },
      ...{ address: key.address, view: state, records: store, marketData },
      ...{ audience: 'http://127.0.0.1', credential: { type: 'login' }, settings: { auditMs: 0 } },
      fault: (error) => bot.fail(error),
      marketFailed: (_, error) => bot.fail(error),
    });
    const tally = new Tally();
    const run: Run = new Run({
      ...{ core, bots, clock, store },
      venue: {
        connect: (sink) =>
          remote.connect({
            rows(block, from, to) {
              stage.ages.push(Date.now() - (block.tx[from] ?? 0));
              sink.rows(block, from, to);
            },
            event: (event) => sink.event(event),
          }),
      },
      taps: [(steps) => tally.take(steps), (steps) => bot.steps(steps), (steps) => stage.take(steps)],
    });
    const snapshot = () => ({
      ...{ seq: counted.seq(core.nextSeq - 1), rows: core.rows, nextOrder: planner.nextOrder },
      ...{ account: state.snapshot(), risk: gate.snapshot(), roster: new Roster().entries },
    });
    store.follow({ account: state, risk: () => gate.snapshot(), snapshot }, clock.now());
    const line = new VenueLine({ url, clock });
    await signIn(line, { key }, { messages: pen.messages, audience: 'http://127.0.0.1' });
    const limits = {
      ...{ errors: 1e9, errorWindowMs: 1_000, stalenessMs: 60_000, clockSkewMs: 1_000 },
      position: options.mostHeld * 1_000_000,
    };
    const nobody = (): never => {
      throw new Error('nothing changes in a bench');
    };
    const bot: LiveBot = new LiveBot({
      ...{ clock, log: SILENT, run, state, gate, tally, pid: process.pid, version: '0', account: key.address },
      ...{ venue: url, desk: new AccountDesk(line), fillsBefore: [] },
      killSwitch: new KillSwitch(limits, (market: MarketNo) => state.market(market).position.net),
      health: () => {
        if (stage.skewMs > limits.clockSkewMs) stage.sawSkewAt ??= Date.now();
        return { link: marketData.link, mode: marketData.mode, ages: marketData.ages(), skewMs: stage.skewMs };
      },
      changes: { strategyOn: () => 'quoter', addMarket: nobody, removeMarket: nobody, setParameter: nobody },
      verifyNoneOpen: async (ms) => (await remote.verifyNoneOpen(ms)).atVenue.length,
      ...{ alert: () => {}, touch: () => store.touch() },
    });
    const stage: LiveStage = new LiveStage({ state, bot }, feeder, async () => {
      await bot.stop(undefined, new Promise(() => {}));
      await run.close();
      await books.close();
      await store.close(clock.now());
    });
    void bot.failed.then((error) => {
      throw error;
    });
    await bot.start();
    return stage;
  }

  /** Resolves when all of it was told. */
  async feed(order: FeedOrder): Promise<void> {
    const done = once(this.#feeder, 'message');
    this.#feeder.send(order);
    await done;
  }

  fall(market: string, back: boolean): void {
    this.#feeder.send({ fall: market, back } satisfies FallOrder);
  }

  /** As a tap of the run. */
  take(steps: readonly Step[]): void {
    for (const step of steps) {
      for (const command of step.commands) {
        this.orders += command.type === 'place' ? 1 : command.type === 'replace' ? command.places.length : 0;
      }
      this.heard(step);
    }
  }

  async close(): Promise<void> {
    await this.#close();
    this.#feeder.disconnect();
  }
}

/** Two steps behind the best of both sides. */
function quoter(minAgeMs: number): StrategyHandlers {
  return {
    onBook({ book, info: { grid, market } }) {
      const [bid, ask] = [book.bestBid(), book.bestAsk()];
      if (bid === undefined || ask === undefined) return undefined;
      const lower = gridBelow(grid, gridBelow(grid, bid) ?? bid);
      const upper = gridAbove(grid, gridAbove(grid, ask) ?? ask);
      if (lower === undefined || upper === undefined) return undefined;
      const quotes = [
        { side: 'bid', price: lower, shares: SIZE } as const,
        { side: 'ask', price: upper, shares: SIZE } as const,
      ];
      return [{ type: 'quote', market, quotes, tolerance: { minAgeMs } }];
    },
  };
}

/** Notes when the cancel of the whole account has been written: `send` returns after that. */
function stamped(transport: Transport, stageOf: () => LiveStage): Transport {
  const send: Transport['send'] = (operation, ...rest) => {
    const isOnSocket = transport.send(operation, ...rest);
    if (operation.field === OPERATIONS.cancelAllOrders.field) stageOf().cancelled.push(Date.now());
    return isOnSocket;
  };
  return new Proxy(transport, {
    get(target, name) {
      if (name === 'send') return send;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
