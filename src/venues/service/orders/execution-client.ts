/**
 * Sends the core's commands to the venue and reports their outcomes.
 *
 * Commands keep their order. Consecutive commands of one kind share a request. Nothing is reported to the core before
 * `send` returns.
 */
import type { CancelOrder, OrderCommand, OrderLifecycle, ReduceOrder } from '../../../domain/index.ts';
import type { SignedRecord } from '../../../runtime/index.ts';
import { type Compared, checkFill, commandRuns, ExecutionReporter, type VenueOrder } from '../../base/index.ts';
import { recoverGap } from '../own-stream/gap-recovery.ts';
import { OwnStream } from '../own-stream/own-stream.ts';
import { AccountComparison } from '../reconcile/account-comparison.ts';
import { Reconciler, type Started, type StartPolicy } from '../reconcile/reconciler.ts';
import { Cancels } from './cancels.ts';
import { Conversions } from './conversions.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { HeldRefusals } from './held-refusals.ts';
import { MissingOrders } from './missing-orders.ts';
import { checkPosition } from './own-event.ts';
import { Places } from './places.ts';
import { Reduces } from './reduces.ts';
import { UnknownOrderResolver } from './unknown-order-resolver.ts';

export interface ExecutionClientOptions {
  /** Silence after which the own stream's socket counts as frozen, ms. */
  readonly silenceMs: number;
  /** State of an order in an earlier run; undefined if that run had it as ended. Called at the start only. */
  readonly restoredLife: (record: SignedRecord) => OrderLifecycle | undefined;
  /** Own events may be missing from now on. */
  readonly onDesync: (problem: string) => void;
  /** Receives an error that cannot be handled here. */
  readonly onFault: (error: unknown) => void;
}

const PAUSE_MS = 25;

export class ExecutionClient {
  readonly reporter: ExecutionReporter;
  readonly #deps: ExecutionDeps;
  readonly #restored: ExecutionClientOptions['restoredLife'];
  readonly #resolver: UnknownOrderResolver;
  readonly #cancels: Cancels;
  readonly #reduces: Reduces;
  readonly #places: Places;
  readonly #conversions: Conversions;
  readonly #stream: OwnStream;
  readonly #reconciler: Reconciler;
  readonly #comparison: AccountComparison;

  constructor(deps: ExecutionDeps, options: ExecutionClientOptions) {
    this.#deps = deps;
    this.#restored = options.restoredLife;
    const reporter = new ExecutionReporter(deps);
    const held = new HeldRefusals(deps.timers, () => this.#stream.catchUp());
    this.#stream = new OwnStream(deps, {
      check: (event) => {
        if (event.kind !== 'FILLED' || reporter.trades.has(event.fill.tradeId)) return;
        checkPosition(event);
        const order = deps.orders.byHash(event.hash);
        if (order === undefined) return;
        const { record, filled } = order;
        checkFill(event, record.command, reporter.markets.idOf(record.market), filled);
      },
      onEvent: (event) => {
        reporter.onEvent(event);
        held.releaseReported();
      },
      recover: (from, to) => recoverGap(deps, reporter, from, to),
      onRewind: (to) => reporter.onStreamRewind(to),
      onRepeatedFill: ({ fill, remaining }) => reporter.onLateFill(fill, undefined, remaining),
      onCaughtUp: (seq) => {
        reporter.trades.startAt(seq);
        deps.orders.advanceTo(seq);
      },
      onDesync: options.onDesync,
      onFault: options.onFault,
      silenceMs: options.silenceMs,
    });
    const stream = this.#stream;
    const missing = new MissingOrders(deps, reporter, stream);
    const cancels = new Cancels(deps, reporter, held, missing);
    const resolver = new UnknownOrderResolver(deps, reporter, (orders) => cancels.cancel(orders, false));
    const conversions = new Conversions(deps, reporter);
    reporter.onUnwanted = (order) => cancels.cancel([order], false);
    this.reporter = reporter;
    this.#resolver = resolver;
    this.#cancels = cancels;
    this.#reduces = new Reduces(deps, reporter, held, missing);
    this.#places = new Places(deps, { reporter, held, missing, cancels, resolver, stream });
    this.#conversions = conversions;
    const parts = { reporter, cancels, conversions, resolver, stream };
    this.#comparison = new AccountComparison(deps, parts);
    this.#reconciler = new Reconciler(deps, parts, this.#comparison);
  }

  /** Number of own orders whose end was not reported. */
  get openOrders(): number {
    return this.#deps.orders.size;
  }

  /** Processes missed events and reconciles the account. @throws Fault as `Reconciler.start` */
  async start(policy: StartPolicy): Promise<Started> {
    const journal = this.#deps.records.unsettled();
    for (const record of journal) this.#deps.orders.restore(record, this.#restored(record));
    await this.#stream.start();
    return this.#reconciler.start(
      policy,
      journal.map(({ hash }) => hash),
    );
  }

  send(commands: readonly OrderCommand[]): void {
    for (const { first, run } of commandRuns(commands)) this.#execute(first, run);
  }

  /** Requests the own stream again from its position. */
  catchUp(): void {
    this.#stream.catchUp();
  }

  /** Sends waiting repeats of cancels at once, after a reconnect. */
  onConnected(): void {
    this.#cancels.onConnected();
  }

  /** Compares the account with the venue once. @throws Fault as `AccountComparison.compare` */
  compare(): Promise<Compared | undefined> {
    return this.#comparison.compare();
  }

  /** Whether nothing is in flight and no outcome is unknown. */
  get isQuiet(): boolean {
    return this.#cancels.isQuiet && this.#resolver.size === 0 && this.#conversions.waiting === 0;
  }

  /**
   * Waits until no own order is open, or the venue is closed, then reads the venue. Orders that the venue does not know
   * are not open.
   * @returns number of own orders that are open at the venue, in flight, or have an unknown end
   * @throws Fault as `read`; LINK if the venue was closed
   */
  async verifyNoneOpen(timeoutMs: number): Promise<number> {
    const { clock, timers } = this.#deps;
    const end = clock.now() + timeoutMs;
    const left = (): readonly VenueOrder[] => this.#deps.orders.open().filter(({ isMissing }) => !isMissing);
    const isDone = (): boolean => timers.isClosed || (left().length === 0 && this.isQuiet);
    while (clock.now() < end && !isDone()) await timers.pause(PAUSE_MS);
    const open = await this.#comparison.openOrders();
    const hashes = open.map(({ orderHash }) => orderHash.toLowerCase());
    const atVenue = hashes.filter((hash) => this.#deps.records.find(hash) !== undefined);
    const unknown = left().filter(({ hash }) => !atVenue.includes(hash)).length;
    return atVenue.length + unknown;
  }

  end(): void {
    this.#stream.end();
  }

  /** @param run commands of the same kind, this one first */
  #execute(command: OrderCommand, run: readonly OrderCommand[]): void {
    switch (command.type) {
      case 'place':
        this.#places.send(run.filter((each) => each.type === 'place'));
        return;
      case 'cancel':
        this.#cancel(run.filter((each) => each.type === 'cancel'));
        return;
      case 'reduce':
        this.#reduce(command);
        return;
      case 'replace':
        this.#places.replace(command);
        return;
      case 'cancelAll':
        this.#cancels.cancelAll(command.everyone === true);
        return;
      default:
        this.#conversions.send(command);
    }
  }

  #cancel(commands: readonly CancelOrder[]): void {
    const orders: VenueOrder[] = [];
    for (const command of commands) {
      const order = this.#deps.orders.byNumber(command.order);
      if (order === undefined) this.#refuseAsFinal(command);
      else orders.push(order);
    }
    this.#cancels.cancel(orders, true);
  }

  #reduce(command: ReduceOrder): void {
    const order = this.#deps.orders.byNumber(command.order);
    if (order === undefined) this.#refuseAsFinal(command);
    else this.#reduces.send(order, command.by);
  }

  /** Refuses a command for an order whose end was reported. */
  #refuseAsFinal(command: Pick<CancelOrder, 'order' | 'market'>): void {
    this.#deps.timers.soon(() => this.reporter.reportCancelRefused(command, 'ALREADY_FINAL'));
  }
}
