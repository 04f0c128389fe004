/**
 * The known state of an order, from sending until its end.
 *
 *     sent ── no answer in time ──> unknown ── late answer ──> sent
 *     sent or unknown ── accepted, filled in part, or reduced ──> live
 *     sent or unknown ── rejected ──> ended
 *     any phase ── closed, or nothing remains ──> ended
 *
 * Invariants: every event is allowed in every phase. A late, repeated or impossible event changes nothing and returns
 * false. `remaining` never rises, and nothing changes after `ended`.
 */
import { type MicroShares, minShares } from './units.ts';

/** `sent`: no answer yet. `unknown`: no answer in time. `live`: the venue has the order. `ended`: the order is closed. */
export type LifecyclePhase = 'sent' | 'unknown' | 'live' | 'ended';

/** The request without an answer yet. A cancel outranks a reduce. */
export type OrderRequest = 'none' | 'reduce' | 'cancel';

export class OrderLifecycle {
  #phase: LifecyclePhase = 'sent';
  #request: OrderRequest = 'none';
  #remaining: MicroShares;

  constructor(shares: MicroShares) {
    this.#remaining = shares;
  }

  /** Restores the state of an earlier process. */
  static restored(phase: LifecyclePhase, remaining: MicroShares, request: OrderRequest): OrderLifecycle {
    const lifecycle = new OrderLifecycle(remaining);
    lifecycle.#phase = phase;
    lifecycle.#request = request;
    return lifecycle;
  }

  get phase(): LifecyclePhase {
    return this.#phase;
  }

  get request(): OrderRequest {
    return this.#request;
  }

  get remaining(): MicroShares {
    return this.#remaining;
  }

  get isLive(): boolean {
    return this.#phase === 'live';
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** Whether the venue may not have the order. */
  get isUnconfirmed(): boolean {
    return this.#phase === 'sent' || this.#phase === 'unknown';
  }

  /** A cancel or reduce was sent. */
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
    this.#phase = 'live';
    return true;
  }

  /** Called when no answer arrived in time. */
  uncertain(): boolean {
    if (this.#phase !== 'sent') return false;
    this.#phase = 'unknown';
    return true;
  }

  /** Called for a late answer, which the venue's stream has not confirmed yet. */
  answered(): boolean {
    if (this.#phase !== 'unknown') return false;
    this.#phase = 'sent';
    return true;
  }

  /** A part or all was filled. @param left remaining size */
  filled(left: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#phase = 'live';
    this.#shrink(left);
    return true;
  }

  /** The venue reduced the order. @param left remaining size */
  reduced(left: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#phase = 'live';
    if (this.#request === 'reduce') this.#request = 'none';
    this.#shrink(left);
    return true;
  }

  rejected(): boolean {
    if (!this.isUnconfirmed) return false;
    this.#phase = 'ended';
    return true;
  }

  ended(): boolean {
    if (this.hasEnded) return false;
    this.#phase = 'ended';
    return true;
  }

  #shrink(left: MicroShares): void {
    this.#remaining = minShares(this.#remaining, left);
    if (this.#remaining === 0) this.#phase = 'ended';
  }
}
