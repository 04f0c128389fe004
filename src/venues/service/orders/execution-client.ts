/**
 * Sends the core's commands to the venue and reports their outcomes.
 *
 * Commands keep their order. Consecutive commands of one kind share a request. Nothing is reported to the core before
 * `send` returns.
 */
import type { CancelOrder, OrderCommand, ReduceOrder } from '../../../domain/index.ts';
import { ExecutionReporter, groupCommands, type StartResult, type VenueOrder } from '../../base/index.ts';
import { recoverGap } from '../own-stream/gap-recovery.ts';
import { OwnStream } from '../own-stream/own-stream.ts';
import { AccountComparison } from '../reconcile/account-comparison.ts';
import { Reconciler, type ServiceStartPolicy } from '../reconcile/reconciler.ts';
import { CancelSender } from './cancel-sender.ts';
import { ConversionSender } from './conversion-sender.ts';
import type { ClientDeps, ExecutionDeps } from './execution-deps.ts';
import { HeldRefusals } from './held-refusals.ts';
import { MissingOrders } from './missing-orders.ts';
import { OrderSender } from './order-sender.ts';
import { ReduceSender } from './reduce-sender.ts';
import { UnknownOrderResolver } from './unknown-order-resolver.ts';

export interface ExecutionClientOptions {
  /** Silence after which the own stream's socket is treated as frozen, ms. */
  readonly silenceMs: number;
  readonly onDesync: (problem: string) => void;
  readonly onFault: (error: unknown) => void;
}

export class ExecutionClient {
  readonly reporter: ExecutionReporter;
  readonly cancels: CancelSender;
  readonly stream: OwnStream;
  readonly comparison: AccountComparison;
  readonly #deps: ExecutionDeps;
  readonly #resolver: UnknownOrderResolver;
  readonly #reduces: ReduceSender;
  readonly #sender: OrderSender;
  readonly #conversions: ConversionSender;
  readonly #reconciler: Reconciler;

  constructor(clientDeps: ClientDeps, options: ExecutionClientOptions) {
    const reporter = new ExecutionReporter(clientDeps);
    const deps: ExecutionDeps = { ...clientDeps, reporter };
    const heldRefusals = new HeldRefusals(deps.timers, () => this.stream.catchUp());
    const recover = (from: number, to: number): Promise<void> => recoverGap(deps, from, to);
    const stream = new OwnStream(deps, { ...options, heldRefusals, recover });
    const missing = new MissingOrders({ ...deps, stream });
    const cancels = new CancelSender({ ...deps, heldRefusals, missing });
    const resolver = new UnknownOrderResolver({ ...deps, cancels });
    const conversions = new ConversionSender(deps);
    const sharedDeps = { ...deps, heldRefusals, missing, cancels, resolver, conversions, stream };
    reporter.onUnwanted = (order) => cancels.cancel([order], { isRequested: false });
    this.reporter = reporter;
    this.#deps = deps;
    this.stream = stream;
    this.#resolver = resolver;
    this.cancels = cancels;
    this.#reduces = new ReduceSender(sharedDeps);
    this.#sender = new OrderSender(sharedDeps);
    this.#conversions = conversions;
    this.comparison = new AccountComparison(sharedDeps);
    this.#reconciler = new Reconciler(sharedDeps, this.comparison);
  }

  /** Processes missed events and reconciles the account. @throws Fault as `Reconciler.start` */
  async start(policy: ServiceStartPolicy): Promise<StartResult> {
    await this.stream.start();
    return this.#reconciler.start(policy);
  }

  send(commands: readonly OrderCommand[]): void {
    for (const { first, group } of groupCommands(commands)) this.#execute(first, group);
  }

  /** Whether nothing is in flight and no outcome is unknown. */
  get isQuiet(): boolean {
    return this.cancels.isQuiet && this.#resolver.size === 0 && this.#conversions.pendingCount === 0;
  }

  async openHashes(): Promise<readonly string[]> {
    return (await this.comparison.openOrders()).map(({ orderHash }) => orderHash.toLowerCase());
  }

  /** @param group commands of the same kind, starting with `command` */
  #execute(command: OrderCommand, group: readonly OrderCommand[]): void {
    const { type } = command;
    if (type === 'place') this.#sender.send(group.filter((each) => each.type === 'place'));
    else if (type === 'replace') this.#sender.replace(command);
    else if (type === 'cancelAll') this.cancels.cancelAll(command);
    else if (type === 'cancel') {
      const cancels = group.filter((each) => each.type === 'cancel');
      const orders = cancels.flatMap((each) => this.#find(each) ?? []);
      this.cancels.cancel(orders, { isRequested: true });
    } else if (type === 'reduce') {
      const order = this.#find(command);
      if (order !== undefined) this.#reduces.send(order, command.by);
    } else this.#conversions.send(command);
  }

  /** Returns the order of a command. Refuses the command if the order's end was reported. */
  #find(command: CancelOrder | ReduceOrder): VenueOrder | undefined {
    const order = this.#deps.orders.byNumber(command.order);
    if (order === undefined) this.#deps.timers.defer(() => this.reporter.reportCancelRefused(command, 'ALREADY_FINAL'));
    return order;
  }
}
