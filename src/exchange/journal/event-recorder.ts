/** Converts the calls of a sink to objects. HOT: called for every event of a venue (bench/journal.ts). */
import {
  type CloseReason,
  type EpochMs,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type OrderNo,
  type PriceBps,
  unchecked,
} from '../../domain/index.ts';
import type { Projector } from '../archive/projector.ts';
import type { ExchangeCommand } from '../command.ts';
import { MATCH_TYPES } from '../matching/codes.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { ExchangeSink, RareEvent } from '../sink.ts';

/** A call of `ExchangeSink` as an object. */
export type ExchangeEvent =
  | {
      readonly type: 'accepted';
      readonly seq: number;
      readonly order: OrderNo;
      readonly account: number;
      readonly terms: OrderTerms;
    }
  | {
      readonly type: 'traded';
      readonly seq: number;
      readonly market: MarketNo;
      readonly maker: OrderNo;
      readonly taker: OrderNo;
      readonly yesPrice: PriceBps;
      readonly shares: MicroShares;
      readonly match: (typeof MATCH_TYPES)[number];
      readonly fee: MicroUsd;
    }
  | { readonly type: 'reduced'; readonly seq: number; readonly order: OrderNo; readonly remaining: MicroShares }
  | {
      readonly type: 'closed';
      readonly seq: number;
      readonly order: OrderNo;
      readonly unfilled: MicroShares;
      readonly reason: CloseReason;
    }
  | { readonly type: 'rareEvent'; readonly seq: number; readonly event: RareEvent }
  | { readonly type: 'refused'; readonly entry: number; readonly refusal: Refusal }
  | { readonly type: 'duplicate'; readonly entry: number; readonly order: OrderNo };

export interface AppliedCommand {
  readonly command: ExchangeCommand;
  /** Events in order, including refusals and duplicates. */
  readonly events: ExchangeEvent[];
  /** Whether the command or one of its entries was refused. */
  isRefused: boolean;
  /** Whether the command changed the state, and so has an event with a `seq`. */
  hasChanged: boolean;
  /** Time of the exchange after the command. */
  at: EpochMs;
}

/** The sink of a durable exchange. The projector gets each event first, so a reader of the event finds its rows. */
export class EventRecorder implements ExchangeSink {
  readonly #projector: Projector | undefined;
  #events: ExchangeEvent[] = [];
  #applied: Pick<AppliedCommand, 'isRefused'> = { isRefused: false };

  constructor(projector?: Projector) {
    this.#projector = projector;
  }

  /** Begins a command, whose events are the following calls. */
  begin(applied: AppliedCommand): void {
    this.#events = applied.events;
    this.#applied = applied;
    this.#projector?.begin(applied.command);
  }

  end(): void {
    this.#projector?.end();
  }

  /** Returns all events since the last call, for programs without a journal. */
  drain(): readonly ExchangeEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    this.#projector?.accepted(seq, order, account, terms);
    this.#events.push({ type: 'accepted', seq, order: unchecked.order(order), account, terms });
  }

  traded(
    seq: number,
    market: number,
    maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    match: number,
    fee: number,
  ): void {
    this.#projector?.traded(seq, market, maker, taker, yesPrice, shares, match, fee);
    this.#events.push({
      type: 'traded',
      seq,
      market: unchecked.market(market),
      maker: unchecked.order(maker),
      taker: unchecked.order(taker),
      yesPrice: unchecked.price(yesPrice),
      shares: unchecked.shares(shares),
      match: MATCH_TYPES[match] ?? 'NORMAL',
      fee: unchecked.usd(fee),
    });
  }

  reduced(seq: number, order: number, remaining: number): void {
    this.#projector?.reduced(seq, order, remaining);
    this.#events.push({ type: 'reduced', seq, order: unchecked.order(order), remaining: unchecked.shares(remaining) });
  }

  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void {
    this.#projector?.closed(seq, order, unfilled, reason);
    const shares = unchecked.shares(unfilled);
    this.#events.push({ type: 'closed', seq, order: unchecked.order(order), unfilled: shares, reason });
  }

  rareEvent(seq: number, event: RareEvent): void {
    this.#projector?.rareEvent(seq, event);
    this.#events.push({ type: 'rareEvent', seq, event });
  }

  refused(entry: number, refusal: Refusal): void {
    this.#applied.isRefused = true;
    this.#events.push({ type: 'refused', entry, refusal });
  }

  duplicate(entry: number, order: number): void {
    this.#events.push({ type: 'duplicate', entry, order: unchecked.order(order) });
  }
}
