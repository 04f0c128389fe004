/**
 * HOT: a single signed order in its turn, as most come: the same as a batch of one, with nothing made for a set and each
 * object written out in one piece (bench/server.ts).
 */
import type { Asked, ExchangeCommand, ExchangeEvent, OrderTerms } from '../../../exchange/index.ts';
import type { OperationContext } from '../../graphql/index.ts';
import type { Task } from '../../pending-command.ts';
import type { Refused } from '../../rejection.ts';
import type { HeldOrders } from '../../replay/placing-delays.ts';
import { askedBy, type Caller } from './caller.ts';
import { restrictionOf } from './held.ts';
import type { Shown } from './models.ts';
import { EngineAnswers, showPlace } from './place-result.ts';
import type { TradingPorts } from './ports.ts';
import { refusalBefore, type SignedPlace, termsOf } from './signed-place.ts';

/** An order and what it is placed with. */
export interface PlaceOneOf {
  readonly signed: SignedPlace;
  readonly caller: Caller;
  readonly context: OperationContext;
  readonly ports: TradingPorts;
  /** Undefined where nothing held it. */
  readonly held: HeldOrders | undefined;
}

/** Places one order. */
export class PlaceOne implements Task<Shown<'PlaceOrderPayload'>> {
  readonly #of: PlaceOneOf;
  #before: Refused | undefined;

  constructor(of: PlaceOneOf) {
    this.#of = of;
  }

  command(): ExchangeCommand | undefined {
    const { signed, caller, context, ports, held } = this.#of;
    this.#before = refusalBefore(signed, caller, ports);
    if (this.#before !== undefined) return undefined;
    const restriction = restrictionOf(signed, ports.callers.restrictionOf(context), held);
    return commandOf(askedBy(caller, ports), termsOf(signed, restriction, ports.ids));
  }

  answer(events: readonly ExchangeEvent[]): Shown<'PlaceOrderPayload'> {
    const { signed, ports } = this.#of;
    if (this.#before !== undefined) return showPlace({ type: 'refused', refusal: this.#before }, ports);
    return showPlace(new EngineAnswers(events).resultOrWhole(0, signed, ports.queue.view), ports);
  }
}

function commandOf({ time, account, credential }: Asked, terms: OrderTerms): ExchangeCommand {
  return {
    type: 'place',
    time,
    account,
    credential,
    market: terms.market,
    outcome: terms.outcome,
    side: terms.side,
    price: terms.price,
    shares: terms.shares,
    timeInForce: terms.timeInForce,
    postOnly: terms.postOnly,
    expiration: terms.expiration,
    timestampMs: terms.timestampMs,
    epoch: terms.epoch,
    maxFeeBps: terms.maxFeeBps,
    replaces: terms.replaces,
    selfTrade: terms.selfTrade,
    group: terms.group,
    restriction: terms.restriction,
    hash: terms.hash,
    clientOrderId: terms.clientOrderId,
  };
}
