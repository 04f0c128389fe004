/**
 * A venue that is nowhere, made of the parts that trade at a real one: the bytes of a frame become rows, commands become signed,
 * kept and written orders, which are then dropped, and the account's stream tells what became of them.
 *
 * Nothing of it gets to anybody: it has no timer, the key it signs with was drawn for it and is nobody's, and its requests go to this
 * process itself or nowhere.
 */
import type { Clock } from '../../../clock/index.ts';
import { formatTime, MOST_FEE_BPS, type OrderCommand, type PlaceOrder } from '../../../domain/index.ts';
import type { OrderRecords, Venue, VenueSession, VenueSink } from '../../../runtime/index.ts';
import type { SignedMessages, Signer, SigningKey } from '../../../signing/index.ts';
import type { AccountView, MarketSetup } from '../../../state/index.ts';
import { type LineHost, MarketLine } from '../market-data/market-line.ts';
import { OwnBook } from '../market-data/own-book.ts';
import { RowWriter } from '../market-data/row-writer.ts';
import { Cancels } from '../orders/cancels.ts';
import { Conversions } from '../orders/conversions.ts';
import { Facts } from '../orders/facts.ts';
import { HeldRefusals } from '../orders/held-refusals.ts';
import { MissingOrders } from '../orders/missing-orders.ts';
import { OrderSigner, saltSecret } from '../orders/order-signer.ts';
import type { OrdersOf } from '../orders/orders-of.ts';
import { Reduces } from '../orders/reduces.ts';
import { Sender } from '../orders/sender.ts';
import { SentOrders } from '../orders/sent-orders.ts';
import { Settlement } from '../orders/settlement.ts';
import { Sweep } from '../orders/sweep.ts';
import { Timers } from '../orders/timers.ts';
import type { OperationTexts } from '../transport/index.ts';
import type { Loopback } from './loopback.ts';
import { RehearsalBook } from './rehearsal-book.ts';
import { rehearsalTransport } from './rehearsal-transport.ts';

export interface RehearsalVenueOptions {
  /** Its timers must never come. */
  readonly clock: Clock;
  readonly market: MarketSetup;
  readonly signer: Signer;
  readonly messages: SignedMessages;
  /** Nobody's. */
  readonly key: SigningKey;
  readonly operations: OperationTexts;
  readonly records: OrderRecords;
  /** The core's world. */
  readonly view: AccountView;
  /** Takes its requests; without it they are dropped. */
  readonly loopback: Loopback | undefined;
}

const MOST = 20;

export class RehearsalVenue implements Venue {
  readonly #clock: Clock;
  readonly #book: RehearsalBook;
  readonly #line: MarketLine;
  readonly #sent = new SentOrders();
  readonly #facts: Facts;
  readonly #sender: Sender;
  #sink: VenueSink | undefined;
  #seq = 0;
  /** Orders that the venue has not told of. */
  #placed: PlaceOrder[] = [];

  constructor({ clock, market, signer, messages, key, operations, records, view, loopback }: RehearsalVenueOptions) {
    this.#clock = clock;
    const host: LineHost = {
      rows: new RowWriter((block, from, to) => this.#sink?.rows(block, from, to)),
      now: () => clock.now(),
      heard: (_at, now) => now,
      resync(_line, problem) {
        throw new Error(`Invariant: the book of a rehearsal: ${problem}`);
      },
      isNews: () => true,
      isOwn: () => false,
      waiting: () => {},
    };
    const selected = { setup: market, category: undefined, topics: [], eventId: undefined, volumeCents: 0 };
    this.#line = new MarketLine(selected, host);
    this.#book = new RehearsalBook(market.info);
    const transport = rehearsalTransport(clock, operations, loopback);
    const of: OrdersOf = {
      transport,
      records,
      view,
      clock,
      log: transport.log,
      timers: new Timers(clock),
      settleMs: 0,
      own: new OwnBook({ line: () => this.#line, guard: (run) => run(), changed: () => {} }),
      signer: new OrderSigner({
        signer,
        key,
        orders: messages.order,
        maker: key.address,
        saltSecret: saltSecret(signer, key),
        maxFeeBps: MOST_FEE_BPS,
      }),
      terms: () => ({ mostPlaces: MOST, mostCancels: MOST, maxClockSkewMs: 0 }),
      tell: (event, position) => this.#sink?.event(event, position),
      passed: (position) => records.reached(position),
      trouble: () => {},
    };
    const sent = this.#sent;
    const facts = new Facts(of, sent);
    const held = new HeldRefusals(of.timers, () => {});
    const missing = new MissingOrders(of, sent, facts, { seq: 0, catchUp: () => {} });
    const cancels = new Cancels(of, facts, held, missing);
    this.#facts = facts;
    this.#sender = new Sender(of, {
      sent,
      facts,
      cancels,
      held,
      missing,
      reduces: new Reduces(of, facts, held, missing),
      conversions: new Conversions(of, facts),
      settlement: new Settlement(of, facts, () => {}),
      sweep: new Sweep(of, sent, cancels),
      seen: () => this.#seq,
    });
  }

  async connect(sink: VenueSink): Promise<VenueSession> {
    this.#sink = sink;
    this.#take(this.#book.snapshot(formatTime(this.#clock.now()), this.#next()));
    return {
      send: (commands) => this.#send(commands),
      close: async () => {
        this.#sink = undefined;
      },
    };
  }

  /** One frame of the book, and then what became of the orders that it led to. @returns how many those were */
  pass(): number {
    this.#take(this.#book.move(formatTime(this.#clock.now()), this.#next()));
    const placed = this.#placed;
    this.#placed = [];
    for (const { order, shares } of placed) {
      const sent = this.#sent.numbered(order);
      if (sent === undefined) throw new Error(`Invariant: order ${order} of a rehearsal was not sent`);
      const at = this.#clock.now();
      this.#facts.event({ kind: 'ACCEPTED', seq: this.#next(), at, hash: sent.hash, remaining: shares });
    }
    return placed.length;
  }

  #take(frame: Buffer): void {
    this.#line.book(JSON.parse(frame.toString()).payload.data.orderBookUpdated);
  }

  #send(commands: readonly OrderCommand[]): void {
    this.#sender.send(commands);
    for (const command of commands) {
      if (command.type === 'place') this.#placed.push(command);
      else if (command.type === 'replace') this.#placed.push(...command.places);
    }
  }

  #next(): number {
    this.#seq += 1;
    return this.#seq;
  }
}
