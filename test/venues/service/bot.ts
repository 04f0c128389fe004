/** Bots that reach the embedded venue through a `FaultyProxy`. */
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import {
  type InputEvent,
  type Intent,
  type OrderCommand,
  type OrderNo,
  unchecked,
  type VenueEvent,
  ZERO_USD,
} from '../../../src/domain/index.ts';
import { createPlanner } from '../../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../../src/risk/index.ts';
import { Run, TradingCore, type VenueSession, type VenueSink } from '../../../src/runtime/index.ts';
import type { SigningKey } from '../../../src/signing/index.ts';
import type { MarketSetup } from '../../../src/state/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import type { StrategyHandlers } from '../../../src/strategy/index.ts';
import { type Block, KIND, STATUS_CODES } from '../../../src/tape/index.ts';
import { readTerms, ServiceDirectory, ServiceMarketData } from '../../../src/venues/service/market-data/index.ts';
import type { MarketDataSettings } from '../../../src/venues/service/market-data/market-data.ts';
import type { ServiceVenueOptions, ServiceVenueSettings } from '../../../src/venues/service/service-venue.ts';
import { ServiceVenue } from '../../../src/venues/service/service-venue.ts';
import {
  createTransport,
  OperationTexts,
  parseEndpoint,
  type Transport,
} from '../../../src/venues/service/transport/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { createInstance } from '../../runtime/fakes.ts';
import { keyOf, pinsOf } from '../../server/trader.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { type Harness, SILENT } from './harness.ts';
import { MemoryRecords } from './memory-records.ts';

/** Hides a lost connection from the core, so that it does not withdraw its quotes. */
export const IGNORE_CONNECTION_LOSS: NonNullable<BotOptions['intercept']> = {
  event: (event, deliver) => {
    if (event.type !== 'venueChanged') deliver(event);
  },
};

/** Hides a lost connection and the loss of its books from the core. */
export const IGNORE_CONNECTION_AND_BOOK_LOSS: NonNullable<BotOptions['intercept']> = {
  ...IGNORE_CONNECTION_LOSS,
  acceptsRows: ({ kind, price }, row) =>
    kind[row] !== KIND.gap && (kind[row] !== KIND.status || price[row] !== STATUS_CODES.indexOf('HALTED')),
};

export interface BotOptions {
  readonly markets: readonly string[];
  readonly records?: MemoryRecords;
  readonly settings?: Partial<ServiceVenueSettings>;
  /** Settings of market data. */
  readonly books?: Partial<MarketDataSettings>;
  /** Risk limits. Default: no limits on position, price and book age. */
  readonly risk?: Readonly<Record<string, number | 'none'>>;
  readonly key?: SigningKey;
  readonly options?: Partial<ServiceVenueOptions>;
  readonly timeoutMs?: number;
  readonly handlers?: StrategyHandlers;
  /** Hooks that inject faults. */
  readonly intercept?:
    | {
        readonly transport?: (transport: Transport) => Transport;
        /** Receives each venue event and decides whether to deliver it. */
        readonly event?: (event: VenueEvent, deliver: (event: VenueEvent) => void) => void;
        /** Returns whether a message is delivered. @param row first row of the message */
        readonly acceptsRows?: (block: Block, row: number) => boolean;
      }
    | undefined;
}

/** A bot: core, run, service venue, and a strategy that returns the intents given to `submit`. */
export class Bot {
  readonly state: AccountState;
  readonly records: MemoryRecords;
  readonly service: ServiceVenue;
  readonly run: Run;
  readonly core: TradingCore;
  readonly proxy: FaultyProxy;
  readonly transport: Transport;
  readonly key: SigningKey;
  readonly markets: readonly MarketSetup[];
  readonly faults: Error[] = [];
  readonly reported: InputEvent[] = [];
  #intents: readonly Intent[] = [];
  #isClosed = false;
  #session: VenueSession | undefined;

  private constructor(
    parts: Pick<Bot, 'proxy' | 'transport' | 'markets' | 'key'>,
    harness: Harness,
    terms: Awaited<ReturnType<typeof readTerms>>,
    options: BotOptions,
  ) {
    const { proxy, markets, key } = parts;
    const transport = options.intercept?.transport?.(parts.transport) ?? parts.transport;
    this.proxy = proxy;
    this.transport = transport;
    this.markets = markets;
    this.key = key;
    this.records = options.records ?? new MemoryRecords();
    this.state = new AccountState({ cash: ZERO_USD, markets: markets });
    const firstOrder = this.#recover();
    const { tools } = harness;
    this.service = new ServiceVenue({
      transport,
      markets,
      key,
      signer: tools.signer,
      messages: tools.messages,
      address: key.address,
      records: this.records,
      view: this.state,
      login: pinsOf(tools, harness.url),
      maxFeeBps: Number(options.risk?.['max_fee_bps'] ?? 1_000),
      credential: { type: 'login' },
      marketData: new ServiceMarketData({ transport, terms, ...(options.books && { settings: options.books }) }),
      settings: { auditMs: 0, heartbeatMs: 0, settleMs: 1_000, ...options.settings },
      onFault: (error) => void this.faults.push(error),
      onMarketFailed: (_, fault) => void this.faults.push(fault),
      ...options.options,
    });
    const onSignal: StrategyHandlers = { onSignal: () => (this.#intents.length > 0 ? this.#intents : undefined) };
    const instances = [createInstance(options.handlers ?? onSignal, { markets: markets.map((_, at) => at) })];
    const limits = riskLimits(
      riskSchema.parse({ max_position: 'none', price_collar_bps: 'none', max_book_age_ms: 'none', ...options.risk }),
    );
    const planner = createPlanner({ firstOrder });
    this.core = new TradingCore({
      state: this.state,
      instances,
      risk: createRiskGate(limits),
      planner,
      firstSeq: unchecked.seq(this.records.steps.length + 1),
    });
    const listener = (steps: readonly { readonly event: InputEvent | undefined }[]): void => {
      for (const { event } of steps) if (event !== undefined) this.reported.push(event);
    };
    this.run = new Run({
      core: this.core,
      instances,
      clock: transport.clock,
      venue: {
        connect: async (sink) => {
          const { event: onEvent, acceptsRows = () => true } = options.intercept ?? {};
          const intercepted: VenueSink = {
            rows: (block, from, to) => {
              if (acceptsRows(block, from)) sink.rows(block, from, to);
            },
            event: (event, position) =>
              onEvent === undefined
                ? sink.event(event, position)
                : onEvent(event, (delivered) => sink.event(delivered, position)),
          };
          this.#session = await this.service.connect(intercepted);
          return this.#session;
        },
        abortConnect: () => this.service.abortConnect(),
      },
      store: this.records,
      stepListeners: [listener],
    });
  }

  /** Opens a bot that closes after the test. */
  static async openForTest(harness: Harness, options: BotOptions): Promise<Bot> {
    const bot = await Bot.open(harness, options);
    afterThisTest.add(() => bot.close());
    return bot;
  }

  /** Starts a bot that closes after the test. */
  static async startForTest(harness: Harness, options: BotOptions): Promise<Bot> {
    const bot = await Bot.start(harness, options);
    afterThisTest.add(() => bot.close());
    return bot;
  }

  /** Starts a bot with its own account and market, so that tests can share a server. It closes after the test. */
  static async startAlone(harness: Harness, changes: Partial<BotOptions> = {}) {
    const number = harness.nextMarket();
    const id = await harness.market(number);
    const options: BotOptions = { markets: [id], key: keyOf(harness.tools, 500 + number), ...changes };
    return { id, options, bot: await Bot.startForTest(harness, options) };
  }

  /** Opens a bot and starts its run. */
  static async start(harness: Harness, options: BotOptions): Promise<Bot> {
    const bot = await Bot.open(harness, options);
    try {
      await bot.run.start();
    } catch (error) {
      await bot.crash();
      throw error;
    }
    return bot;
  }

  static async open(harness: Harness, options: BotOptions): Promise<Bot> {
    const proxy = await FaultyProxy.open(harness.url);
    const transport = createTransport({
      endpoint: parseEndpoint({ url: proxy.url }),
      operations: new OperationTexts(),
      clock: wallClock(),
      log: SILENT,
      random: seededRandom(1),
      settings: { timeoutMs: options.timeoutMs ?? 2_000 },
    });
    const terms = await readTerms(transport);
    const markets = await new ServiceDirectory(transport, terms).select({ ids: options.markets });
    const key = options.key ?? keyOf(harness.tools, 1);
    return new Bot({ proxy, transport, markets, key }, harness, terms, options);
  }

  /** The strategy returns these intents now. */
  submit(...intents: readonly Intent[]): void {
    this.#intents = intents;
    this.run.submit({ type: 'signalReceived', name: 'intents', value: 0 });
    this.#intents = [];
  }

  /** Access token of the bot's session, from its last HTTP request. */
  get token(): string {
    return this.proxy.authorization?.replace('Bearer ', '') ?? '';
  }

  /** Sends commands directly to the venue, without the core. */
  send(...commands: readonly OrderCommand[]): void {
    this.#session?.send(commands);
  }

  /** Returns the received events of one type, oldest first. */
  received<T extends InputEvent['type']>(type: T): readonly Extract<InputEvent, { type: T }>[] {
    return this.reported.filter((event): event is Extract<InputEvent, { type: T }> => event.type === type);
  }

  /** True if nothing is in flight and every result is known. */
  get isSettled(): boolean {
    return this.service.isQuiet;
  }

  /** The types of the received events of orders, oldest first. */
  get orderEventTypes(): readonly string[] {
    const types = this.reported.map(({ type }) => type);
    return types.filter((type) => type.startsWith('order') || type === 'cancelRejected');
  }

  /** Commands of the stored steps. */
  get commands(): readonly OrderCommand[] {
    return this.records.steps.flatMap(({ commands }) => commands);
  }

  /** Waits until a condition is true. @throws the first fault of the bot, or Error after `timeoutMs` */
  async until(condition: () => boolean, description = condition.toString(), timeoutMs = 20_000): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!condition()) {
      if (this.faults[0] !== undefined) throw this.faults[0];
      if (Date.now() > end) {
        throw new Error(
          `timed out waiting for: ${description}; received ${this.reported.map(({ type }) => type).join(' ')}; faults ${this.proxy.applied.join(', ')}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Simulates a crash of the process. @returns the records that remain */
  async crash(): Promise<MemoryRecords> {
    const records = this.records.afterCrash();
    await this.proxy.close();
    await this.close();
    return records;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.run.close();
    await this.proxy.close();
  }

  /** Folds the stored steps, as recovery does. @returns the next order's number */
  #recover(): OrderNo {
    let last = 0;
    for (const { event, commands, time } of this.records.steps) {
      if (event !== undefined) this.state.apply(event);
      for (const command of commands) {
        this.state.applyCommand(command, time);
        if (command.type === 'place') last = Math.max(last, command.order);
        if (command.type === 'replace') for (const { order } of command.places) last = Math.max(last, order);
      }
    }
    for (const { order } of this.records.rows) last = Math.max(last, order);
    return unchecked.order(last + 1);
  }
}
