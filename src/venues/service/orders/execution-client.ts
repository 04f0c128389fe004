/**
 * Sends the core's commands to the venue and reports their outcomes.
 *
 * Commands keep their order. Consecutive commands of one kind share a request. Nothing is reported to the core before
 * `send` returns.
 */
import type { CancelOrder, OrderCommand, ReduceOrder } from '../../../domain/index.ts';
import { commandRuns, ExecutionReporter, type StartResult, type VenueOrder } from '../../base/index.ts';
import { recoverGap } from '../own-stream/gap-recovery.ts';
import { OwnStream } from '../own-stream/own-stream.ts';
import { AccountComparison } from '../reconcile/account-comparison.ts';
import { Reconciler, type ServiceStartPolicy } from '../reconcile/reconciler.ts';
import { Cancels } from './cancels.ts';
import { Conversions } from './conversions.ts';
import type { ClientDeps, ExecutionDeps } from './execution-deps.ts';
import { HeldRefusals } from './held-refusals.ts';
import { MissingOrders } from './missing-orders.ts';
import { OrderSender } from './order-sender.ts';
import { Reduces } from './reduces.ts';
import { UnknownOrderResolver } from './unknown-order-resolver.ts';

export interface ExecutionClientOptions {
  /** Silence after which the own stream's socket is treated as frozen, ms. */
  readonly silenceMs: number;
  /** Called when own events may be missing. */
  readonly onDesync: (problem: string) => void;
  /** Receives an error that cannot be handled here. */
  readonly onFault: (error: unknown) => void;
}

export class ExecutionClient {
  readonly reporter: ExecutionReporter;
  readonly cancels: Cancels;
  readonly stream: OwnStream;
  readonly comparison: AccountComparison;
  readonly #deps: ExecutionDeps;
  readonly #resolver: UnknownOrderResolver;
  readonly #reduces: Reduces;
  readonly #sender: OrderSender;
  readonly #conversions: Conversions;
  readonly #reconciler: Reconciler;

  constructor(clientDeps: ClientDeps, options: ExecutionClientOptions) {
    const reporter = new ExecutionReporter(clientDeps);
    const deps: ExecutionDeps = { ...clientDeps, reporter };
    const held = new HeldRefusals(deps.timers, () => this.stream.catchUp());
    const recover = (from: number, to: number): Promise<void> => recoverGap(deps, from, to);
    const stream = new OwnStream(deps, { ...options, held, recover });
    const missing = new MissingOrders({ ...deps, stream });
    const cancels = new Cancels({ ...deps, held, missing });
    const resolver = new UnknownOrderResolver({ ...deps, cancels });
    const conversions = new Conversions(deps);
    const parts = { ...deps, held, missing, cancels, resolver, conversions, stream };
    reporter.onUnwanted = (order) => cancels.cancel([order], false);
    this.reporter = reporter;
    this.#deps = deps;
    this.stream = stream;
    this.#resolver = resolver;
    this.cancels = cancels;
    this.#reduces = new Reduces(parts);
    this.#sender = new OrderSender(parts);
    this.#conversions = conversions;
    this.comparison = new AccountComparison(parts);
    this.#reconciler = new Reconciler(parts, this.comparison);
  }

  /** Processes missed events and reconciles the account. @throws Fault as `Reconciler.start` */
  async start(policy: ServiceStartPolicy): Promise<StartResult> {
    await this.stream.start();
    return this.#reconciler.start(policy);
  }

  send(commands: readonly OrderCommand[]): void {
    for (const { first, run } of commandRuns(commands)) this.#execute(first, run);
  }

  /** Whether nothing is in flight and no outcome is unknown. */
  get isQuiet(): boolean {
    return this.cancels.isQuiet && this.#resolver.size === 0 && this.#conversions.pendingCount === 0;
  }

  async openHashes(): Promise<readonly string[]> {
    return (await this.comparison.openOrders()).map(({ orderHash }) => orderHash.toLowerCase());
  }

  /** @param run commands of the same kind, starting with `command` */
  #execute(command: OrderCommand, run: readonly OrderCommand[]): void {
    switch (command.type) {
      case 'place':
        this.#sender.send(run.filter((each) => each.type === 'place'));
        return;
      case 'cancel':
        this.#cancel(run.filter((each) => each.type === 'cancel'));
        return;
      case 'reduce':
        this.#reduce(command);
        return;
      case 'replace':
        this.#sender.replace(command);
        return;
      case 'cancelAll':
        this.cancels.cancelAll(command.everyone === true);
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
    this.cancels.cancel(orders, true);
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
