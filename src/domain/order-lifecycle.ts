/**
 * What one holder knows of an order, from the moment it is sent until it ends.
 *
 *     sent ── no answer came ──> unknown ── an answer came after all ──> sent
 *     sent or unknown ── accepted, filled in part, or reduced ──> live
 *     sent or unknown ── rejected ──> ended
 *     any phase ── closed, or nothing remains ──> ended
 *
 * Invariants: total, every event is allowed in every phase. A late, repeated or impossible event changes nothing and answers
 * false. `remaining` never rises, and nothing changes after `ended`.
 */
import { type MicroShares, minShares } from './units.ts';

/** `sent` the venue has not answered; `unknown` no answer came in time; `live` the venue has it; `ended` it is over. */
export type LifecyclePhase = 'sent' | 'unknown' | 'live' | 'ended';

/** What was requested and is not answered. A cancel outranks a reduce. */
export type OrderRequest = 'none' | 'reduce' | 'cancel';

export class OrderLifecycle {
  #phase: LifecyclePhase = 'sent';
  #request: OrderRequest = 'none';
  #remaining: MicroShares;

  /** @param shares size of the order */
  constructor(shares: MicroShares) {
    this.#remaining = shares;
  }

  /** Continues where an earlier holder ended. */
  static restored(phase: LifecyclePhase, remaining: MicroShares, request: OrderRequest): OrderLifecycle {
    const life = new OrderLifecycle(remaining);
    life.#phase = phase;
    life.#request = request;
    return life;
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

  /** The venue has it and has not ended it. */
  get isLive(): boolean {
    return this.#phase === 'live';
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** Whether the venue may still turn out never to have had it. */
  get isUnconfirmed(): boolean {
    return this.#phase === 'sent' || this.#phase === 'unknown';
  }

  /** A cancel or reduce was sent. */
  requested(request: Exclude<OrderRequest, 'none'>): boolean {
    if (this.hasEnded || this.#request === 'cancel' || this.#request === request) return false;
    this.#request = request;
    return true;
  }

  /** The venue refused what was requested. */
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

  /** No answer came: the venue has it, or never had it. */
  uncertain(): boolean {
    if (this.#phase !== 'sent') return false;
    this.#phase = 'unknown';
    return true;
  }

  /** An answer came after all; the venue's stream has not confirmed it. */
  answered(): boolean {
    if (this.#phase !== 'unknown') return false;
    this.#phase = 'sent';
    return true;
  }

  /** Part of it traded, or all. @param left what remains */
  filled(left: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#phase = 'live';
    this.#shrink(left);
    return true;
  }

  /** The venue took size off. @param left what remains */
  reduced(left: MicroShares): boolean {
    if (this.hasEnded) return false;
    this.#phase = 'live';
    if (this.#request === 'reduce') this.#request = 'none';
    this.#shrink(left);
    return true;
  }

  /** The venue never had it. */
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
