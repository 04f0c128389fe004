/**
 * Cancels and places of one market in one step, or nothing at all (docs/spec/venue.md#replace).
 *
 * Entries of refusals are the cancels, then the places; with `cancel: 'all'` the places alone. Of a set that is not
 * carried out each cancel that fails is refused, else the first place that does; then the whole (-1), for the first of
 * these reasons. Places whose signed bytes are known are answered `duplicate` before any other test but that of the set's
 * length, whoever asks and in every mode, and stop the whole (CONFLICT).
 *
 * HOT: a market maker's life is sets of two that replace two. Timed as part of bench/replay.ts.
 */
import type { Replace } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { CLOSE } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { Refusal } from '../refusal.ts';
import { callerRefusal } from './caller.ts';
import type { Closing } from './closing.ts';
import { areOrders, isList } from './misfit.ts';
import type { Placing, PlacingOf } from './placing.ts';
import { refused } from './refused.ts';
import { Staging } from './staging.ts';
import { WHOLE } from './teller.ts';

// Names of this file for what is imported: see exchange/engine/placement.ts.
const { replaced: REPLACED } = CLOSE;

/** What replacing works on. */
export interface ReplacingOf extends PlacingOf {
  readonly slots: OrderSlots;
  readonly closing: Closing;
  readonly placing: Placing;
}

/** Replaces orders. */
export class Replacing {
  readonly #rooms: ReplacingOf;
  readonly #staging: Staging;

  constructor(rooms: ReplacingOf) {
    this.#rooms = rooms;
    this.#staging = new Staging(rooms);
  }

  replace(command: Replace): void {
    const { conditions, records, teller, keeper } = this.#rooms;
    const isForm = areOrders(command.place);
    if (!isForm || !(command.cancel === 'all' || isList(command.cancel))) {
      teller.refused(WHOLE, refused('INVALID_ORDER', isForm ? 'cancelOrderIds' : 'place'));
      return;
    }
    const misfit = memberMisfit(command);
    if (misfit !== undefined) {
      teller.refused(WHOLE, refused('INVALID_ORDER', misfit));
      return;
    }
    const market = records[command.market];
    const known = command.place.length > conditions.config.maxBatchOrders ? undefined : this.#tellKnown(command);
    const refusal = market === undefined ? this.#unknownRefusal(command) : this.#wholeRefusal(command);
    if (refusal !== undefined || market === undefined) {
      if (refusal !== undefined) teller.refused(WHOLE, refusal);
      return;
    }
    const staging = this.#staging;
    staging.begin(market.no, command);
    const first = this.#takeOut(command, market, staging) ?? known ?? this.#stage(command, staging);
    const stays = first === undefined && staging.restsOnly;
    if (!stays) staging.undo();
    if (first !== undefined) teller.refused(WHOLE, first);
    else {
      keeper.reservesMoved = stays;
      this.#carryOut(command, market);
      keeper.reservesMoved = false;
    }
  }

  #unknownRefusal(command: Replace): Refusal {
    return callerRefusal(command, this.#rooms) ?? refused('NOT_FOUND', 'marketId');
  }

  /** What stops the whole before any of it is looked at. */
  #wholeRefusal(command: Replace): Refusal | undefined {
    const { config, mode } = this.#rooms.conditions;
    const { cancel, place, mustReplace } = command;
    const stranger = callerRefusal(command, this.#rooms);
    if (stranger !== undefined) return stranger;
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

  /** Answers the places whose signed bytes came before. */
  #tellKnown(command: Replace): Refusal | undefined {
    const { placing } = this.#rooms;
    let entry = cancelsOf(command);
    let known: Refusal | undefined;
    for (const { hash } of command.place) {
      if (hash !== undefined && placing.isKnown(command, hash, entry)) known = refused('CONFLICT', 'order');
      entry++;
    }
    return known;
  }

  /** @returns the first refusal of those that were told */
  #takeOut(command: Replace, market: MarketRecord, staging: Staging): Refusal | undefined {
    const { clearing, closing, slots, teller } = this.#rooms;
    let first: Refusal | undefined;
    if (command.cancel === 'all') {
      for (const slot of closing.slotsOf(clearing.holdings.find(command.account, market.no))) {
        first ??= fillRefusal(slots.lastFill(slot), command.ifNoFillSince);
        staging.takeOut(slot);
      }
      return first;
    }
    let entry = 0;
    for (const order of command.cancel) {
      const slot = typeof order === 'number' ? slots.find(order) : 0;
      const refusal =
        this.#cancelRefusal(command, order, slot) ??
        (staging.takeOut(slot) ? undefined : refused('CONFLICT', 'cancelOrderIds'));
      if (refusal !== undefined) {
        teller.refused(entry, refusal);
        first ??= refusal;
      }
      entry++;
    }
    return first;
  }

  #cancelRefusal({ account, market, ifNoFillSince }: Replace, order: number, slot: number): Refusal | undefined {
    const { slots, clearing, owners } = this.#rooms;
    const { holdings } = clearing;
    const holding = slot === 0 ? 0 : slots.holding(slot);
    if (holding === 0 || holdings.accountOf(holding) !== account) {
      return refused(owners.of(order) === account ? 'ALREADY_FINAL' : 'NOT_FOUND', 'cancelOrderIds');
    }
    if (holdings.marketOf(holding) !== market) return refused('CONFLICT', 'cancelOrderIds');
    return fillRefusal(slots.lastFill(slot), ifNoFillSince);
  }

  /** @returns the refusal of the first place that fails, which was told */
  #stage(command: Replace, staging: Staging): Refusal | undefined {
    const { placement, placing, records, teller } = this.#rooms;
    let entry = cancelsOf(command);
    for (const terms of command.place) {
      const isTwice = terms.hash !== undefined && staging.hasHash(terms.hash);
      const refusal = isTwice
        ? refused('CONFLICT', 'order')
        : placing.refusal(
            command,
            terms,
            typeof terms.market === 'number' ? records[terms.market] : undefined,
            staging,
          );
      if (refusal !== undefined) {
        teller.refused(entry, refusal);
        return refusal;
      }
      staging.stage(terms, placement);
      entry++;
    }
    return undefined;
  }

  #carryOut(command: Replace, market: MarketRecord): void {
    const { cancelled, leaving, staged, coming } = this.#staging;
    for (let at = 0; at < leaving; at++) market.book.close(cancelled[at]!, REPLACED);
    for (let at = 0; at < coming; at++) {
      const passed = staged[at]!;
      this.#rooms.placing.enter(command, passed.terms, market, passed);
    }
  }
}

function cancelsOf({ cancel }: Replace): number {
  return cancel === 'all' ? 0 : cancel.length;
}

/** A part fill that the client has not seen, and the full new size, would add up. */
function fillRefusal(lastFill: number, seen: number | undefined): Refusal | undefined {
  if (seen === undefined || lastFill <= seen) return undefined;
  return refused('CONFLICT', 'ifNoFillSince', seen, lastFill, 'COUNT');
}

/** The first member beside the lists that is not of its kind; undefined for none. */
function memberMisfit({ account, credential, market, ifNoFillSince, mustReplace }: Replace): string | undefined {
  if (typeof account !== 'number') return 'account';
  if (typeof credential !== 'number') return 'credential';
  if (typeof market !== 'number') return 'market';
  if (ifNoFillSince !== undefined && typeof ifNoFillSince !== 'number') return 'ifNoFillSince';
  return typeof mustReplace === 'boolean' ? undefined : 'mustReplace';
}
