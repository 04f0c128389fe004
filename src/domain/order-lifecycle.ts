/**
 * The bot's knowledge of an order's state, from sending to the end.
 *
 *     sent ── no answer in time ──> unknown ── late answer ──> sent
 *     sent or unknown ── accepted, filled in part, or reduced ──> live
 *     sent or unknown ── rejected ──> ended
 *     any status ── closed, or nothing remains ──> ended
 *
 * Invariants: every event is allowed in every status. A late, repeated or impossible event changes nothing and returns
 * false. `remaining` never rises, and nothing changes after `ended`.
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

  requested(request: Exclude<OrderRequest, 'none'>): boolean {
    if (this.hasEnded || this.#request === 'cancel' || this.#request === request) return false;
    this.#request = request;
    return true;
  }

  requestRefused(): boolean {
    if (this.hasEnded || this.#request === 'none') return false;
    this.#request = 'none';
    return true;
  }

  accepted(): boolean {
    if (!this.isUnconfirmed) return false;
    this.#status = 'live';
    return true;
  }

  uncertain(): boolean {
    if (this.#status !== 'sent') return false;
    this.#status = 'unknown';
    return true;
  }

  /** Called at a late answer, which the venue's stream has not confirmed yet. */
  answered(): boolean {
    if (this.#status !== 'unknown') return false;
    this.#status = 'sent';
    return true;
  }

  /** Called at a partial or complete fill. @param left remaining size */
  filled(left: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#status = 'live';
    this.#shrink(left);
    return true;
  }

  /** Called when the venue reduced the order. @param left remaining size */
  reduced(left: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#status = 'live';
    if (this.#request === 'reduce') this.#request = 'none';
    this.#shrink(left);
    return true;
  }

  rejected(): boolean {
    if (!this.isUnconfirmed) return false;
    this.#status = 'ended';
    return true;
  }

  ended(): boolean {
    if (this.hasEnded) return false;
    this.#status = 'ended';
    return true;
  }

  #shrink(left: MicroShares): void {
    this.#remaining = minShares(this.#remaining, left);
    if (this.#remaining === 0) this.#status = 'ended';
  }
}
