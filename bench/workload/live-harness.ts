/**
 * A live bot with all parts of `halfspread run` (journal, kill switch, guard), which quotes both sides of many markets.
 * Its orders go to the embedded venue in a child process. Its books come from a feeder in another child process, which
 * sends more changes than a venue and its traders could make on this machine.
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Closers } from '../../src/app/startup.ts';
import { warmUp } from '../../src/app/warmup/warmup.ts';
import { wallClock } from '../../src/clock/index.ts';
import type { MarketNo } from '../../src/domain/index.ts';
import { RateBudget } from '../../src/execution/index.ts';
import {
  AccountClient,
  KillSwitch,
  LiveBot,
  logIn,
  OrderTimes,
  RecentLog,
  RunCounters,
  RunOutcome,
  VenueHttp,
} from '../../src/ops/index.ts';
import { OPERATIONS } from '../../src/protocol/index.ts';
import { riskLimits, riskSchema } from '../../src/risk/index.ts';
import { Run, type Step } from '../../src/runtime/index.ts';
import { signedMessages } from '../../src/signing/index.ts';
import type { AccountState } from '../../src/state/index.ts';
import { ServiceMarketData, ServiceVenue, type Transport } from '../../src/venues/service/index.ts';
import { DOMAINS, keyOf, pinsOf, type SigningTools } from '../../test/server/trader.ts';
import type { BidsRequest, FeedRequest } from './book-feeder.ts';
import { Child } from './child.ts';
import { liveParts, openTransport, quoter, SILENT, withReplaced } from './live-parts.ts';

export interface LiveHarnessOptions {
  /** URL of the venue. */
  readonly url: string;
  /** Ids of the markets. */
  readonly markets: readonly string[];
  readonly tools: SigningTools;
  /** Number of the bot's key. */
  readonly account: number;
  /** Folder of the database. */
  readonly folder: string;
  /** Daily loss that triggers the kill switch. */
  readonly lossUsd: number;
  /** Position in one market, in shares, above which the kill switch triggers. */
  readonly maxHeld: number;
  /** Minimum lifetime of a quote, ms. */
  readonly minAgeMs: number;
}

/** The feeder's first sequence number. Above the venue's numbers, because the feeder's books contain no own orders. */
const FIRST_SEQ = 1_000_000_000_000;

/** Returns epoch ms with a fraction. The feeder's times are whole ms, so ages are 0.5 ms too long on average. */
const now = (): number => performance.timeOrigin + performance.now();

/** A running bot and its measurements. */
export class LiveHarness {
  readonly state: AccountState;
  readonly bot: LiveBot;
  /** ms from the sending of a frame to the arrival of its rows at the core, since `ages` was last cleared. */
  readonly ages: number[] = [];
  /** ms from the sending of a frame to the write of its signed order, since `orderAges` was last cleared. */
  readonly orderAges: number[] = [];
  /** Epoch ms at which the cancel of the whole account was written. */
  readonly cancelled: number[] = [];
  /** Number of sent orders. */
  orders = 0;
  /** Clock skew that the kill switch's timer reads, ms. */
  skewMs = 0;
  /** Epoch ms at which a timer read a skew beyond the limit. */
  sawSkewAt: number | undefined;
  /** Called with each step. */
  onStep: (step: Step) => void = () => {};
  readonly #feeder: Child<{ readonly port: number }>;
  readonly #close: () => Promise<void>;

  private constructor(
    parts: Pick<LiveHarness, 'state' | 'bot'>,
    feeder: Child<{ readonly port: number }>,
    close: () => Promise<void>,
  ) {
    this.state = parts.state;
    this.bot = parts.bot;
    this.#feeder = feeder;
    this.#close = close;
  }

  static async open(options: LiveHarnessOptions): Promise<LiveHarness> {
    const { tools, url } = options;
    const clock = wallClock();
    const feeder = await Child.open<{ readonly port: number }>('book-feeder.ts', [String(FIRST_SEQ)]);
    const key = keyOf(tools, options.account);
    const [books, venue] = [openTransport(`http://127.0.0.1:${feeder.ready.port}`), openTransport(url)];
    const { terms, markets, store, state, gate, instances, core, follow } = await liveParts({
      transport: venue,
      markets: options.markets,
      folder: options.folder,
      file: 'bot.db',
      risk: {
        max_open_orders: 'none',
        max_position: 'none',
        max_drawdown_usd: 'none',
        max_notional_usd: 'none',
        max_total_notional_usd: 'none',
        daily_loss_usd: options.lossUsd,
      },
      budget: new RateBudget(),
      handlers: () => quoter(options.minAgeMs),
    });
    const marketData = new ServiceMarketData({ transport: books, terms });
    const outcome = new RunOutcome();
    const remote = new ServiceVenue({
      transport: timedTransport(venue, () => harness),
      markets,
      key,
      signer: tools.signer,
      messages: tools.messages,
      address: key.address,
      view: state,
      records: store,
      marketData,
      login: pinsOf(tools, 'http://127.0.0.1'),
      maxFeeBps: 1_000,
      credential: { type: 'login' },
      settings: { auditMs: 0 },
      onFault: (error) => outcome.fail(error),
      onMarketFailed: (_, error) => outcome.fail(error),
    });
    const counters = new RunCounters();
    const times = new OrderTimes();
    store.onWritten = (ms) => times.recordWrite(ms);
    /** Epoch ms at which the current frame was sent; 0 between frames. */
    let frameAt = 0;
    const run: Run = new Run({
      core,
      instances,
      clock,
      store,
      venue: {
        connect: (sink) =>
          remote.connect({
            rows(block, from, to) {
              frameAt = block.tx[from] ?? 0;
              harness.ages.push(now() - frameAt);
              sink.rows(block, from, to);
              frameAt = 0;
            },
            event: (event) => sink.event(event),
          }),
      },
      onSent: (...at) => {
        if (frameAt > 0) harness.orderAges.push(now() - frameAt);
        times.recordSent(...at);
      },
      stepListeners: [
        (steps) => counters.addSteps(steps),
        (steps) => bot.onSteps(steps),
        (steps) => harness.onSteps(steps),
      ],
    });
    follow();
    const line = new VenueHttp({ url, clock });
    await logIn(line, { key }, pinsOf(tools, 'http://127.0.0.1'));
    const position = options.maxHeld * 1_000_000;
    const limits = { errors: 1e9, errorWindowMs: 1_000, stalenessMs: 60_000, clockSkewMs: 1_000, position };
    const unsupported = (): never => {
      throw new Error('the bench does not change markets or parameters');
    };
    const bot: LiveBot = new LiveBot({
      commandLine: (...command) => `npx halfspread ${command.join(' ')}`,
      venueCommandLine: (command) => `npx halfspread ${command} --venue`,
      clock,
      log: SILENT,
      run,
      outcome,
      state,
      gate,
      limits: { ...riskLimits(riskSchema.parse({})), maxFeeBps: 1_000 },
      kind: 'LIVE',
      uptimeConditions: { minShares: 0, maxSpreadBps: 10_000 },
      rates: () => [],
      wantedQuotes: (market) => core.wantedQuotes(market),
      recentLog: new RecentLog(),
      recentAlerts: () => [],
      counters,
      times,
      pid: process.pid,
      version: '0',
      account: key.address,
      venue: url,
      client: new AccountClient(line),
      earlierRuns: { since: undefined, fillCount: 0, fills: [] },
      strategies: () => [],
      signalSources: [],
      unfinishedOrders: () => store.unfinishedOrders(),
      killSwitch: new KillSwitch(limits, (market: MarketNo) => state.market(market).position.net),
      health: () => {
        if (harness.skewMs > limits.clockSkewMs) harness.sawSkewAt ??= Date.now();
        const { link, mode, modeProblem } = marketData;
        const { agreement: reconciled } = remote;
        return { link, mode, modeProblem, ages: marketData.bookStates(), skewMs: harness.skewMs, reconciled };
      },
      changes: {
        strategyOn: () => 'quoter',
        addMarket: unsupported,
        removeMarket: unsupported,
        setParameter: unsupported,
        parameters: () => [],
      },
      verifyNoneOpen: (ms) => remote.verifyNoneOpen(ms),
      alert: () => {},
      logProblem: () => undefined,
      storeStateAndLease: () => store.storeState(),
    });
    const closers = new Closers(SILENT);
    const keepWarm = await warmUp(
      { warmup_ms: 2 },
      {
        clock,
        log: SILENT,
        signer: tools.signer,
        messages: signedMessages(tools.signer, DOMAINS),
        ordersSent: () => counters.placed,
        rowsReceived: () => core.rows,
        db: join(options.folder, 'bot.db'),
      },
      closers,
    );
    const harness: LiveHarness = new LiveHarness({ state, bot }, feeder, async () => {
      await closers.close();
      await bot.stop(undefined, new Promise(() => {}));
      await run.close();
      await books.close();
      await store.close(clock.now());
    });
    void bot.failed.then((error) => {
      throw error;
    });
    await bot.start();
    keepWarm();
    return harness;
  }

  /** Process id of the book feeder. */
  get feederPid(): number | undefined {
    return this.#feeder.pid;
  }

  /** Resolves when all changes are sent. */
  async feed(request: FeedRequest): Promise<void> {
    await this.#feeder.request(request);
  }

  changeBids(market: string, bids: BidsRequest['bids']): void {
    this.#feeder.send({ market, bids } satisfies BidsRequest);
  }

  /** Counts orders and calls `onStep`. */
  onSteps(steps: readonly Step[]): void {
    for (const step of steps) {
      for (const command of step.commands) {
        this.orders += command.type === 'place' ? 1 : command.type === 'replace' ? command.places.length : 0;
      }
      this.onStep(step);
    }
  }

  async close(): Promise<void> {
    await this.#close();
    await this.#feeder.close();
  }
}

/** Records when the cancel of the whole account has been written, which is before `send` returns. */
function timedTransport(transport: Transport, getHarness: () => LiveHarness): Transport {
  const send: Transport['send'] = (operation, ...rest) => {
    const isOnSocket = transport.send(operation, ...rest);
    if (operation.field === OPERATIONS.cancelAllOrders.field) getHarness().cancelled.push(Date.now());
    return isOnSocket;
  };
  return withReplaced(transport, { send });
}
