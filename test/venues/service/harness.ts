/** An embedded venue in this process, traders, and bots that reach it through a `FaultyProxy`. */

import { createServer } from 'node:net';
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import {
  counted,
  type InputEvent,
  type Intent,
  type OrderCommand,
  type OrderNo,
  type VenueEvent,
  ZERO_USD,
} from '../../../src/domain/index.ts';
import type { ExchangeConfig } from '../../../src/exchange/index.ts';
import { createPlanner } from '../../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../../src/risk/index.ts';
import { createCore, Run, type TradingCore, type VenueSession, type VenueSink } from '../../../src/runtime/index.ts';
import { accessSettings, type GivenAccessSettings, type VenueServer } from '../../../src/server/index.ts';
import type { OrderMessage, SigningKey } from '../../../src/signing/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import type { StrategyHandlers } from '../../../src/strategy/index.ts';
import { type Block, KIND, STATUS_CODES } from '../../../src/tape/index.ts';
import type { Selected } from '../../../src/venues/base/index.ts';
import { createMarketData, readTerms, selectMarkets } from '../../../src/venues/service/market-data/index.ts';
import type { MarketDataSettings } from '../../../src/venues/service/market-data/market-data-port.ts';
import { ServiceVenue } from '../../../src/venues/service/service-venue.ts';
import type { ServiceVenueOptions, ServiceVenueSettings } from '../../../src/venues/service/service-venue-options.ts';
import {
  createTransport,
  endpointOf,
  OperationTexts,
  type Transport,
} from '../../../src/venues/service/transport/index.ts';
import { botOf } from '../../runtime/fakes.ts';
import { startPlainServer } from '../../server/plain-server.ts';
import {
  keyOf,
  login,
  openSigningTools,
  pinsOf,
  queryVenue,
  type SigningTools,
  signOrder,
} from '../../server/trader.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { MemoryRecords } from './memory-records.ts';

export const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
export const SHARE = 1_000_000;

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

export interface VenueArgs {
  readonly access?: GivenAccessSettings;
  readonly config?: Partial<ExchangeConfig>;
  readonly chaos?: object;
  readonly db?: string;
  readonly port?: number;
}

type ServerArgs = VenueArgs & { readonly port: number; readonly renewOperatorToken: boolean };

/** The embedded venue. */
export class Harness {
  readonly tools: SigningTools;
  server: VenueServer;
  readonly url: string;
  readonly token: string;
  readonly #options: VenueArgs & { readonly port: number };
  #traders = 0;
  #salts = 0;

  private constructor(tools: SigningTools, server: VenueServer, options: VenueArgs & { readonly port: number }) {
    this.tools = tools;
    this.server = server;
    this.url = server.url;
    this.token = server.operatorToken ?? '';
    this.#options = options;
  }

  static async open(options: VenueArgs = {}): Promise<Harness> {
    const settled = { ...options, port: options.port ?? (await freePort()) };
    const tools = await openSigningTools();
    return new Harness(tools, await serve(tools, { ...settled, renewOperatorToken: true }), settled);
  }

  /** Restarts the server on the same database. */
  async restart(graceMs = 0): Promise<void> {
    await this.server.close(graceMs);
    this.server = await serve(this.tools, { ...this.#options, renewOperatorToken: false });
  }

  async operate(command: string, args: object = {}): Promise<unknown> {
    const answer = await fetch(`${this.url}/operator`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ ...args, command }),
    });
    const received: { ok: boolean; result?: unknown; error?: unknown } = JSON.parse(await answer.text());
    if (!received.ok) throw new Error(`${command}: ${JSON.stringify(received.error)}`);
    return received.result;
  }

  /** Opens a market. @returns its id */
  async market(number = 1, more: object = {}): Promise<string> {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    await this.operate('put-category', { slug: 'tests', name: 'Tests' });
    const resolution_date = new Date(Date.now() + 86_400_000).toISOString();
    const details = { question: `Question ${number}?`, rules: 'r', category: 'tests', resolution_date };
    await this.operate('create-market', { id, ...details, ...more });
    await this.operate('open-market', { market: id });
    return id;
  }

  /** Creates a trader with a new account and play money. */
  async trader(): Promise<Trader> {
    this.#traders += 1;
    const key = keyOf(this.tools, 100 + this.#traders);
    return new Trader(this, key, await login(this.url, this.tools, key));
  }

  nextSalt(): number {
    this.#salts += 1;
    return Date.now() * 1_000 + this.#salts;
  }

  async close(): Promise<void> {
    await this.server.close(0);
  }
}

type OrderOptions = Pick<OrderMessage, 'marketId' | 'outcome' | 'side' | 'priceBps'> & { readonly shares: number };

/** Trades over the API alone, without the service venue. */
export class Trader {
  readonly #harness: Harness;
  readonly key: SigningKey;
  readonly #token: string;

  constructor(harness: Harness, key: SigningKey, token: string) {
    this.#harness = harness;
    this.key = key;
    this.#token = token;
  }

  /** Logs in with a given key. */
  static async of(harness: Harness, key: SigningKey): Promise<Trader> {
    return new Trader(harness, key, await login(harness.url, harness.tools, key));
  }

  query(query: string, variables: object = {}) {
    return queryVenue(this.#harness.url, this.#token, query, variables);
  }

  /** Queries with the token of another session of the account. */
  queryAs(token: string, query: string) {
    return queryVenue(this.#harness.url, token, query, {});
  }

  /** Places a GTC order of whole shares. @returns its id @throws Error when it is refused */
  async place(options: OrderOptions, token = this.#token, epoch = 0): Promise<string> {
    const { tools, url } = this.#harness;
    const orderOptions = { ...options, shares: options.shares * SHARE, timestampMs: Date.now() };
    const ready = signOrder(tools, this.key, orderOptions, this.#harness.nextSalt());
    const { wire, sign } = tools.messages.order;
    const message = { ...ready.message, epoch };
    const order = { ...wire(message), signature: sign(message, this.key).signature };
    const text =
      'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted order { id } rejection { reason } } }';
    const { placeOrder } = await queryVenue(url, token, text, { i: { order } });
    if (!placeOrder.accepted) throw new Error(`refused: ${JSON.stringify(placeOrder.rejection)}`);
    return placeOrder.order.id;
  }
}

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
  readonly markets: readonly Selected[];
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
    this.state = new AccountState({ cash: ZERO_USD, markets: markets.map(({ setup }) => setup) });
    const firstOrder = this.#recover();
    const { tools } = harness;
    this.service = new ServiceVenue({
      transport,
      markets,
      terms,
      key,
      signer: tools.signer,
      messages: tools.messages,
      address: key.address,
      records: this.records,
      view: this.state,
      login: pinsOf(tools, harness.url),
      maxFeeBps: Number(options.risk?.['max_fee_bps'] ?? 1_000),
      credential: { type: 'login' },
      marketData: createMarketData({ transport, terms, ...(options.books && { settings: options.books }) }),
      settings: { auditMs: 0, heartbeatMs: 0, settleMs: 1_000, ...options.settings },
      fault: (error) => void this.faults.push(error),
      marketFailed: (_, fault) => void this.faults.push(fault),
      ...options.options,
    });
    const onSignal: StrategyHandlers = { onSignal: () => (this.#intents.length > 0 ? this.#intents : undefined) };
    const bots = [botOf(options.handlers ?? onSignal, { markets: markets.map((_, at) => at) })];
    const limits = riskLimits(
      riskSchema.parse({ max_position: 'none', price_collar_bps: 'none', max_book_age_ms: 'none', ...options.risk }),
    );
    const planner = createPlanner({ firstOrder });
    this.core = createCore({
      state: this.state,
      bots,
      risk: createRiskGate(limits),
      planner,
      firstSeq: counted.seq(this.records.steps.length + 1),
    });
    const tap = (steps: readonly { readonly event: InputEvent | undefined }[]): void => {
      for (const { event } of steps) if (event !== undefined) this.reported.push(event);
    };
    this.run = new Run({
      core: this.core,
      bots,
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
        leave: () => this.service.leave(),
      },
      store: this.records,
      taps: [tap],
    });
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
      endpoint: endpointOf({ url: proxy.url }),
      operations: new OperationTexts(),
      clock: wallClock(),
      log: SILENT,
      random: seededRandom(1),
      settings: { timeoutMs: options.timeoutMs ?? 2_000 },
    });
    const terms = await readTerms(transport);
    const markets = await selectMarkets(transport, terms, { ids: options.markets });
    const key = options.key ?? keyOf(harness.tools, 1);
    return new Bot({ proxy, transport, markets, key }, harness, terms, options);
  }

  /** The strategy returns these intents now. */
  submit(...intents: readonly Intent[]): void {
    this.#intents = intents;
    this.run.signal('intents', 0);
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

  /** Whether nothing is in flight and no result is unknown. */
  get isSettled(): boolean {
    return this.service.isQuiet;
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
        this.state.sent(command, time);
        if (command.type === 'place') last = Math.max(last, command.order);
        if (command.type === 'replace') for (const { order } of command.places) last = Math.max(last, order);
      }
    }
    for (const { order } of this.records.rows) last = Math.max(last, order);
    return counted.order(last + 1);
  }
}

/** Queries an account at the venue: cash with reserves, open orders and positions. */
export async function accountAt(harness: Harness, key: SigningKey): Promise<AccountHoldings> {
  const token = await login(harness.url, harness.tools, key);
  const text = `query { balance { availableMicros reservedMicros }
    orders(input: { statuses: [LIVE, PARTIALLY_FILLED], first: 100 }) { edges { node { id remainingShares } } }
    positions(input: { openOnly: false, first: 100 }) { edges { node { marketId outcome shares amountMicros market { status } } } } }`;
  const { balance, orders, positions } = await queryVenue(harness.url, token, text, {});
  return {
    cash: Number(balance.availableMicros) + Number(balance.reservedMicros),
    open: new Map(
      orders.edges.map(({ node }: Edge<OpenOrderNode>) => [node.id, Math.round(node.remainingShares * SHARE)]),
    ),
    held: new Map(
      positions.edges.map(({ node }: Edge<PositionNode>) => [
        `${node.marketId} ${node.outcome}`,
        Math.round(node.shares * SHARE),
      ]),
    ),
  };
}

export interface AccountHoldings {
  readonly cash: number;
  readonly open: ReadonlyMap<string, number>;
  readonly held: ReadonlyMap<string, number>;
}

interface Edge<Node> {
  readonly node: Node;
}
interface OpenOrderNode {
  readonly id: string;
  readonly remainingShares: number;
}
interface PositionNode {
  readonly marketId: string;
  readonly outcome: string;
  readonly shares: number;
}

/** Returns the account as the bot's state has it. */
function accountOf(bot: Bot): AccountHoldings {
  const open = new Map<string, number>();
  const held = new Map<string, number>();
  for (const { info, orders, position } of bot.state.markets) {
    for (const { order, remaining } of orders)
      open.set(bot.records.numbered(order)?.hash ?? `order ${order}`, remaining);
    held.set(`${info.id} YES`, position.yes);
    held.set(`${info.id} NO`, position.no);
  }
  return { cash: bot.state.cash, open, held };
}

/** Returns the differences between bot and venue, as text. Empty positions do not count. */
export async function differences(harness: Harness, bot: Bot, owner = bot.key): Promise<readonly string[]> {
  const [venue, core] = [await accountAt(harness, owner), accountOf(bot)];
  const found: string[] = [];
  if (venue.cash !== core.cash) found.push(`cash ${core.cash}, at the venue ${venue.cash}`);
  for (const [kind, ofBot, ofVenue] of [
    ['order', core.open, venue.open],
    ['held', core.held, venue.held],
  ] as const) {
    for (const key of new Set([...ofBot.keys(), ...ofVenue.keys()])) {
      const [atBot, atVenue] = [ofBot.get(key) ?? 0, ofVenue.get(key) ?? 0];
      if (atBot !== atVenue) found.push(`${kind} ${key}: ${atBot}, at the venue ${atVenue}`);
    }
  }
  return found;
}

async function serve(
  tools: SigningTools,
  { access = {}, config = {}, chaos, db = ':memory:', port, renewOperatorToken }: ServerArgs,
): Promise<VenueServer> {
  return startPlainServer({
    store: SqliteStore.open({ file: db, thread: false }),
    log: SILENT,
    messages: tools.messages,
    access: accessSettings({ audience: `http://127.0.0.1:${port}`, ...access }),
    config,
    chaos: chaos === undefined ? undefined : chaosSchema.parse(chaos),
    port,
    renewOperatorToken,
    onStop: () => {},
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
