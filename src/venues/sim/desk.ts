/**
 * A bot's commands, put to the exchange in its words; the venue's rules are the exchange's
 * (docs/spec/venue.md#the-book, docs/spec/venue.md#market-states).
 *
 * HOT: a requote passes here. Measured in bench/replay.ts.
 */
import {
  type CancelOrder,
  type Conversion,
  column,
  counted,
  negUsd,
  type OrderCommand,
  type PlaceOrder,
  type ReduceOrder,
  type RejectReason,
  type ReplaceOrders,
  subUsd,
  ZERO_USD,
} from '../../domain/index.ts';
import type { Asked, Exchange, ExchangeCommand } from '../../exchange/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Answers } from './answers.ts';
import type { Commission } from './commission.ts';
import type { Replayed } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';
import { ReplaceTerms, Terms } from './terms.ts';
import type { Told } from './told.ts';

// Names of this file for what is imported: see exchange/engine/placement.ts.
const { order: orderOf } = counted;

/** How a command came to be carried out now. */
export interface Arrival {
  /** Whether it was sent before the account's last `cancelAll` was carried out. */
  readonly stale: boolean;
  /** Whether the market stopped accepting orders while the placing delay held it back. */
  readonly interrupted: boolean;
}

/** What a desk works on. */
export interface DeskOf {
  readonly replayed: Replayed;
  readonly told: Told;
  readonly ledger: Ledger;
  readonly answers: Answers;
  readonly commission: Commission;
  /** A tape without a book has nothing to take (docs/spec/models.md#thin-tapes). */
  readonly takersRefused: boolean;
}

/** Carries out the commands of our account, one at a time. */
export class Desk {
  readonly #of: DeskOf;
  readonly #exchange: Exchange;
  readonly #told: Told;
  readonly #answers: Answers;
  readonly #terms: Terms;
  readonly #set: ReplaceTerms;

  constructor(of: DeskOf) {
    const { account, exchange } = of.replayed;
    this.#of = of;
    this.#exchange = exchange;
    this.#told = of.told;
    this.#answers = of.answers;
    this.#terms = new Terms(account);
    this.#set = new ReplaceTerms(account);
  }

  carryOut(command: OrderCommand, arrival: Arrival): void {
    this.#of.commission.collect();
    switch (command.type) {
      case 'place':
        this.#place(command, arrival);
        break;
      case 'replace':
        this.#replace(command, arrival);
        break;
      case 'cancel':
        this.#cancel(command);
        break;
      case 'reduce':
        this.#reduce(command);
        break;
      case 'cancelAll':
        this.#expect();
        this.#apply({ type: 'cancelAllOrders', ...this.#asked() });
        break;
      default:
        this.#convert(command);
    }
  }

  /** Lets happen what is due. */
  expire(): void {
    this.#expect();
    this.#apply({ type: 'tick', time: this.#answers.now });
  }

  #place(place: PlaceOrder, arrival: Arrival): void {
    const { takersRefused, replayed } = this.#of;
    const used = this.#told.numbers.get(place.order) !== 0;
    const takes = place.timeInForce === 'FAK' || place.timeInForce === 'FOK';
    const market = replayed.markets[place.market];
    if (takersRefused && takes && !used && market !== undefined) {
      this.#answers.rejected(place, 'VENUE_MODE');
      return;
    }
    this.#told.expect(place, undefined);
    const order = this.#terms.set(place, this.#answers.now, this.#epoch(arrival), used);
    if (arrival.interrupted) this.#applyHeld(order, market, arrival);
    else this.#exchange.place(order, this.#told);
    const { refusal } = this.#told;
    if (refusal !== undefined) this.#answers.rejected(place, refusal.reason);
  }

  #replace(command: ReplaceOrders, arrival: Arrival): void {
    const { slots, markets, account } = this.#of.replayed;
    const { numbers } = this.#told;
    const { cancels, places } = command;
    const set = this.#set;
    set.time = this.#answers.now;
    set.market = command.market;
    set.ifNoFillSince = undefined;
    if (set.cancel.length !== cancels.length) set.cancel.length = cancels.length;
    for (let at = 0; at < cancels.length; at += 1) {
      const { order, remaining } = cancels[at]!;
      const number = numbers.get(order);
      const slot = slots.find(number);
      // What its bot has not seen is a fill as a rule; all that are open are refused then.
      if (slot !== 0 && slots.remaining(slot) !== remaining) set.ifNoFillSince = -1;
      set.cancel[at] = orderOf(number);
    }
    while (set.terms.length < places.length) set.terms.push(new Terms(account));
    if (set.place.length !== places.length) set.place.length = places.length;
    const epoch = this.#epoch(arrival);
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      set.place[at] = set.terms[at]!.set(place, set.time, epoch, numbers.get(place.order) !== 0);
    }
    this.#told.expect(undefined, command);
    this.#applyHeld(set, markets[command.market], arrival);
    if (this.#told.refusal !== undefined) this.#refuse(command, this.#told.refusal.reason);
  }

  /** Of a set that failed each entry has its own reason, or stays because of the others. */
  #refuse({ cancels, places, market }: ReplaceOrders, whole: RejectReason): void {
    const { refusals } = this.#told;
    const other = refusals.size === 0 ? whole : 'CONFLICT';
    let entry = 0;
    for (const { order } of cancels) {
      this.#answers.cancelRejected(order, market, refusals.get(entry)?.reason ?? other);
      entry += 1;
    }
    for (const place of places) {
      this.#answers.rejected(place, refusals.get(entry)?.reason ?? other);
      entry += 1;
    }
  }

  #cancel({ order, market }: CancelOrder): void {
    this.#expect();
    const orders = [orderOf(this.#told.numbers.get(order))];
    this.#exchange.cancel({ type: 'cancel', ...this.#asked(), orders }, this.#told);
    const { refusal } = this.#told;
    if (refusal !== undefined) this.#answers.cancelRejected(order, market, refusal.reason);
  }

  #reduce({ order, market, by }: ReduceOrder): void {
    this.#expect();
    this.#apply({ type: 'reduce', ...this.#asked(), order: orderOf(this.#told.numbers.get(order)), by });
    const { refusal } = this.#told;
    if (refusal !== undefined) this.#answers.cancelRejected(order, market, refusal.reason);
  }

  #convert(command: Conversion): void {
    const { type, market, shares } = command;
    this.#expect();
    if (type === 'claim') this.#apply({ type, ...this.#asked(), market });
    else this.#apply({ type, ...this.#asked(), market, shares });
    const { refusal, paid } = this.#told;
    const { ledger, commission, replayed } = this.#of;
    if (refusal !== undefined) this.#answers.conversionRejected(command, refusal.reason);
    else if (type === 'split') {
      ledger.split(market, shares);
      this.#answers.converted(command, negUsd(dollars(command)), ZERO_USD);
    } else if (type === 'merge') {
      ledger.merge(market, shares);
      this.#answers.converted(command, dollars(command), ZERO_USD);
    } else {
      const fee = commission.take(replayed.markets[market]!);
      this.#answers.converted(command, subUsd(ledger.claim(market, paid), fee), fee);
    }
  }

  /** Carries a command out in a market that, for orders which were held back while it stood, is still halted. */
  #applyHeld(command: ExchangeCommand, market: SimMarket | undefined, { interrupted }: Arrival): void {
    if (!interrupted || market === undefined) this.#apply(command);
    else this.#exchange.tape.asIfHalted(market.no, () => this.#apply(command));
  }

  #apply(command: ExchangeCommand): void {
    this.#exchange.apply(command, this.#told);
  }

  #expect(): void {
    this.#told.expect(undefined, undefined);
  }

  #asked(): Asked {
    const { account } = this.#of.replayed;
    return { time: this.#answers.now, account, credential: counted.credential(0) };
  }

  /** The account's epoch when the order was sent. */
  #epoch({ stale }: Arrival): number {
    return stale ? this.#told.epoch - 1 : this.#told.epoch;
  }
}

/** A pair is worth a dollar: as many micro-USD as micro-shares. */
function dollars({ shares }: Conversion) {
  return column.usd(shares);
}
