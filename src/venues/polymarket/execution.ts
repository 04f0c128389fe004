/** Executes the core's commands, reports own events, compares the account. Reports no event before `send` returns. */
import type { Random } from '../../clock/index.ts';
import {
  type Conversion,
  Fault,
  InputFault,
  type OrderCommand,
  type ReduceOrder,
  type ReplaceOrders,
} from '../../domain/index.ts';
import {
  type ComparisonResult,
  ExecutionReporter,
  groupCommands,
  type StartResult,
  type VenueOrder,
} from '../base/index.ts';
import { PolymarketAccount } from './account.ts';
import { AccountPoller, guessCloseReason, type PollingDeps } from './account-poller.ts';
import { AccountStart, type PolymarketStartPolicy } from './account-start.ts';
import { CancelSender } from './cancel-sender.ts';
import type { PolymarketDeps } from './deps.ts';
import { OrderSender } from './order-sender.ts';
import { OwnEventTranslator, type SellableFrom } from './own-event-translator.ts';
import type { PolymarketCredentials } from './rest-client.ts';
import { UnknownOrders } from './unknown-orders.ts';
import { UserChannel } from './user-channel.ts';

export interface ExecutionOptions {
  readonly userUrl: string;
  readonly credentials: PolymarketCredentials;
  readonly random: Random;
  readonly sellableFrom: SellableFrom;
  readonly signatureType: number;
  readonly onDesync: (problem: string) => void;
  readonly onFault: (error: unknown) => void;
}

const PAUSE_MS = 25;
/** The user channel must open within this time, ms, and before this many failures. */
const [OPEN_TIMEOUT_MS, MAX_FAILURES] = [15_000, 4];
const POLL_MS = 30_000;
/** Failed comparisons in a row after which nothing is quoted. */
const MAX_FAILED_COMPARISONS = 2;
/** Time within which the user channel must show a new order, ms. Otherwise the channel reconnects. */
const SHOW_TIMEOUT_MS = 3_000;
/** Time within which the user channel must show missing trades, ms. Otherwise a poll reads the trades. */
const MISSING_TRADES_TIMEOUT_MS = 500;

export class Execution {
  readonly account: PolymarketAccount;
  readonly #deps: PollingDeps;
  readonly #options: ExecutionOptions;
  readonly #cancels: CancelSender;
  readonly #sender: OrderSender;
  readonly #unknown: UnknownOrders;
  readonly #channel: UserChannel;
  readonly #start: AccountStart;
  /** Whether the user channel is open and all earlier events were read. */
  #isCurrent = false;
  #resolveOpened: (() => void) | undefined;
  /** Number of losses of the user channel since `#openChannel` began, and the problem of the last loss. */
  #failures = 0;
  #problem = 'it does not answer';
  #failedComparisons = 0;
  readonly #seenOnChannel = new WeakSet<VenueOrder>();

  constructor(polymarketDeps: PolymarketDeps, options: ExecutionOptions) {
    const reporter = new ExecutionReporter(polymarketDeps);
    const translator = new OwnEventTranslator({
      ...polymarketDeps,
      reporter,
      sellableFrom: options.sellableFrom,
      owner: () => options.credentials.apiKey,
      onTradesMissing: () => polymarketDeps.timers.after(MISSING_TRADES_TIMEOUT_MS, () => this.#pollInBackground()),
    });
    const ownEventDeps = { ...polymarketDeps, reporter, translator };
    const deps: PollingDeps = { ...ownEventDeps, poller: new AccountPoller(ownEventDeps) };
    const cancels = new CancelSender(deps);
    const unknown = new UnknownOrders(deps);
    const account = new PolymarketAccount(deps, options.signatureType);
    this.#deps = deps;
    this.#options = options;
    this.#cancels = cancels;
    this.#unknown = unknown;
    this.#sender = new OrderSender({
      ...deps,
      unknown,
      expectOnChannel: (order) => this.#expectOnChannel(order),
      readTrades: () => this.#pollInBackground(),
    });
    this.account = account;
    this.#start = new AccountStart({ ...deps, account, cancels, unknown });
    reporter.onUnwanted = (order) => this.#cancels.cancel([order], { isRequested: false });
    this.#channel = new UserChannel({
      url: options.userUrl,
      credentials: options.credentials,
      clock: deps.clock,
      random: options.random,
      onOrder: (record, at) => {
        const order = deps.orders.byHash(record.id);
        if (order === undefined) return;
        this.#seenOnChannel.add(order);
        this.#deps.translator.onOrder(record, at, guessCloseReason(order));
      },
      onTrade: (trade, at) => this.#deps.translator.onTrade(trade, at),
      onOpened: () => this.#onChannelOpened(),
      onLost: (problem) => {
        this.#isCurrent = false;
        this.#failures += 1;
        this.#problem = problem;
        options.onDesync(problem);
      },
    });
  }

  /** Whether no command is in flight and no order is unresolved. */
  get isQuiet(): boolean {
    const { orders, translator } = this.#deps;
    const isUnresolved = orders.open().some((order) => order.life.isUnconfirmed || translator.hasPendingEnd(order));
    return this.#cancels.pendingCount === 0 && this.#unknown.size === 0 && !isUnresolved;
  }

  /** @throws Fault RECONCILE naming each unexplained difference; LINK, VENUE */
  async start(policy: PolymarketStartPolicy): Promise<StartResult> {
    const started = await this.#start.run(policy, () => this.#openChannel());
    this.#isCurrent = this.#channel.isOpen;
    this.#deps.timers.every(POLL_MS, () => this.#pollInBackground());
    return started;
  }

  send(commands: readonly OrderCommand[]): void {
    for (const { first, group } of groupCommands(commands)) this.#execute(first, group);
  }

  /**
   * Compares the account once. Accepts differences if deposits, rebates, rewards or payouts explain all of them.
   * @returns undefined if the account changed during the comparison; `disagrees` for unexplained differences
   * @throws Fault LINK, VENUE
   */
  async compare(): Promise<ComparisonResult | undefined> {
    try {
      const result = await this.#compareOnce();
      this.#failedComparisons = 0;
      return result;
    } catch (error) {
      this.#failedComparisons += 1;
      this.#onReadFailed(error);
      throw error;
    }
  }

  async #compareOnce(): Promise<ComparisonResult | undefined> {
    if (!this.#channel.isOpen) return undefined;
    const open = await this.#deps.poller.poll();
    if (!this.#isCurrent && this.#channel.isOpen) this.#isCurrent = true;
    this.#cancels.onConnected();
    const positionBefore = this.#deps.translator.position;
    const orders = this.#deps.orders.size;
    await this.#start.cancelStillOpen(open);
    const holdings = await this.account.read('active');
    if (this.#deps.translator.position !== positionBefore || !this.#channel.isOpen) return undefined;
    const differences = this.account.findDifferences(holdings);
    const texts = this.account.describe(differences);
    if (differences.length === 0) return { outcome: 'agrees', orders, differences: [] };
    if (!this.account.isExplained(differences)) return { outcome: 'disagrees', orders, differences: texts };
    // Poll again, because a failed trade also returns cash. The lists show each trade that failed before the read.
    await this.#deps.poller.poll();
    if (this.#deps.translator.position !== positionBefore) return undefined;
    this.account.acceptVenueBalances(differences);
    return { outcome: 'adjusted', orders, differences: texts };
  }

  async openHashes(): Promise<readonly string[]> {
    return (await this.#deps.poller.poll()).map(({ id }) => id);
  }

  close(): void {
    this.#channel.close();
  }

  #execute(command: OrderCommand, group: readonly OrderCommand[]): void {
    const { orders, timers, reporter } = this.#deps;
    const { type } = command;
    if (type === 'place') this.#sender.send(group.filter((each) => each.type === 'place'));
    else if (type === 'cancelAll') this.#cancels.cancelAll(command);
    else if (type === 'cancel') {
      const found: VenueOrder[] = [];
      for (const each of group.filter((one) => one.type === 'cancel')) {
        const order = orders.byNumber(each.order);
        if (order === undefined) timers.defer(() => reporter.reportCancelRefused(each, 'ALREADY_FINAL'));
        else found.push(order);
      }
      this.#cancels.cancel(found, { isRequested: true });
    } else timers.defer(() => this.#refuse(command));
  }

  /** Refuses a command that the venue does not have. The planner sends no replace (`PlannerOptions.cancelsFirst`). */
  #refuse(command: ReduceOrder | ReplaceOrders | Conversion): void {
    const { reporter, report, clock } = this.#deps;
    const { type, market } = command;
    if (type === 'reduce') reporter.reportCancelRefused(command, 'CONFLICT');
    else if (type === 'replace') {
      for (const { order } of command.cancels) reporter.reportCancelRefused({ order, market }, 'CONFLICT');
    }
    // Read after the reports above, because times of events never go back.
    const time = clock.now();
    const refused = { time, venueTime: time, market, reason: 'CONFLICT' } as const;
    if (type === 'replace')
      for (const { order } of command.places) report({ type: 'orderRejected', ...refused, order });
    else if (type !== 'reduce') report({ type: 'conversionRejected', ...refused, conversion: type, bot: command.bot });
  }

  async #openChannel(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolveOpened = resolve;
    this.#channel.connect();
    const { timers, clock } = this.#deps;
    this.#failures = 0;
    const hasFailed = (): boolean => this.#failures >= MAX_FAILURES;
    const isOpen = await Promise.race([
      promise.then(() => true),
      timers.until(hasFailed, clock.now() + OPEN_TIMEOUT_MS, PAUSE_MS).then(() => false),
    ]);
    this.#resolveOpened = undefined;
    if (!isOpen) {
      const problem = `the user channel ${this.#options.userUrl} did not open (${this.#problem})`;
      throw new Fault('LINK', `${problem}. Check venue.ws_url, and the account's API key`, { retryable: true });
    }
  }

  #expectOnChannel(order: VenueOrder): void {
    this.#deps.timers.after(SHOW_TIMEOUT_MS, () => {
      if (this.#seenOnChannel.has(order) || !this.#channel.isOpen || order.life.hasEnded) return;
      this.#channel.renew('the user channel does not show an accepted order');
    });
  }

  #onChannelOpened(): void {
    this.#resolveOpened?.();
    // The comparison after a loss reads the missed events.
    if (this.#resolveOpened === undefined && !this.#isCurrent) this.#options.onDesync('the user channel is open again');
  }

  #pollInBackground(): void {
    this.#deps.poller.poll().catch((error: unknown) => {
      if (this.#deps.timers.isClosed) return;
      this.#deps.log.warn({ err: error }, 'polymarket: orders and trades could not be read');
      this.#onReadFailed(error);
    });
  }

  /** Stops quoting if the account contradicts a signed order, or after `MAX_FAILED_COMPARISONS` in a row. */
  #onReadFailed(error: unknown): void {
    if (this.#deps.timers.isClosed) return;
    if (error instanceof InputFault) this.#options.onDesync(`the venue contradicts a signed order: ${error.message}`);
    else if (this.#failedComparisons === MAX_FAILED_COMPARISONS)
      this.#options.onDesync('the account could not be read several times');
  }
}
