/**
 * What the exchange tells of our account, as answers to the bot, entries of the ledger and facts for the tap.
 *
 * Invariants: the ledger is told of fills in the order of exchange time and holds what the exchange's account holds; the
 * outside is nobody's order (0), so a trade has one side of ours; a set that replaces is told first and as one.
 *
 * HOT: every event of ours passes here. Measured in bench/replay.ts.
 */
import {
  type CloseReason,
  column,
  complement,
  type DoubleMid,
  type FillTag,
  type MicroShares,
  type MicroUsd,
  type PlaceOrder,
  type PriceBps,
  type ReplaceOrders,
  yesSign,
  ZERO_USD,
} from '../../domain/index.ts';
import type { BookOf, ExchangeSink, RareEvent, Refusal } from '../../exchange/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Replay } from '../../replay/index.ts';
import type { Answers } from './answers.ts';
import { OrderNumbers } from './order-numbers.ts';
import type { SimMarket } from './sim-market.ts';
import type { SimTap } from './tap.ts';

// Names of this file for what is imported: see exchange/engine/placement.ts.
const { price: priceOf, shares: sharesOf, usd: usdOf } = column;

/** What telling needs. */
export interface ToldOf {
  readonly markets: readonly SimMarket[];
  readonly slots: BookOf['slots'];
  readonly replay: Replay;
  readonly ledger: Ledger;
  readonly answers: Answers;
  readonly tap: SimTap;
}

/** The sink of a replayed exchange that serves one account. Who sends a command writes down here first what it is. */
export class Told implements ExchangeSink {
  /** The exchange's numbers of the bot's orders. */
  readonly numbers = new OrderNumbers();
  /** How many `cancelAll` were carried out. */
  epoch = 0;
  /** Why the command failed as a whole, or its only entry. */
  refusal: Refusal | undefined;
  /** Reasons of the entries of a set. */
  readonly refusals = new Map<number, Refusal>();
  /** What a claim brought. */
  paid: MicroUsd = ZERO_USD;
  /** How much of the order that comes has not traded yet. */
  #left = 0;
  #set: ReplaceOrders | undefined;
  #isSetTold = false;
  /** Places of the set that came in so far. */
  #came = 0;
  readonly #of: ToldOf;

  constructor(of: ToldOf) {
    this.#of = of;
  }

  /** Expects a command that places one order, a set, or none. */
  expect(coming: PlaceOrder | undefined, set: ReplaceOrders | undefined): void {
    this.#of.replay.coming = coming;
    this.#set = set;
    this.#isSetTold = false;
    this.#came = 0;
    this.refusal = undefined;
    this.paid = ZERO_USD;
    if (this.refusals.size > 0) this.refusals.clear();
  }

  accepted(_seq: number, order: number): void {
    const { replay, answers } = this.#of;
    const set = this.#set;
    let place = replay.coming;
    if (set !== undefined) {
      this.#tellSet(set);
      place = set.places[this.#came]!;
      this.#came += 1;
      replay.coming = place;
    }
    if (place === undefined) throw new RangeError(`Invariant: nobody placed order ${order}`);
    this.#left = place.shares;
    this.numbers.set(place.order, order);
    if (set === undefined) answers.accepted(place);
  }

  traded(
    _seq: number,
    _market: number,
    _maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    _match: number,
    fee: number,
  ): void {
    const price = priceOf(yesPrice);
    const { replay } = this.#of;
    if (taker === 0) this.#fill(replay.waiting.place[replay.slot]!, price, sharesOf(shares), ZERO_USD, replay.tag);
    else {
      this.#left -= shares;
      this.#fill(replay.coming!, price, sharesOf(shares), usdOf(fee), 'taker');
    }
  }

  reduced(_seq: number, order: number, remaining: number): void {
    const { slots, replay, answers } = this.#of;
    answers.reduced(replay.waiting.place[slots.find(order)]!, sharesOf(remaining));
  }

  closed(_seq: number, order: number, _unfilled: number, reason: CloseReason): void {
    if (reason === 'REPLACED') {
      if (this.#set !== undefined) this.#tellSet(this.#set);
      return;
    }
    // The fill that leaves nothing closes the order.
    if (reason === 'FILLED') return;
    const { slots, replay, answers } = this.#of;
    const slot = slots.find(order);
    answers.closed(slot === 0 ? replay.coming! : replay.waiting.place[slot]!, reason);
  }

  happened(_seq: number, event: RareEvent): void {
    if (event.type === 'epochRaised') this.epoch = event.epoch;
    else if (event.type === 'claimed') this.paid = event.paid;
  }

  refused(entry: number, refusal: Refusal): void {
    if (this.#set !== undefined && entry >= 0) this.refusals.set(entry, refusal);
    else this.refusal = refusal;
  }

  duplicate(): void {
    throw new RangeError('Invariant: nothing is signed here, so nothing can come twice');
  }

  /** A set that replaces is carried out, from its first event on. */
  #tellSet(set: ReplaceOrders): void {
    if (this.#isSetTold) return;
    this.#isSetTold = true;
    this.#of.answers.replaced(set);
  }

  #fill(place: PlaceOrder, yesPrice: PriceBps, shares: MicroShares, fee: MicroUsd, tag: FillTag): void {
    const { markets, ledger, answers, tap, replay, slots } = this.#of;
    const market = markets[place.market]!;
    if (!market.traded) {
      market.traded = true;
      if (market.mark > 0) ledger.mark(market.no, column.mid(market.mark));
    }
    market.lastBot = place.bot;
    const price = place.outcome === 'YES' ? yesPrice : complement(yesPrice);
    const inside = tag !== 'taker' && replay.inside;
    ledger.fill({ market: market.no, outcome: place.outcome, side: place.side, price, shares, fee });
    const remaining = sharesOf(tag === 'taker' ? this.#left : slots.remaining(replay.slot));
    answers.filled(place, { price, shares, remaining, fee, tag, inside });
    if (tap.onFill !== undefined) this.#tell(place, market, { yesPrice, shares, remaining, fee, tag, inside });
  }

  #tell(
    place: PlaceOrder,
    market: SimMarket,
    fill: {
      readonly yesPrice: PriceBps;
      readonly shares: MicroShares;
      readonly remaining: MicroShares;
      readonly fee: MicroUsd;
      readonly tag: FillTag;
      readonly inside: boolean;
    },
  ): void {
    const { answers, tap, replay } = this.#of;
    const { waiting, slot } = replay;
    const isTaker = fill.tag === 'taker';
    tap.onFill?.({
      market: market.no,
      time: answers.now,
      order: place.order,
      bot: place.bot,
      outcome: place.outcome,
      side: place.side,
      sign: yesSign(place.outcome, place.side),
      yesPrice: fill.yesPrice,
      shares: fill.shares,
      fee: fill.fee,
      liquidity: isTaker ? 'taker' : 'maker',
      tag: fill.tag,
      inside: fill.inside,
      mark: markBefore(market, fill.yesPrice),
      acceptedAt: isTaker ? answers.now : column.time(waiting.since[slot]!),
      frontAtArrival: isTaker ? 0 : waiting.frontAtArrival[slot]!,
      front: isTaker ? 0 : waiting.front[slot]!,
      remaining: fill.remaining,
    });
  }
}

function markBefore(market: SimMarket, yesPrice: PriceBps): DoubleMid {
  return column.mid(market.mark > 0 ? market.mark : 2 * yesPrice);
}
