/**
 * New orders: signed, stored, written, answered. An order is stored before a byte of it leaves.
 *
 * HOT: the request is put together around the bytes that were stored (bench/tick-to-order.ts).
 */
import type { PlaceOrder, RejectReason } from '../../../domain/index.ts';
import { OPERATIONS, type PlaceFieldsFragment } from '../../../protocol/index.ts';
import type { Piece } from '../transport/index.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import type { ExecutionReporter } from './execution-reporter.ts';
import { batches, mutate, type Outcome } from './requests.ts';
import type { UnknownOrderResolver } from './unknown-order-resolver.ts';
import type { VenueOrder } from './venue-orders.ts';

export class Places {
  readonly #deps: ExecutionDeps;
  readonly #reporter: ExecutionReporter;
  readonly #resolver: UnknownOrderResolver;

  constructor(deps: ExecutionDeps, reporter: ExecutionReporter, resolver: UnknownOrderResolver) {
    this.#deps = deps;
    this.#reporter = reporter;
    this.#resolver = resolver;
  }

  send(places: readonly PlaceOrder[]): void {
    const orders = this.sign(places);
    const { mostPlaces } = this.#deps.terms();
    try {
      for (const batch of batches(orders, mostPlaces)) this.#send(batch);
    } finally {
      this.expect(orders);
    }
  }

  /** Signs orders and stores them; from now on they may be at the venue. */
  sign(places: readonly PlaceOrder[]): readonly VenueOrder[] {
    if (places.length === 0) return [];
    const { signer, records, view, orders } = this.#deps;
    const { epoch } = records;
    const rows = places.map((place) => {
      const { limits, acceptedFeeBps, info } = view.market(place.market);
      // Risk lets no order pass where the fee is above what is accepted; the signature does not depend on that.
      const maxFeeBps = Math.min(limits.feeRateBps, acceptedFeeBps);
      return signer.sign(place, info.id, { timestampMs: view.now, epoch, maxFeeBps });
    });
    records.signed(rows);
    return rows.map((record) => orders.add(record));
  }

  /** Notes orders in their books and prepares the next signatures. Called after the write: no book frame is read in between. */
  expect(places: readonly VenueOrder[]): void {
    const { orders, signer } = this.#deps;
    for (const order of places) orders.placing(order);
    const last = places.at(-1)?.record.order;
    if (last !== undefined) signer.drawAhead(last);
  }

  #send(orders: readonly VenueOrder[]): void {
    const [only] = orders;
    if (only === undefined) return;
    if (orders.length === 1) {
      const variables = ['{"input":{"order":', wireOf(only), '}}'];
      const take = (outcome: Outcome<PlaceFieldsFragment>): void =>
        this.#answered(orders, outcome.type === 'done' ? { ...outcome, payload: [outcome.payload] } : outcome);
      mutate(this.#deps, OPERATIONS.placeOrder, variables, (data) => data.placeOrder, take);
      return;
    }
    mutate(
      this.#deps,
      OPERATIONS.placeOrders,
      withOrders('{"input":{"orders":[', orders, ']}}'),
      (data) => data.placeOrders?.results ?? null,
      (outcome) => this.#answered(orders, outcome),
    );
  }

  #answered(orders: readonly VenueOrder[], outcome: Outcome<readonly PlaceFieldsFragment[]>): void {
    for (const [at, order] of orders.entries()) {
      if (outcome.type === 'done') this.#result(order, outcome.payload[at]);
      else this.#notPlaced(order, outcome);
    }
  }

  #result(order: VenueOrder, result: PlaceFieldsFragment | undefined): void {
    if (result?.accepted === true) order.life.answered();
    else if (result?.rejection === null || result === undefined) this.#resolver.open(order);
    else this.#refused(order, result.rejection.reason, result.rejection.retryAfterMs ?? 0);
  }

  #notPlaced(order: VenueOrder, outcome: Exclude<Outcome<never>, { type: 'done' }>): void {
    if (outcome.type === 'refused') this.#refused(order, outcome.reason, outcome.retryAfterMs);
    else if (!outcome.sent) this.#reporter.rejected(order, 'NOT_FOUND');
    else this.#resolver.open(order);
  }

  #refused(order: VenueOrder, reason: RejectReason, retryAfterMs: number): void {
    if (reason === 'RATE_LIMITED') this.#deps.trouble({ type: 'limited', bucket: 'order', retryAfterMs });
    if (reason === 'STALE_EPOCH') this.#deps.trouble({ type: 'epoch' });
    this.#reporter.rejected(order, reason);
  }
}

/** The list of orders between two texts. */
export function withOrders(before: string, orders: readonly VenueOrder[], after: string): readonly Piece[] {
  const pieces: Piece[] = [before];
  for (let at = 0; at < orders.length; at += 1)
    pieces.push(at === 0 ? '{"order":' : ',{"order":', wireOf(orders[at]!), '}');
  pieces.push(after);
  return pieces;
}

/** The signed order as it is sent. */
function wireOf({ record }: VenueOrder): Piece {
  return record.wireBytes ?? record.wire;
}
