/**
 * Replaces: cancels and places that happen in one step, or not at all. One whose answer was lost is settled by the stream or by
 * `UnknownOrderResolver`.
 */
import type { RejectReason, ReplaceOrders } from '../../../domain/index.ts';
import { OPERATIONS, type ReplaceFieldsFragment } from '../../../protocol/index.ts';
import type { Cancels } from './cancels.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import type { ExecutionReporter } from './execution-reporter.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { MissingOrders } from './missing-orders.ts';
import { type Places, withOrders } from './places.ts';
import { mutate, type Outcome } from './requests.ts';
import type { UnknownOrderResolver } from './unknown-order-resolver.ts';
import type { SentReplace, VenueOrder } from './venue-orders.ts';

interface ReplaceParts {
  readonly reporter: ExecutionReporter;
  readonly held: HeldRefusals;
  readonly missing: MissingOrders;
  readonly cancels: Cancels;
  readonly resolver: UnknownOrderResolver;
  readonly places: Places;
  /** Position of the own stream: fills after it stop a replace. */
  readonly stream: { readonly seq: number };
}

export class Replaces {
  readonly #deps: ExecutionDeps;
  readonly #parts: ReplaceParts;

  constructor(deps: ExecutionDeps, parts: ReplaceParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  send(command: ReplaceOrders): void {
    const { orders, view, timers } = this.#deps;
    const known = command.cancels.map(({ order }) => orders.byNumber(order));
    const places = this.#parts.places.sign(command.places);
    const cancels = known.filter((order) => order !== undefined);
    if (cancels.length < known.length) {
      this.#parts.places.expect(places);
      // One of them has ended already: the venue would do nothing of it.
      timers.soon(() => this.#stopped(command, cancels, places, () => 'ALREADY_FINAL'));
      return;
    }
    const replace: SentReplace = { cancels, places, committed: false };
    for (const order of cancels) order.leavesWith = replace;
    for (const order of places) order.arrivesWith = replace;
    const ids = cancels.map(({ hash }) => `"${hash}"`).join(',');
    const head = `{"input":{"marketId":"${view.market(command.market).info.id}","cancelOrderIds":[${ids}],"place":[`;
    const variables = withOrders(head, places, `],"ifNoFillSince":"${this.#parts.stream.seq}"}}`);
    try {
      mutate(
        this.#deps,
        OPERATIONS.replaceOrders,
        variables,
        (data) => data.replaceOrders,
        (outcome) => this.#answered(command, replace, outcome),
      );
    } finally {
      for (const order of cancels) orders.cancelling(order);
      this.#parts.places.expect(places);
    }
  }

  #answered(command: ReplaceOrders, replace: SentReplace, outcome: Outcome<ReplaceFieldsFragment>): void {
    const { cancels, places } = replace;
    if (outcome.type === 'unknown' && outcome.sent) {
      for (const order of places) this.#parts.resolver.open(order);
      if (places.length === 0) this.#parts.cancels.want(cancels, false);
      return;
    }
    if (outcome.type === 'done' && outcome.payload.committed) {
      for (const order of places) order.life.answered();
      return;
    }
    for (const order of cancels) if (order.leavesWith === replace) order.leavesWith = undefined;
    if (outcome.type !== 'done') {
      const reason = outcome.type === 'refused' ? outcome.reason : 'NOT_FOUND';
      this.#stopped(command, cancels, places, () => reason);
      return;
    }
    this.#refused(command, replace, outcome.payload);
  }

  /** Each entry of a set that failed has its own reason, or stays because of the others. */
  #refused(command: ReplaceOrders, { cancels, places }: SentReplace, payload: ReplaceFieldsFragment): void {
    const { cancelled, placed, rejection } = payload;
    const whole = rejection?.reason ?? 'CONFLICT';
    if (whole === 'RATE_LIMITED') {
      this.#deps.trouble({ type: 'limited', bucket: 'order', retryAfterMs: rejection?.retryAfterMs ?? 0 });
    }
    const results = cancels.flatMap((order, at) => {
      const result = cancelled[at];
      return result === undefined ? [] : [[order, result] as const];
    });
    const own = new Map<VenueOrder, RejectReason>();
    for (const [order, result] of results) if (result.rejection !== null) own.set(order, result.rejection.reason);
    for (const [at, order] of places.entries()) {
      const reason = placed[at]?.rejection?.reason;
      if (reason !== undefined) own.set(order, reason);
    }
    if ([...own.values()].includes('STALE_EPOCH')) this.#deps.trouble({ type: 'epoch' });
    const other = own.size === 0 ? whole : 'CONFLICT';
    const reasonOf = (order: VenueOrder): RejectReason => own.get(order) ?? other;
    this.#parts.held.hold(results, () => this.#stopped(command, cancels, places, reasonOf, true));
  }

  /** Nothing of a replace happened. @param isAnswered whether these are the venue's own reasons */
  #stopped(
    { cancels: named, market }: ReplaceOrders,
    cancels: readonly VenueOrder[],
    places: readonly VenueOrder[],
    reasonOf: (order: VenueOrder) => RejectReason,
    isAnswered = false,
  ): void {
    const { reporter, missing } = this.#parts;
    for (const order of cancels) {
      if (order.leavesWith?.places === places) order.leavesWith = undefined;
      if (isAnswered) missing.refused(order, reasonOf(order));
      else reporter.cancelRefused(order.record, reasonOf(order));
    }
    for (const { order } of named) {
      if (!cancels.some(({ record }) => record.order === order)) {
        reporter.cancelRefused({ order, market }, 'ALREADY_FINAL');
      }
    }
    for (const order of places) reporter.rejected(order, reasonOf(order));
  }
}
