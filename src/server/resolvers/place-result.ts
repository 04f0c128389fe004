/** What became of each order that was to be placed. */
import type { ExchangeEvent, ExchangeView } from '../../exchange/index.ts';
import type { Model } from '../presenters/models.ts';
import { presentFillsOf, presentOrder } from '../presenters/order-presenter.ts';
import { presentRejection, type Refused } from '../rejection.ts';
import type { ResolverDeps } from './deps.ts';
import { withNearestPrice } from './recorded-price.ts';
import type { SignedPlace } from './signed-place.ts';

/** What became of one; nothing of these where the set it belongs to was not carried out. */
export type PlaceResult =
  | { readonly type: 'placed'; readonly order: number; readonly isDuplicate: boolean }
  | { readonly type: 'refused'; readonly refusal: Refused }
  | { readonly type: 'left' };

/** Answers of the engine by entry of a command, and orders accepted by hash. */
export class EngineAnswers {
  /** Of the whole. */
  readonly whole: Refused | undefined;
  /** Made where there is one: of nearly every command nothing is refused, nothing a duplicate, and one order accepted. */
  #refusals: Map<number, Refused> | undefined;
  #duplicates: Map<number, number> | undefined;
  #first: { readonly hash: string; readonly order: number } | undefined;
  #accepted: Map<string, number> | undefined;

  constructor(events: readonly ExchangeEvent[]) {
    let whole: Refused | undefined;
    for (const event of events) {
      if (event.type === 'accepted') {
        if (event.terms.hash !== undefined) this.#accept(event.terms.hash, event.order);
      } else if (event.type === 'duplicate') {
        this.#duplicates ??= new Map();
        this.#duplicates.set(event.entry, event.order);
      } else if (event.type === 'refused') {
        if (event.entry === -1) whole = event.refusal;
        else {
          this.#refusals ??= new Map();
          this.#refusals.set(event.entry, event.refusal);
        }
      }
    }
    this.whole = whole;
  }

  /** Of an entry, or of the whole. */
  refusalOf(entry: number): Refused | undefined {
    return this.#refusals?.get(entry) ?? this.whole;
  }

  /** Of an entry alone. */
  ownRefusalOf(entry: number): Refused | undefined {
    return this.#refusals?.get(entry);
  }

  /** @param entry of the command */
  resultOf(entry: number, { hash, fields }: SignedPlace, view: ExchangeView): PlaceResult {
    const duplicate = this.#duplicates?.get(entry);
    if (duplicate !== undefined) return { type: 'placed', order: duplicate, isDuplicate: true };
    const refusal = this.#refusals?.get(entry);
    if (refusal !== undefined) return { type: 'refused', refusal: withNearestPrice(refusal, fields, view) };
    const order = hash === undefined ? undefined : this.#orderOf(hash);
    return order === undefined ? { type: 'left' } : { type: 'placed', order, isDuplicate: false };
  }

  /** The same, and the refusal of the whole where an entry has nothing of its own. */
  resultOrWhole(entry: number, signed: SignedPlace, view: ExchangeView): PlaceResult {
    const result = this.resultOf(entry, signed, view);
    if (result.type !== 'left' || this.whole === undefined) return result;
    return { type: 'refused', refusal: withNearestPrice(this.whole, signed.fields, view) };
  }

  #accept(hash: string, order: number): void {
    if (this.#first === undefined) this.#first = { hash, order };
    else {
      this.#accepted ??= new Map();
      this.#accepted.set(hash, order);
    }
  }

  #orderOf(hash: string): number | undefined {
    return this.#first?.hash === hash ? this.#first.order : this.#accepted?.get(hash);
  }
}

/** The payload of a result, as of now. */
export function presentPlaceResult(result: PlaceResult, deps: ResolverDeps): Model<'PlaceOrderPayload'> {
  const { queue, archive, ids } = deps;
  const { view } = queue;
  const { seq } = view;
  if (result.type !== 'placed') {
    const rejection = result.type === 'left' ? null : presentRejection(result.refusal);
    return { accepted: false, duplicate: false, order: null, fills: [], rejection, seq };
  }
  const row = archive.order(result.order);
  if (row === undefined) throw new RangeError(`Invariant: order ${result.order} was accepted and has no row`);
  const by = { view, ids, archive };
  return {
    accepted: true,
    duplicate: result.isDuplicate,
    order: presentOrder(row, by),
    fills: presentFillsOf(row, by),
    rejection: null,
    seq,
  };
}
