/** The private half of a remote venue: own orders, from the command to the fact. */
import type { OrderCommand } from '../../../domain/index.ts';
import type { SignedRecord } from '../../../runtime/index.ts';
import { recoverGap } from '../own-stream/gap-recovery.ts';
import { OwnStream } from '../own-stream/own-stream.ts';
import { Reconciler, type StartPolicy } from '../reconcile/reconciler.ts';
import { Cancels } from './cancels.ts';
import { Conversions } from './conversions.ts';
import { Facts } from './facts.ts';
import { HeldRefusals } from './held-refusals.ts';
import type { OrdersOf } from './orders-of.ts';
import { Reduces } from './reduces.ts';
import { Sender } from './sender.ts';
import { SentOrders } from './sent-orders.ts';
import { Settlement } from './settlement.ts';
import { Sweep } from './sweep.ts';

export interface OrderDeskOptions {
  /** After so long without a word on the own stream its socket counts as frozen, ms. */
  readonly silenceMs: number;
  /** Between two comparisons with the venue, ms; 0 for never. */
  readonly auditMs: number;
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
  readonly #options: OrderDeskOptions;
  readonly #sent = new SentOrders();
  readonly #settlement: Settlement;
  readonly #cancels: Cancels;
  readonly #conversions: Conversions;
  readonly #sweep: Sweep;
  readonly #stream: OwnStream;
  readonly #sender: Sender;
  readonly #reconciler: Reconciler;
  #isAuditing = false;

  constructor(of: OrdersOf, options: OrderDeskOptions) {
    const sent = this.#sent;
    this.#of = of;
    this.#options = options;
    const facts = new Facts(of, sent);
    const held = new HeldRefusals(of.timers, () => this.#stream.catchUp());
    this.#stream = new OwnStream(of, {
      event: (event) => {
        facts.event(event);
        held.moved();
      },
      recover: (from, to) => recoverGap(of, sent, facts, from, to),
      caughtUp: (seq) => of.own.caughtUp(seq),
      fault: options.fault,
      silenceMs: options.silenceMs,
    });
    const cancels = new Cancels(of, facts, held);
    const settlement = new Settlement(of, facts, (orders) => cancels.want(orders, false));
    const conversions = new Conversions(of, facts);
    const sweep = new Sweep(of, sent, cancels);
    facts.onUnwanted = (order) => cancels.want([order], false);
    this.#cancels = cancels;
    this.#settlement = settlement;
    this.#conversions = conversions;
    this.#sweep = sweep;
    const reduces = new Reduces(of, facts, held);
    const seen = (): number => this.#stream.seq;
    this.#sender = new Sender(of, { sent, facts, cancels, reduces, conversions, settlement, held, sweep, seen });
    this.#reconciler = new Reconciler(of, { sent, facts, cancels, conversions, settlement, stream: this.#stream });
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
  async start(policy: StartPolicy): Promise<void> {
    for (const record of this.#of.records.unsettled()) this.#remember(record);
    await this.#stream.start();
    await this.#reconciler.start(policy);
    this.#armAudit();
  }

  send(commands: readonly OrderCommand[]): void {
    this.#sender.send(commands);
  }

  /** Asks for the own stream anew from where it stands. */
  catchUp(): void {
    this.#stream.catchUp();
  }

  /** Compares with the venue once. @throws Fault as `ask` */
  async audit(): Promise<void> {
    if (this.#isAuditing) return;
    this.#isAuditing = true;
    try {
      await this.#reconciler.audit();
    } finally {
      this.#isAuditing = false;
    }
  }

  /** Nothing is on its way and no end is unknown. */
  get isQuiet(): boolean {
    const { waiting } = this.#cancels;
    return waiting === 0 && this.#settlement.size === 0 && this.#conversions.waiting === 0 && !this.#sweep.isWaiting;
  }

  /** Waits until no own order is open or the venue was left, then asks the venue. @throws Fault as `ask`; LINK when it was left */
  async verifyNoneOpen(timeoutMs: number): Promise<StillOpen> {
    const { clock, timers } = this.#of;
    const end = clock.now() + timeoutMs;
    const isDone = (): boolean => timers.isClosed || (this.#sent.size === 0 && this.isQuiet);
    while (clock.now() < end && !isDone()) await timers.pause(PAUSE_MS);
    const open = await this.#reconciler.openOrders();
    const hashes = open.map(({ orderHash }) => orderHash.toLowerCase());
    const atVenue = hashes.filter((hash) => this.#of.records.find(hash) !== undefined);
    const unknown = this.#sent.list().filter(({ hash }) => !atVenue.includes(hash)).length;
    return { atVenue, unknown };
  }

  end(): void {
    this.#stream.end();
  }

  /** An order of an earlier run, as far as the core has been told of it. */
  #remember(record: SignedRecord): void {
    const order = this.#sent.add(record);
    const known = this.#of.view.market(record.market).orders.find((each) => each.order === record.order);
    if (known === undefined) {
      order.revenant = true;
      order.unwanted = true;
      return;
    }
    order.accepted = known.phase === 'live' || known.phase === 'reducing';
    order.remaining = known.remaining;
    order.filled = record.command.shares - known.remaining;
  }

  #armAudit(): void {
    const { auditMs } = this.#options;
    if (auditMs === 0) return;
    this.#of.timers.after(auditMs, () => {
      void this.audit()
        .catch((error: unknown) =>
          this.#of.log.warn({ err: error }, 'the account could not be compared with the venue'),
        )
        .then(() => this.#armAudit());
    });
  }
}
