/** A whole bot on a scripted account: core, run, service venue, a book with own orders in it, and a real store. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, SimClock } from '../../../../src/clock/index.ts';
import {
  counted,
  durationMs,
  epochMs,
  type InputEvent,
  type Intent,
  orderNo,
  ZERO_USD,
} from '../../../../src/domain/index.ts';
import { createPlanner } from '../../../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../../../src/risk/index.ts';
import {
  type Core,
  createCore,
  interruptedCommands,
  type OrderRecords,
  Run,
  recover,
  type SignedRecord,
  StrategyAssignments,
} from '../../../../src/runtime/index.ts';
import { AccountState } from '../../../../src/state/index.ts';
import { BotStore } from '../../../../src/store/index.ts';
import type { StrategyHandlers } from '../../../../src/strategy/index.ts';
import {
  type Log,
  type MarketData,
  type MarketDataSink,
  Recent,
  type Selected,
} from '../../../../src/venues/base/index.ts';
import { PrintFlusher } from '../../../../src/venues/base/prints.ts';
import { type RowSink, RowWriter } from '../../../../src/venues/base/row-writer.ts';
import { VenueOrders } from '../../../../src/venues/base/venue-orders.ts';
import { type BookFeedDeps, BookFeedHandler } from '../../../../src/venues/service/market-data/book-feed-handler.ts';
import type { VenueTerms } from '../../../../src/venues/service/market-data/index.ts';
import { ServiceVenue } from '../../../../src/venues/service/service-venue.ts';
import type { ServiceVenueSettings } from '../../../../src/venues/service/service-venue-options.ts';
import { botOf } from '../../../runtime/fakes.ts';
import { keyOf, pinsOf, type SigningTools } from '../../../server/trader.ts';
import { setup } from '../../../state/world.ts';
import { type Change, ScriptedBook } from '../market-data/scripted-book.ts';
import type { ScriptedAccount } from './scripted-account.ts';

export const SELECTED: Selected = {
  setup: setup(),
  category: undefined,
  topics: [],
  volumeCents: 0,
};
const START = epochMs(1_800_000_000_000);
/** More than any wait of a start. */
const MAX_STEPS = 2_000;

export interface FillBotOptions {
  readonly tools: SigningTools;
  readonly account: ScriptedAccount;
  /** Of the bot; a new one by default. */
  readonly file?: string | undefined;
  readonly handlers?: StrategyHandlers;
  readonly settings?: Partial<ServiceVenueSettings>;
  /** Faults of the core that are put in on purpose. */
  readonly bend?: ((core: Core) => Core) | undefined;
}

let folder: string | undefined;
let files = 0;

/** Removes what bots have written so far. */
export function removeFiles(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

export function keyOfBot(tools: SigningTools) {
  return keyOf(tools, 4_100);
}

export class FillBot {
  readonly clock = new SimClock(START);
  readonly state: AccountState;
  readonly run: Run;
  readonly service: ServiceVenue;
  readonly store: BotStore;
  readonly reported: InputEvent[] = [];
  readonly faults: Error[] = [];
  /** Copies of the bot's file, made each time that orders had become durable and before a byte of them left. */
  readonly afterSigned: string[] = [];
  /** Called after each step was stored. */
  onStep: (event: InputEvent | undefined) => void = () => {};
  readonly #book = new ScriptedBook('00000000-0000-4000-8000-000000000000');
  readonly #account: ScriptedAccount;
  readonly #line: BookFeedHandler;
  #sink: MarketDataSink | undefined;
  #intents: readonly Intent[] = [];

  constructor({ tools, account, file = newFile(), handlers, settings, bend = (core) => core }: FillBotOptions) {
    const store = BotStore.open({ file, name: 'a bot of fills', spec: '{}', thread: false });
    const stored = store.stored();
    const before = stored === undefined ? undefined : recover(stored);
    const state = before?.state ?? new AccountState({ cash: ZERO_USD, markets: [SELECTED.setup] });
    const limits = riskLimits(
      riskSchema.parse({ max_position: 'none', price_collar_bps: 'none', max_book_age_ms: 'none' }),
    );
    const gate = createRiskGate(limits, before?.risk);
    const roster = before?.roster ?? new StrategyAssignments();
    const planner = createPlanner({ firstOrder: before?.nextOrder ?? orderNo(1) });
    const onSignal = (): readonly Intent[] => this.#intents;
    const bots = [botOf({ ...handlers, onSignal })];
    const core = createCore({
      state,
      bots,
      risk: gate,
      planner,
      assignments: roster,
      firstSeq: before?.firstSeq ?? counted.seq(1),
    });
    const transport = account.transport(this.clock);
    const orders = new VenueOrders();
    const key = keyOfBot(tools);
    this.#account = account;
    this.store = store;
    this.state = state;
    const sink = { rows: (...rows: Parameters<MarketDataSink['rows']>) => this.#sink?.rows(...rows) };
    this.#line = new BookFeedHandler(
      SELECTED,
      bookDeps(this.clock, transport.log, orders, sink, (error) => this.#sink?.failed(error)),
    );
    this.service = new ServiceVenue({
      transport,
      key,
      markets: [SELECTED],
      terms: TERMS,
      signer: tools.signer,
      messages: tools.messages,
      address: key.address,
      records: recordsOf(store, () => this.afterSigned.push(copyOf(store.file))),
      view: state,
      login: pinsOf(tools, 'http://venue.invalid'),
      maxFeeBps: 1_000,
      credential: { type: 'apiKey', key: 'key' },
      marketData: this.#marketData(orders),
      settings: { auditMs: 0, heartbeatMs: 0, ...settings },
      fault: (error) => void this.faults.push(error),
      marketFailed: (_, fault) => void this.faults.push(fault),
    });
    this.run = new Run({
      core: bend(core),
      bots,
      store,
      clock: this.clock,
      venue: this.service,
      taps: [
        (steps) => {
          for (const { event } of steps) {
            if (event !== undefined) this.reported.push(event);
            this.onStep(event);
          }
        },
      ],
    });
    store.follow(
      {
        account: state,
        risk: () => gate.snapshot(),
        snapshot: () => ({
          seq: counted.seq(core.nextSeq - 1),
          rows: core.rows,
          nextOrder: planner.nextOrder,
          account: state.snapshot(),
          risk: gate.snapshot(),
          roster: roster.entries,
        }),
      },
      START,
    );
    if (before !== undefined) for (const event of interruptedCommands(state, store, START)) this.run.event(event);
  }

  static async start(options: FillBotOptions): Promise<FillBot> {
    const bot = new FillBot(options);
    await bot.until(bot.run.start());
    return bot;
  }

  /** Runs the clock until this has come to its end. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    for (let step = 0; !isOver && step < MAX_STEPS; step += 1) {
      await this.turn();
      if (!isOver && this.clock.pending > 0) this.clock.runNext();
    }
    return work;
  }

  /** What is under way without a clock comes to its end. */
  async turn(): Promise<void> {
    for (let count = 0; count < 3; count += 1) await new Promise((resolve) => void setImmediate(resolve));
  }

  /** The strategy returns these intents now. */
  async submit(...intents: readonly Intent[]): Promise<void> {
    this.#intents = intents;
    this.run.signal('wish', 0);
    this.#intents = [];
    await this.turn();
  }

  /** The venue's book changes with the account's last event, or with the next one where it shows that already. */
  bookFrame(...changes: readonly Change[]): void {
    this.#line.next({ orderBookUpdated: this.#book.change(changes, Math.max(this.#book.seq + 1, this.#account.seq)) });
  }

  /** An order of this bot as it went out. */
  record(order: number): SignedRecord {
    const record = this.store.numbered(orderNo(order));
    if (record === undefined) throw new Error(`order ${order} was never signed`);
    return record;
  }

  /** Events of one kind, in their order. */
  received<T extends InputEvent['type']>(type: T): readonly Extract<InputEvent, { type: T }>[] {
    return this.reported.filter((event): event is Extract<InputEvent, { type: T }> => event.type === type);
  }

  /** YES held, whole shares. */
  get yes(): number {
    return this.state.market(counted.market(0)).position.yes / 1_000_000;
  }

  /** As `kill -9`: what is in the file now, in a file of its own. */
  crash(): string {
    return copyOf(this.store.file);
  }

  async close(): Promise<void> {
    await this.until(this.run.close());
    await this.store.close(this.clock.now());
  }

  #marketData(orders: VenueOrders): MarketData {
    orders.attach(counted.market(0), this.#line);
    return {
      orders,
      mode: 'NORMAL',
      modeProblem: undefined,
      link: 'UP',
      start: async (_, sink) => {
        this.#sink = sink;
        sink.venueChanged({ mode: 'NORMAL', link: 'UP' }, this.clock.now());
        this.#line.book(this.#book.snapshot());
      },
      add: () => Promise.resolve(),
      remove: () => {},
      refresh: () => Promise.resolve(),
      ages: () => [],
      close: () => {
        this.#sink = undefined;
      },
    };
  }
}

function bookDeps(
  clock: Clock,
  log: Log,
  orders: VenueOrders,
  sink: RowSink,
  failed: (error: unknown) => void,
): BookFeedDeps {
  return {
    rows: new RowWriter(sink),
    clock,
    log,
    offset: { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY },
    staleMs: 0,
    orders,
    trades: new Recent(1_000),
    flusher: new PrintFlusher(orders),
    owner: {
      bookLost: (_, problem) => {
        throw new Error(problem);
      },
      failed,
    },
  };
}

/** The store as the venue sees it. */
function recordsOf(store: BotStore, afterSigned: () => void): OrderRecords {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, args);
        if (name === 'signed') afterSigned();
        return answer;
      };
    },
  });
}

function newFile(): string {
  files += 1;
  folder ??= mkdtempSync(join(tmpdir(), 'halfspread-own-fills-'));
  return join(folder, `${files}.sqlite`);
}

function copyOf(file: string): string {
  const copy = newFile();
  for (const part of ['', '-wal', '-intents']) {
    if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
  }
  return copy;
}

const TERMS: VenueTerms = {
  mode: 'NORMAL',
  minBet: ZERO_USD,
  maxBet: ZERO_USD,
  maxExposure: ZERO_USD,
  spreadBps: 0,
  feeRateBps: 0,
  tickBps: 10,
  maxPlaces: 20,
  maxCancels: 200,
  minHeartbeat: durationMs(1_000),
  maxHeartbeat: durationMs(300_000),
  maxClockSkew: durationMs(30_000),
};
