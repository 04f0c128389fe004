/** The private half of a remote venue: own orders, from the command to the fact. */
import type { OrderCommand } from '../../../domain/index.ts';
import type { SignedRecord } from '../../../runtime/index.ts';
import type { AccountState } from '../../../state/index.ts';
import { recoverGap } from '../own-stream/gap-recovery.ts';
import { OwnStream } from '../own-stream/own-stream.ts';
import { AccountComparison } from '../reconcile/account-comparison.ts';
import { Reconciler, type Started, type StartPolicy } from '../reconcile/reconciler.ts';
import type { Compared } from '../reconcile/recovery-recorder.ts';
import { Cancels } from './cancels.ts';
import { Conversions } from './conversions.ts';
import { Facts } from './facts.ts';
import { HeldRefusals } from './held-refusals.ts';
import { MissingOrders } from './missing-orders.ts';
import type { OrdersOf } from './orders-of.ts';
import { checkFill, checkPlace } from './own-event.ts';
import { Reduces } from './reduces.ts';
import { Sender } from './sender.ts';
import { type SentOrder, SentOrders } from './sent-orders.ts';
import { Settlement } from './settlement.ts';
import { Sweep } from './sweep.ts';

export interface OrderDeskOptions {
  /** After so long without a word on the own stream its socket counts as frozen, ms. */
  readonly silenceMs: number;
  /** The core's world, with what it knows of its own orders. */
  readonly state: Pick<AccountState, 'market'>;
  /** Own events may be missing from now on. */
  readonly lost: (problem: string) => void;
  /** What nothing here can mend. */
  readonly fault: (error: unknown) => void;
}

/** Own orders that may still stand. */
export interface StillOpen {
  /** Hashes of orders of ours that the venue has open. */
  readonly atVenue: readonly string[];
  /** How many others nobody knows the end of: also those on their way, which may stand yet. */
  readonly unknown: number;
}

const PAUSE_MS = 25;

export class OrderDesk {
  readonly #of: OrdersOf;
  readonly #state: OrderDeskOptions['state'];
  readonly #sent = new SentOrders();
  readonly #settlement: Settlement;
  readonly #cancels: Cancels;
  readonly #conversions: Conversions;
  readonly #sweep: Sweep;
  readonly #stream: OwnStream;
  readonly #sender: Sender;
  readonly #reconciler: Reconciler;
  readonly #comparison: AccountComparison;

  constructor(of: OrdersOf, options: OrderDeskOptions) {
    const sent = this.#sent;
    this.#of = of;
    this.#state = options.state;
    const facts = new Facts(of, sent);
    const held = new HeldRefusals(of.timers, () => this.#stream.catchUp());
    this.#stream = new OwnStream(of, {
      check: (event) => {
        if (event.kind !== 'FILLED' || facts.trades.has(event.fill.tradeId)) return;
        checkPlace(event);
        const order = sent.find(event.hash);
        if (order === undefined) return;
        const { record, filled } = order;
        checkFill(event, record.command, facts.markets.idOf(record.market), filled);
      },
      event: (event) => {
        facts.event(event);
        held.moved();
      },
      recover: (from, to) => recoverGap(of, sent, facts, from, to),
      wentBack: (to) => facts.wentBack(to),
      repeated: ({ fill, remaining }) => facts.lateFill(fill, undefined, remaining),
      caughtUp: (seq) => {
        facts.trades.began(seq);
        of.own.caughtUp(seq);
      },
      lost: options.lost,
      fault: options.fault,
      silenceMs: options.silenceMs,
    });
    const missing = new MissingOrders(of, sent, facts, this.#stream);
    const cancels = new Cancels(of, facts, held, missing);
    const settlement = new Settlement(of, facts, (orders) => cancels.want(orders, false));
    const conversions = new Conversions(of, facts);
    const sweep = new Sweep(of, sent, cancels);
    facts.onUnwanted = (order) => cancels.want([order], false);
    this.#cancels = cancels;
    this.#settlement = settlement;
    this.#conversions = conversions;
    this.#sweep = sweep;
    const reduces = new Reduces(of, facts, held, missing);
    const seen = (): number => this.#stream.seq;
    this.#sender = new Sender(of, {
      sent,
      facts,
      cancels,
      reduces,
      conversions,
      settlement,
      held,
      missing,
      sweep,
      seen,
    });
    const parts = { sent, facts, cancels, conversions, settlement, stream: this.#stream };
    this.#comparison = new AccountComparison(of, parts);
    this.#reconciler = new Reconciler(of, parts, this.#comparison);
  }

  /** Own orders that were sent and not told the end of. */
  get openOrders(): number {
    return this.#sent.size;
  }

  /** Position in the venue's own stream up to which all has been told. */
  get seq(): number {
    return this.#stream.seq;
  }

  /** What was missed is told, what differs is reconciled. @throws Fault as `Reconciler.start` */
  async start(policy: StartPolicy): Promise<Started> {
    const journal = this.#of.records.unsettled();
    for (const record of journal) this.#remember(record);
    await this.#stream.start();
    return this.#reconciler.start(
      policy,
      journal.map(({ hash }) => hash),
    );
  }

  send(commands: readonly OrderCommand[]): void {
    this.#sender.send(commands);
  }

  /** Asks for the own stream anew from where it stands. */
  catchUp(): void {
    this.#stream.catchUp();
  }

  /** The venue is heard again. */
  connected(): void {
    this.#cancels.connected();
  }

  /** Compares the account with the venue once. @throws Fault as `AccountComparison.compare` */
  compare(): Promise<Compared | undefined> {
    return this.#comparison.compare();
  }

  /** Nothing is on its way and no end is unknown. */
  get isQuiet(): boolean {
    const { waiting } = this.#cancels;
    return waiting === 0 && this.#settlement.size === 0 && this.#conversions.waiting === 0 && !this.#sweep.isWaiting;
  }

  /**
   * Waits until no own order is open or the venue was left, then asks the venue. Orders that the venue does not know are not open.
   * @throws Fault as `ask`; LINK when it was left
   */
  async verifyNoneOpen(timeoutMs: number): Promise<StillOpen> {
    const { clock, timers } = this.#of;
    const end = clock.now() + timeoutMs;
    const left = (): readonly SentOrder[] => this.#sent.list().filter(({ isMissing }) => !isMissing);
    const isDone = (): boolean => timers.isClosed || (left().length === 0 && this.isQuiet);
    while (clock.now() < end && !isDone()) await timers.pause(PAUSE_MS);
    const open = await this.#comparison.openOrders();
    const hashes = open.map(({ orderHash }) => orderHash.toLowerCase());
    const atVenue = hashes.filter((hash) => this.#of.records.find(hash) !== undefined);
    const unknown = left().filter(({ hash }) => !atVenue.includes(hash)).length;
    return { atVenue, unknown };
  }

  end(): void {
    this.#stream.end();
  }

  /** An order of an earlier run, as far as the core has been told of it. */
  #remember(record: SignedRecord): void {
    const order = this.#sent.add(record);
    const known = this.#state.market(record.market).orders.find((each) => each.order === record.order);
    if (known === undefined) {
      order.revenant = true;
      order.unwanted = true;
      return;
    }
    // Also one whose cancel was under way: a venue that does not know it any more contradicts itself.
    order.accepted = known.known;
    order.remaining = known.remaining;
    order.filled = record.command.shares - known.remaining;
  }
}
