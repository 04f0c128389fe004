/**
 * Sends a bot's commands to the exchange, which applies the venue's rules (docs/spec/venue.md#the-book,
 * docs/spec/venue.md#market-states). HOT: a requote passes here (bench/replay.ts).
 */
import {
  type CancelOrder,
  type Conversion,
  negUsd,
  type OrderCommand,
  type PlaceOrder,
  type ReduceOrder,
  type RejectReason,
  type ReplaceOrders,
  subUsd,
  unchecked,
  ZERO_USD,
} from '../../domain/index.ts';
import type { AccountCommand, Exchange, ExchangeCommand } from '../../exchange/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Commission } from './commission.ts';
import { PlaceCommand, ReplaceCommand } from './exchange-commands.ts';
import type { ExchangeEventTranslator } from './exchange-event-translator.ts';
import type { ReplayedExchange } from './replayed-exchange.ts';
import type { SimMarket } from './sim-market.ts';

interface Arrival {
  /** Whether the command was sent before the account's last `cancelAll` was executed. */
  readonly isStale: boolean;
  /** Whether the market stopped accepting orders during the placing delay. */
  readonly isInterrupted: boolean;
}

interface SimCommandHandlerDeps {
  readonly replayed: ReplayedExchange;
  readonly events: ExchangeEventTranslator;
  readonly ledger: Ledger;
  readonly commission: Commission;
  /** Whether takers are refused, because a tape without a book has nothing to take (docs/spec/models.md#thin-tapes). */
  readonly refusesTakers: boolean;
}

export class SimCommandHandler {
  readonly #deps: SimCommandHandlerDeps;
  readonly #exchange: Exchange;
  readonly #events: ExchangeEventTranslator;
  readonly #placeCommand: PlaceCommand;
  readonly #replaceCommand: ReplaceCommand;

  constructor(deps: SimCommandHandlerDeps) {
    const { account, exchange } = deps.replayed;
    this.#deps = deps;
    this.#exchange = exchange;
    this.#events = deps.events;
    this.#placeCommand = new PlaceCommand(account);
    this.#replaceCommand = new ReplaceCommand(account);
  }

  handle(command: OrderCommand, arrival: Arrival): void {
    this.#deps.commission.collect();
    const { type } = command;
    if (type === 'place') this.#place(command, arrival);
    else if (type === 'replace') this.#replace(command, arrival);
    else if (type === 'cancel' || type === 'reduce') this.#cancelOrReduce(command);
    else if (type === 'cancelAll') {
      this.#beginCommand();
      this.#apply({ type: 'cancelAllOrders', ...this.#commonFields() });
    } else this.#convert(command);
  }

  expire(): void {
    this.#beginCommand();
    this.#apply({ type: 'tick', time: this.#events.now });
  }

  #place(place: PlaceOrder, arrival: Arrival): void {
    const { refusesTakers, replayed } = this.#deps;
    const isNumberUsed = this.#events.numbers.get(place.order) !== 0;
    const isTaker = place.timeInForce === 'FAK' || place.timeInForce === 'FOK';
    const market = replayed.markets[place.market];
    if (refusesTakers && isTaker && !isNumberUsed && market !== undefined) {
      this.#events.publishRejected(place, 'VENUE_MODE');
      return;
    }
    this.#events.beginCommand(place, undefined);
    const order = this.#placeCommand.set(place, this.#events.now, this.#epoch(arrival), isNumberUsed);
    if (arrival.isInterrupted) this.#applyInterruptible(order, market, arrival);
    else this.#exchange.place(order, this.#events);
    const { refusal } = this.#events;
    if (refusal !== undefined) this.#events.publishRejected(place, refusal.reason);
  }

  #replace(command: ReplaceOrders, arrival: Arrival): void {
    const { slots, markets, account } = this.#deps.replayed;
    const { numbers } = this.#events;
    const { cancels, places } = command;
    const replace = this.#replaceCommand;
    replace.time = this.#events.now;
    replace.market = command.market;
    replace.ifNoFillSince = undefined;
    // Setting the length would call into V8's runtime.
    while (replace.cancel.length > cancels.length) replace.cancel.pop();
    while (replace.place.length > places.length) replace.place.pop();
    for (let at = 0; at < cancels.length; at += 1) {
      const { order, remaining } = cancels[at]!;
      const number = numbers.get(order);
      const slot = slots.find(number);
      // Another size usually means a fill that the bot has not seen, so the whole replace is refused.
      if (slot !== 0 && slots.remaining(slot) !== remaining) replace.ifNoFillSince = -1;
      replace.cancel[at] = unchecked.order(number);
    }
    while (replace.placePool.length < places.length) replace.placePool.push(new PlaceCommand(account));
    const epoch = this.#epoch(arrival);
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      replace.place[at] = replace.placePool[at]!.set(place, replace.time, epoch, numbers.get(place.order) !== 0);
    }
    this.#events.beginCommand(undefined, command);
    this.#applyInterruptible(replace, markets[command.market], arrival);
    if (this.#events.refusal !== undefined) this.#refuse(command, this.#events.refusal.reason);
  }

  /** Rejects each entry of a failed replace, with its own reason or CONFLICT. */
  #refuse({ cancels, places, market }: ReplaceOrders, reason: RejectReason): void {
    const { refusals } = this.#events;
    const otherReason = refusals.size === 0 ? reason : 'CONFLICT';
    const findReason = (entry: number): RejectReason => refusals.get(entry)?.reason ?? otherReason;
    for (const [at, { order }] of cancels.entries()) this.#events.publishCancelRejected(order, market, findReason(at));
    for (const [at, place] of places.entries()) this.#events.publishRejected(place, findReason(cancels.length + at));
  }

  #cancelOrReduce(command: CancelOrder | ReduceOrder): void {
    this.#beginCommand();
    const { order, market } = command;
    const number = unchecked.order(this.#events.numbers.get(order));
    if (command.type === 'reduce')
      this.#apply({ type: 'reduce', ...this.#commonFields(), order: number, by: command.by });
    else this.#exchange.cancel({ type: 'cancel', ...this.#commonFields(), orders: [number] }, this.#events);
    const { refusal } = this.#events;
    if (refusal !== undefined) this.#events.publishCancelRejected(order, market, refusal.reason);
  }

  #convert(command: Conversion): void {
    const { type, market, shares } = command;
    this.#beginCommand();
    if (type === 'claim') this.#apply({ type, ...this.#commonFields(), market });
    else this.#apply({ type, ...this.#commonFields(), market, shares });
    const { refusal, paid } = this.#events;
    const { ledger, commission, replayed } = this.#deps;
    // A pair is worth one dollar.
    const value = unchecked.usd(shares);
    if (refusal !== undefined) this.#events.publishConversionRejected(command, refusal.reason);
    else if (type === 'split') {
      ledger.split(market, shares);
      this.#events.publishConverted(command, negUsd(value), ZERO_USD);
    } else if (type === 'merge') {
      ledger.merge(market, shares);
      this.#events.publishConverted(command, value, ZERO_USD);
    } else {
      const fee = commission.charge(replayed.markets[market]!);
      this.#events.publishConverted(command, subUsd(ledger.claim(market, paid), fee), fee);
    }
  }

  /** Applies a command, to a halted market if the market halted during the placing delay. */
  #applyInterruptible(command: ExchangeCommand, market: SimMarket | undefined, { isInterrupted }: Arrival): void {
    if (!isInterrupted || market === undefined) this.#apply(command);
    else this.#exchange.tape.withMarketHalted(market.number, () => this.#apply(command));
  }

  #apply(command: ExchangeCommand): void {
    this.#exchange.apply(command, this.#events);
  }

  #beginCommand(): void {
    this.#events.beginCommand(undefined, undefined);
  }

  #commonFields(): AccountCommand {
    const { account } = this.#deps.replayed;
    return { time: this.#events.now, account, credential: unchecked.credential(0) };
  }

  /** Returns the account's epoch when the order was sent. */
  #epoch({ isStale }: Arrival): number {
    return isStale ? this.#events.epoch - 1 : this.#events.epoch;
  }
}
