/**
 * Executes `replace`: cancels and places in one market, all or nothing (docs/spec/venue.md#replace).
 *
 * Entries are numbered: first the listed cancels, then the places. A refused replace emits a refusal for each failed
 * cancel or, if no cancel failed, for the first failed place. A refusal of the whole command follows. A place
 * with used signed bytes causes a CONFLICT. Only the checks of types and of the number of places precede this check.
 *
 * HOT: market makers mostly send replaces of two orders (bench/replay.ts).
 */
import type { Replace } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { CLOSE } from '../matching/codes.ts';
import { type Refusal, refused } from '../refusal.ts';
import { callerRefusal } from './credentials.ts';
import { WHOLE_COMMAND } from './event-sequencer.ts';
import { areOrders } from './invalid-field.ts';
import type { OrderEntry, OrderEntryDeps } from './order-entry.ts';
import { ReplaceTransaction } from './replace-transaction.ts';

const { replaced: REPLACED } = CLOSE;

type ReplaceHandlerDeps = OrderEntryDeps & { readonly orderEntry: OrderEntry };

export class ReplaceHandler {
  readonly #context: ReplaceHandlerDeps;
  readonly #transaction: ReplaceTransaction;

  constructor(context: ReplaceHandlerDeps) {
    this.#context = context;
    this.#transaction = new ReplaceTransaction(context);
  }

  replace(command: Replace): void {
    const { conditions, records, sequencer, matchHandler } = this.#context;
    const arePlacesValid = areOrders(command.place);
    if (!arePlacesValid || !(command.cancel === 'all' || Array.isArray(command.cancel))) {
      sequencer.sink.refused(WHOLE_COMMAND, refused('INVALID_ORDER', arePlacesValid ? 'cancelOrderIds' : 'place'));
      return;
    }
    const invalidMember = findInvalidMember(command);
    if (invalidMember !== undefined) {
      sequencer.sink.refused(WHOLE_COMMAND, refused('INVALID_ORDER', invalidMember));
      return;
    }
    const market = records[command.market];
    const usedHashRefusal =
      command.place.length > conditions.config.maxBatchOrders ? undefined : this.#reportUsedHashes(command);
    const refusal =
      market === undefined
        ? (callerRefusal(command, this.#context) ?? refused('NOT_FOUND', 'marketId'))
        : this.#commandRefusal(command);
    if (refusal !== undefined || market === undefined) {
      if (refusal !== undefined) sequencer.sink.refused(WHOLE_COMMAND, refusal);
      return;
    }
    const transaction = this.#transaction;
    transaction.begin(market.number, command);
    const firstRefusal =
      this.#stageCancels(command, market, transaction) ?? usedHashRefusal ?? this.#stagePlaces(command, transaction);
    const areReservesMoved = firstRefusal === undefined && transaction.isPostOnly;
    if (!areReservesMoved) transaction.undo();
    if (firstRefusal !== undefined) sequencer.sink.refused(WHOLE_COMMAND, firstRefusal);
    else {
      matchHandler.areReservesMoved = areReservesMoved;
      this.#execute(command, market);
      matchHandler.areReservesMoved = false;
    }
  }

  #commandRefusal(command: Replace): Refusal | undefined {
    const { config, mode } = this.#context.conditions;
    const { cancel, place, mustReplace } = command;
    const unknownCaller = callerRefusal(command, this.#context);
    if (unknownCaller !== undefined) return unknownCaller;
    if (mode === 'HALTED') return refused('VENUE_MODE');
    if (place.length > config.maxBatchOrders) {
      return refused('INVALID_ORDER', 'place', config.maxBatchOrders, place.length, 'COUNT');
    }
    if (cancel !== 'all' && cancel.length > config.maxBatchCancels) {
      return refused('INVALID_ORDER', 'cancelOrderIds', config.maxBatchCancels, cancel.length, 'COUNT');
    }
    const isPair = cancel !== 'all' && cancel.length === 1 && place.length === 1;
    return mustReplace && !isPair ? refused('INVALID_ORDER', 'replaces') : undefined;
  }

  /** Reports each place with used signed bytes. @returns the refusal of the whole command */
  #reportUsedHashes(command: Replace): Refusal | undefined {
    const { orderEntry } = this.#context;
    let entry = countCancels(command);
    let refusal: Refusal | undefined;
    for (let at = 0; at < command.place.length; at++) {
      const { hash } = command.place[at]!;
      if (hash !== undefined && orderEntry.reportUsedHash(command, hash, entry)) refusal = refused('CONFLICT', 'order');
      entry++;
    }
    return refusal;
  }

  /** Emits a refusal for each listed cancel that fails. @returns the first refusal */
  #stageCancels(command: Replace, market: MarketRecord, transaction: ReplaceTransaction): Refusal | undefined {
    const { clearing, orderCloser, slots, sequencer } = this.#context;
    let firstRefusal: Refusal | undefined;
    if (command.cancel === 'all') {
      for (const slot of orderCloser.slotsOf(clearing.holdings.find(command.account, market.number))) {
        firstRefusal ??= fillRefusal(slots.lastFill(slot), command.ifNoFillSince);
        transaction.cancel(slot);
      }
      return firstRefusal;
    }
    for (let entry = 0; entry < command.cancel.length; entry++) {
      const order = command.cancel[entry]!;
      const slot = typeof order === 'number' ? slots.find(order) : 0;
      const refusal =
        this.#cancelRefusal(command, order, slot) ??
        (transaction.cancel(slot) ? undefined : refused('CONFLICT', 'cancelOrderIds'));
      if (refusal !== undefined) {
        sequencer.sink.refused(entry, refusal);
        firstRefusal ??= refusal;
      }
    }
    return firstRefusal;
  }

  #cancelRefusal({ account, market, ifNoFillSince }: Replace, order: number, slot: number): Refusal | undefined {
    const { slots, clearing, owners } = this.#context;
    const { holdings } = clearing;
    const holding = slot === 0 ? 0 : slots.holding(slot);
    if (holding === 0 || holdings.accountOf(holding) !== account) {
      return refused(owners.accountOf(order) === account ? 'ALREADY_FINAL' : 'NOT_FOUND', 'cancelOrderIds');
    }
    if (holdings.marketOf(holding) !== market) return refused('CONFLICT', 'cancelOrderIds');
    return fillRefusal(slots.lastFill(slot), ifNoFillSince);
  }

  /** Emits the refusal of the first place that fails. @returns this refusal */
  #stagePlaces(command: Replace, transaction: ReplaceTransaction): Refusal | undefined {
    const { validator, orderEntry, records, sequencer } = this.#context;
    let entry = countCancels(command);
    for (let at = 0; at < command.place.length; at++) {
      const terms = command.place[at]!;
      const isRepeated = terms.hash !== undefined && transaction.hasHash(terms.hash);
      const refusal = isRepeated
        ? refused('CONFLICT', 'order')
        : orderEntry.refusal(
            command,
            terms,
            typeof terms.market === 'number' ? records[terms.market] : undefined,
            transaction,
          );
      if (refusal !== undefined) {
        sequencer.sink.refused(entry, refusal);
        return refusal;
      }
      transaction.stage(terms, validator);
      entry++;
    }
    return undefined;
  }

  #execute(command: Replace, market: MarketRecord): void {
    const { cancelled, cancelCount, staged, placeCount } = this.#transaction;
    for (let at = 0; at < cancelCount; at++) market.book.close(cancelled[at]!, REPLACED);
    for (let at = 0; at < placeCount; at++) {
      const order = staged[at]!;
      this.#context.orderEntry.enter(command, order.terms, market, order);
    }
  }
}

function countCancels({ cancel }: Replace): number {
  return cancel === 'all' ? 0 : cancel.length;
}

/** Refuses to cancel an order with a fill that the client has not received, because the new size ignores that fill. */
function fillRefusal(lastFill: number, lastReceived: number | undefined): Refusal | undefined {
  if (lastReceived === undefined || lastFill <= lastReceived) return undefined;
  return refused('CONFLICT', 'ifNoFillSince', lastReceived, lastFill, 'COUNT');
}

/** Returns the first member, apart from the lists, with a wrong type; undefined if there is none. */
function findInvalidMember({ account, credential, market, ifNoFillSince, mustReplace }: Replace): string | undefined {
  if (typeof account !== 'number') return 'account';
  if (typeof credential !== 'number') return 'credential';
  if (typeof market !== 'number') return 'market';
  if (ifNoFillSince !== undefined && typeof ifNoFillSince !== 'number') return 'ifNoFillSince';
  return typeof mustReplace === 'boolean' ? undefined : 'mustReplace';
}
