/**
 * Cancels are wanted until the venue has answered them: what is lost, limited or refused for the moment is repeated, as a cancel
 * that comes twice does no harm. Each repeat waits longer than the one before; a cancel that does not get through is reported as
 * stuck and goes on slowly, as the order stands as long as it is not cancelled.
 *
 * A cancelled order is reported as ended when the user channel says so, after its fills; where that is late, the account is read.
 */
import { lotsOf } from '../../domain/index.ts';
import { tryRead } from '../../network/index.ts';
import { readPolymarketCancelAnswer } from '../../protocol/polymarket/index.ts';
import { Backoff, type ExecutionReporter, type VenueOrder } from '../base/index.ts';
import { noteRefusal, type PolymarketDeps } from './deps.ts';
import type { OwnFacts } from './own-facts.ts';
import type { RestOutcome } from './rest-client.ts';
import type { Sweeps } from './sweep.ts';

/** The user channel shows the end of a cancelled order within this time, or it is read. ms */
const SHOWN_MS = 1_500;
/** Ids that one request may name, whatever the rate limit. */
const MAX_IDS = 1_000;

export class Cancels {
  readonly #deps: PolymarketDeps;
  readonly #reporter: ExecutionReporter;
  readonly #facts: OwnFacts;
  readonly #sweeps: Sweeps;
  /** Ids in one request. */
  readonly #most: number;
  readonly #wanted = new Set<VenueOrder>();
  readonly #backoff = new Backoff();
  #cancelRepeat: (() => void) | undefined;
  /** Orders of everybody on the account are to go. */
  #isAllWanted = false;

  constructor(deps: PolymarketDeps, reporter: ExecutionReporter, facts: OwnFacts, sweeps: Sweeps) {
    this.#deps = deps;
    this.#reporter = reporter;
    this.#facts = facts;
    this.#sweeps = sweeps;
    this.#most = Math.min(MAX_IDS, deps.mostCancels);
  }

  /** Orders that are to go and have not gone. */
  get waiting(): number {
    for (const order of this.#wanted) if (order.life.hasEnded) this.#wanted.delete(order);
    return this.#wanted.size + Number(this.#isAllWanted);
  }

  /** @param isRequested whether the core requested it and learns when it cannot be done */
  want(orders: readonly VenueOrder[], isRequested: boolean): void {
    const fresh: VenueOrder[] = [];
    for (const order of orders) {
      if (order.life.hasEnded) continue;
      order.cancelIfSeen();
      if (order.cancel === undefined) fresh.push(order);
      order.cancel ??= { isRequested, inFlight: false, sendings: 0 };
      order.cancel.isRequested ||= isRequested;
      this.#deps.orders.markLeaving(order);
      this.#wanted.add(order);
    }
    this.#send(fresh.toSorted((one, other) => exposureOf(other) - exposureOf(one)));
  }

  /** @param everyone also what others of the account placed */
  all(everyone: boolean): void {
    this.want(this.#deps.orders.open(), false);
    if (!everyone || this.#isAllWanted) return;
    this.#isAllWanted = true;
    void this.#cancelAccount();
  }

  /** The connection is back: what waits to be repeated goes out at once. */
  connected(): void {
    if (this.#cancelRepeat === undefined) return;
    this.#backoff.reset();
    this.#repeat();
  }

  /** No more at once than the rate limit lets through: a larger batch would be refused whole. */
  #send(orders: readonly VenueOrder[]): void {
    for (let at = 0; at < orders.length; at += this.#most) void this.#sendBatch(orders.slice(at, at + this.#most));
  }

  async #sendBatch(batch: readonly VenueOrder[]): Promise<void> {
    const { rest, timers } = this.#deps;
    for (const { cancel } of batch) {
      if (cancel === undefined) continue;
      cancel.inFlight = true;
      cancel.sendings += 1;
    }
    const [only] = batch;
    const outcome = await rest.askPrivate(
      batch.length === 1 && only !== undefined
        ? { method: 'DELETE', path: '/order', body: JSON.stringify({ orderID: only.hash }) }
        : { method: 'DELETE', path: '/orders', body: JSON.stringify(batch.map(({ hash }) => hash)) },
    );
    if (!timers.isClosed) this.#answered(batch, outcome);
  }

  #answered(batch: readonly VenueOrder[], outcome: RestOutcome): void {
    for (const { cancel } of batch) if (cancel !== undefined) cancel.inFlight = false;
    const answer = outcome.type === 'done' ? tryRead(readPolymarketCancelAnswer, outcome.json) : undefined;
    if (answer === undefined) {
      if (outcome.type === 'refused') noteRefusal(this.#deps, outcome.error, 'cancel');
      const problem = problemOf(outcome);
      this.#again(problem, outcome.type === 'refused' ? (outcome.error.retryAfterMs ?? 0) : 0);
      return;
    }
    this.#backoff.reset();
    const late = batch.filter((order) => {
      if (order.life.hasEnded) return false;
      if (answer.canceled.includes(order.hash)) return true;
      if (answer.notCanceled.has(order.hash)) void this.#notCanceled(order);
      else this.#again('an answer without its result', 0);
      return false;
    });
    if (late.length > 0) this.#readEndsSoon(late);
  }

  #readEndsSoon(orders: readonly VenueOrder[]): void {
    this.#deps.timers.after(SHOWN_MS, () => void this.#readEnds(orders));
  }

  /** Done at the venue, and not shown by the user channel: they end when their fills are known. */
  async #readEnds(orders: readonly VenueOrder[]): Promise<void> {
    const left = orders.filter(({ life }) => !life.hasEnded);
    if (left.length === 0) return;
    if (!(await this.#read())) {
      this.#readEndsSoon(left);
      return;
    }
    const at = this.#deps.clock.now();
    for (const order of left) this.#facts.ended(order, { matched: order.filled, reason: 'USER', at });
  }

  /** "Already canceled or matched", or not known: the lists say what it is. */
  async #notCanceled(order: VenueOrder): Promise<void> {
    await this.#read();
    if (order.life.hasEnded) return;
    // `Sweeps` ends what two of them do not find.
    await this.#deps.timers.pause(SHOWN_MS);
    if (order.life.hasEnded || this.#deps.timers.isClosed) return;
    await this.#read();
    if (order.life.hasEnded) return;
    const isRequested = order.cancel?.isRequested === true;
    if (order.life.isLive) this.#again('not cancelled', 0);
    else {
      // It was never seen: `UnknownOrders` settles it.
      this.#wanted.delete(order);
      order.cancel = undefined;
      if (isRequested) this.#reporter.cancelRefused(order.record, 'NOT_FOUND');
    }
  }

  /** @returns whether orders and trades were read */
  async #read(): Promise<boolean> {
    try {
      await this.#sweeps.run();
      return true;
    } catch (error) {
      if (!this.#deps.timers.isClosed)
        this.#deps.log.warn({ err: error }, 'polymarket: the account could not be read after a cancel');
      return false;
    }
  }

  /** Everything of the account, until its list of open orders is empty. */
  async #cancelAccount(): Promise<void> {
    const { rest, timers, log, mostCancels } = this.#deps;
    const backoff = new Backoff();
    while (!timers.isClosed) {
      try {
        const { orders } = await this.#sweeps.run();
        if (orders.length === 0) break;
        // Cancelling all costs one more than it cancels, and what costs more than the burst never passes.
        const request =
          orders.length < mostCancels
            ? ({ method: 'DELETE', path: '/cancel-all' } as const)
            : ({
                method: 'DELETE',
                path: '/orders',
                body: JSON.stringify(orders.slice(0, this.#most).map(({ id }) => id)),
              } as const);
        const outcome = await rest.askPrivate(request);
        if (outcome.type === 'refused') noteRefusal(this.#deps, outcome.error, 'cancel');
        if (outcome.type !== 'done')
          log.warn({ problem: problemOf(outcome) }, 'cancelling all orders of the account is tried again');
      } catch (error) {
        log.warn({ err: error }, 'cancelling all orders of the account is tried again');
      }
      await timers.pause(backoff.next());
    }
    this.#isAllWanted = false;
  }

  #again(problem: string, leastMs: number): void {
    if (this.#cancelRepeat !== undefined) return;
    const { timers, trouble } = this.#deps;
    const markets = [...new Set([...this.#wanted].map(({ record }) => record.market))];
    trouble({ type: 'repeated', command: 'cancel', problem });
    const wait = this.#backoff.next(leastMs);
    if (this.#backoff.isStuck) trouble({ type: 'stuck', command: 'cancel', problem, markets });
    this.#cancelRepeat = timers.after(wait, () => this.#repeat());
  }

  #repeat(): void {
    this.#cancelRepeat?.();
    this.#cancelRepeat = undefined;
    if (this.waiting === 0) return;
    this.#send([...this.#wanted].filter(({ life, cancel }) => !life.hasEnded && cancel?.inFlight === false));
  }
}

/** What can be lost by an order that stands, in micro-USD. */
function exposureOf({ record: { command }, life }: VenueOrder): number {
  return lotsOf(life.remaining) * command.price;
}

function problemOf(outcome: RestOutcome): string {
  if (outcome.type === 'done') return 'an answer that cannot be read';
  return outcome.type === 'refused' ? outcome.error.text : outcome.problem;
}
