/**
 * The bot's knowledge of an order's state, from sending to the end.
 *
 *     sent ── no answer in time ──> unknown ── late answer ──> sent
 *     sent or unknown ── accepted, filled in part, or reduced ──> live
 *     sent or unknown ── rejected ──> ended
 *     any status ── closed, or nothing remains ──> ended
 *
 * Invariants: every event is allowed in every status. A handler returns false and changes nothing if the status or the
 * request rules the event out. `remaining` never rises, and nothing changes after `ended`.
 */
import { type MicroShares, minShares } from './units.ts';

/** `sent`: no answer yet. `unknown`: no answer in time. `live`: open at the venue. `ended`: closed or rejected. */
export type LifecycleStatus = 'sent' | 'unknown' | 'live' | 'ended';

/** The request that waits for an answer. A cancel outranks a reduce. */
export type OrderRequest = 'none' | 'reduce' | 'cancel';

export class OrderLifecycle {
  #remaining: MicroShares;
  #status: LifecycleStatus;
  #request: OrderRequest;

  constructor(remaining: MicroShares, status: LifecycleStatus = 'sent', request: OrderRequest = 'none') {
    this.#remaining = remaining;
    this.#status = status;
    this.#request = request;
  }

  get status(): LifecycleStatus {
    return this.#status;
  }

  get request(): OrderRequest {
    return this.#request;
  }

  get remaining(): MicroShares {
    return this.#remaining;
  }

  get isLive(): boolean {
    return this.#status === 'live';
  }

  get hasEnded(): boolean {
    return this.#status === 'ended';
  }

  /** Whether the venue has not confirmed yet that it has the order. */
  get isUnconfirmed(): boolean {
    return this.#status === 'sent' || this.#status === 'unknown';
  }

  onRequested(request: Exclude<OrderRequest, 'none'>): boolean {
    if (this.hasEnded || this.#request === 'cancel' || this.#request === request) return false;
    this.#request = request;
    return true;
  }

  onRequestRejected(): boolean {
    if (this.hasEnded || this.#request === 'none') return false;
    this.#request = 'none';
    return true;
  }

  onAccepted(): boolean {
    if (!this.isUnconfirmed) return false;
    this.#status = 'live';
    return true;
  }

  onUncertain(): boolean {
    if (this.#status !== 'sent') return false;
    this.#status = 'unknown';
    return true;
  }

  /** Handles proof that the venue has the order. The venue's stream has not confirmed the order yet. */
  onFoundAtVenue(): boolean {
    if (this.#status !== 'unknown') return false;
    this.#status = 'sent';
    return true;
  }

  onFilled(remaining: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#status = 'live';
    this.#shrink(remaining);
    return true;
  }

  onReduced(remaining: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#status = 'live';
    if (this.#request === 'reduce') this.#request = 'none';
    this.#shrink(remaining);
    return true;
  }

  onRejected(): boolean {
    if (!this.isUnconfirmed) return false;
    this.#status = 'ended';
    return true;
  }

  onEnded(): boolean {
    if (this.hasEnded) return false;
    this.#status = 'ended';
    return true;
  }

  #shrink(remaining: MicroShares): void {
    this.#remaining = minShares(this.#remaining, remaining);
    if (this.#remaining === 0) this.#status = 'ended';
  }
}
