import { SimClock } from '../../../../src/clock/index.ts';
import { epochMs, type InputEvent, type Intent, orderNo, unchecked, ZERO_USD } from '../../../../src/domain/index.ts';
import { createPlanner } from '../../../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../../../src/risk/index.ts';
import {
  type Core,
  Run,
  recover,
  rejectInterruptedCommands,
  type SignedRecord,
  StrategyAssignments,
  TradingCore,
} from '../../../../src/runtime/index.ts';
import { AccountState, type MarketSetup } from '../../../../src/state/index.ts';
import { BotStore } from '../../../../src/store/index.ts';
import type { StrategyHandlers } from '../../../../src/strategy/index.ts';
import type { MarketData, MarketDataSink } from '../../../../src/venues/base/index.ts';
import { VenueOrders } from '../../../../src/venues/base/venue-orders.ts';
import type { VenueTerms } from '../../../../src/venues/service/index.ts';
import { BookFeedHandler } from '../../../../src/venues/service/market-data/book-feed-handler.ts';
import type { ServiceVenueSettings } from '../../../../src/venues/service/service-venue.ts';
import { ServiceVenue } from '../../../../src/venues/service/service-venue.ts';
import { afterThisTest } from '../../../cleanup.ts';
import { createInstance } from '../../../runtime/fakes.ts';
import { keyOf, pinsOf, type SigningTools } from '../../../server/trader.ts';
import { setup } from '../../../state/world.ts';
import { type Change, ScriptedBook } from '../market-data/scripted-book.ts';
import { bookDeps, copyOf, newFile, recordsOf, TERMS } from './fill-bot-parts.ts';
import type { ScriptedAccount } from './scripted-account.ts';

export const SELECTED: MarketSetup = setup();
const START = epochMs(1_800_000_000_000);
/** More clock steps than any start needs. */
const MAX_STEPS = 2_000;

export interface FillBotOptions {
  readonly tools: SigningTools;
  readonly account: ScriptedAccount;
  /** File of the bot's store; default: a new file. */
  readonly file?: string | undefined;
  readonly handlers?: StrategyHandlers;
  readonly settings?: Partial<ServiceVenueSettings>;
  /** Wraps the core to inject faults. */
  readonly wrapCore?: ((core: Core) => Core) | undefined;
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
  /** Copies of the bot's file, one for each time that signed orders became durable, made before they are sent. */
  readonly afterSigned: string[] = [];
  /** Called after each step is stored. */
  onStep: (event: InputEvent | undefined) => void = () => {};
  readonly #book = new ScriptedBook('00000000-0000-4000-8000-000000000000');
  readonly #account: ScriptedAccount;
  readonly #bookHandler: BookFeedHandler;
  #sink: MarketDataSink | undefined;
  #intents: readonly Intent[] = [];

  constructor({ tools, account, file = newFile(), handlers, settings, wrapCore = (core) => core }: FillBotOptions) {
    const store = BotStore.open({ file, name: 'a bot of fills', spec: '{}', thread: false });
    const stored = store.storedRun();
    const before = stored === undefined ? undefined : recover(stored);
    const state = before?.state ?? new AccountState({ cash: ZERO_USD, markets: [SELECTED] });
    const limits = riskLimits(
      riskSchema.parse({ max_position: 'none', price_collar_bps: 'none', max_book_age_ms: 'none' }),
    );
    const gate = createRiskGate(limits, before?.risk);
    const assignments = before?.assignments ?? new StrategyAssignments();
    const planner = createPlanner({ firstOrder: before?.nextOrder ?? orderNo(1) });
    const onSignal = (): readonly Intent[] => this.#intents;
    const instances = [createInstance({ ...handlers, onSignal })];
    const core = new TradingCore({
      state,
      instances,
      risk: gate,
      planner,
      assignments,
      firstSeq: before?.nextSeq ?? unchecked.seq(1),
    });
    const transport = account.transport(this.clock);
    const orders = new VenueOrders();
    const key = keyOfBot(tools);
    this.#account = account;
    this.store = store;
    this.state = state;
    const sink = { rows: (...rows: Parameters<MarketDataSink['rows']>) => this.#sink?.rows(...rows) };
    this.#bookHandler = new BookFeedHandler(
      SELECTED,
      bookDeps(this.clock, transport.log, orders, sink, (error) => this.#sink?.onFailed(error)),
    );
    this.service = new ServiceVenue({
      transport,
      key,
      markets: [SELECTED],
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
      onFault: (error) => void this.faults.push(error),
      onMarketFailed: (_, fault) => void this.faults.push(fault),
    });
    this.run = new Run({
      core: wrapCore(core),
      instances,
      store,
      clock: this.clock,
      venue: this.service,
      stepListeners: [
        (steps) => {
          for (const { event } of steps) {
            if (event !== undefined) this.reported.push(event);
            this.onStep(event);
          }
        },
      ],
    });
    store.setSource(
      {
        account: state,
        risk: () => gate.snapshot(),
        snapshot: () => ({
          seq: unchecked.seq(core.nextSeq - 1),
          rows: core.rows,
          nextOrder: planner.nextOrder,
          account: state.snapshot(),
          risk: gate.snapshot(),
          roster: assignments.entries,
        }),
      },
      START,
    );
    if (before !== undefined) for (const event of rejectInterruptedCommands(state, store, START)) this.run.event(event);
  }

  /** Starts a bot that closes after the test. */
  static async start(options: FillBotOptions): Promise<FillBot> {
    const bot = new FillBot(options);
    await bot.until(bot.run.start());
    afterThisTest.add(() => bot.close());
    return bot;
  }

  /** Runs the clock until `work` settles. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    work.then(settle, settle);
    for (let step = 0; !isSettled && step < MAX_STEPS; step += 1) {
      await this.flush();
      if (!isSettled && this.clock.pending > 0) this.clock.runNext();
    }
    return work;
  }

  /** Waits until all work that needs no clock is done. */
  async flush(): Promise<void> {
    for (let count = 0; count < 3; count += 1) await new Promise((resolve) => void setImmediate(resolve));
  }

  /** The strategy returns these intents now. */
  async submit(...intents: readonly Intent[]): Promise<void> {
    this.#intents = intents;
    this.run.submit({ type: 'signalReceived', name: 'intents', value: 0 });
    this.#intents = [];
    await this.flush();
  }

  /** Changes the venue's book under the number of the account's last event, or the next one if the book has that. */
  bookFrame(...changes: readonly Change[]): void {
    this.#bookHandler.next({
      orderBookUpdated: this.#book.change(changes, Math.max(this.#book.seq + 1, this.#account.seq)),
    });
  }

  /** Returns an order of this bot as it was signed. */
  record(order: number): SignedRecord {
    const record = this.store.findByNumber(orderNo(order));
    if (record === undefined) throw new Error(`order ${order} was never signed`);
    return record;
  }

  /** Returns the received events of one type, oldest first. */
  received<T extends InputEvent['type']>(type: T): readonly Extract<InputEvent, { type: T }>[] {
    return this.reported.filter((event): event is Extract<InputEvent, { type: T }> => event.type === type);
  }

  /** YES position, whole shares. */
  get yes(): number {
    return this.state.market(unchecked.market(0)).position.yes / 1_000_000;
  }

  /** Copies the bot's file as `kill -9` would leave it now. @returns the path of the copy */
  crash(): string {
    return copyOf(this.store.file);
  }

  async close(): Promise<void> {
    await this.until(this.run.close());
    await this.store.close(this.clock.now());
  }

  #marketData(orders: VenueOrders): MarketData & { readonly terms: VenueTerms } {
    orders.attach(unchecked.market(0), this.#bookHandler);
    return {
      orders,
      terms: TERMS,
      mode: 'NORMAL',
      modeProblem: undefined,
      link: 'UP',
      start: async (_, sink) => {
        this.#sink = sink;
        sink.onVenueChanged({ mode: 'NORMAL', link: 'UP' }, this.clock.now());
        this.#bookHandler.onBookEvent(this.#book.snapshot());
      },
      add: () => Promise.resolve(),
      remove: () => {},
      refresh: () => Promise.resolve(),
      bookStates: () => [],
      close: () => {
        this.#sink = undefined;
      },
    };
  }
}
