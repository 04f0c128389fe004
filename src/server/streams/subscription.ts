/** One subscriber of one stream: his id, his way out, and what happens when he reads too slowly. */
import type { Arguments, Viewer } from '../graphql/context.ts';
import type { SubscriptionPlan } from '../graphql/request.ts';
import type { Outlet } from './socket/outlet.ts';

/**
 * What a slow consumer gets when he has read on (docs/spec/venue.md#slow-consumers). `lossless`: everything, or he is
 * closed. `newest`: of what he missed the newest by key. `fresh`: whatever `refresh` sends.
 */
export type Slow = { readonly kind: 'lossless' | 'newest' } | { readonly kind: 'fresh'; refresh(): void };

const LOSSLESS: Slow = { kind: 'lossless' };
/** What a kept key costs besides its bytes, which are shared. */
const KEY_BYTES = 64;

export class Subscription {
  readonly plan: SubscriptionPlan;
  /** Whose it is; undefined for a public stream without credentials. */
  readonly viewer: Viewer | undefined;
  /** Set by the feed that takes it in. */
  slow: Slow = LOSSLESS;
  readonly #beginning: Buffer;
  readonly #outlet: Outlet;
  readonly #missed = new Map<string, Buffer>();
  #isBehind = false;
  readonly #catchUp = (): void => this.#caughtUp();

  constructor(id: string, plan: SubscriptionPlan, viewer: Viewer | undefined, outlet: Outlet) {
    this.plan = plan;
    this.viewer = viewer;
    this.#beginning = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    this.#outlet = outlet;
  }

  /** Names how the answers look: whoever has the same gets the same bytes. */
  get shape(): string {
    return this.plan.shape;
  }

  get args(): Arguments {
    return this.plan.args;
  }

  /** Waits for the consumer to read on. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Hands on what `Topic` packed. @param key names what a newer one stands for, too */
  deliver(rest: Buffer, key: string): void {
    const { slow } = this;
    if (slow.kind === 'lossless' || !(this.#isBehind || this.#outlet.isFull)) {
      this.#outlet.frame(this.#beginning, rest, this.plan.field);
      return;
    }
    this.#outlet.counts.leftOut += 1;
    if (!this.#isBehind) {
      this.#isBehind = true;
      this.#outlet.whenDrained(this.#catchUp);
    }
    if (slow.kind === 'newest') {
      this.#missed.set(key, rest);
      if (this.#missed.size * KEY_BYTES > MAX_MISSED) this.#outlet.giveUp(this.plan.field);
    }
  }

  /** Nothing more is delivered. */
  end(): void {
    this.#outlet.forget(this.#catchUp);
    this.#missed.clear();
  }

  #caughtUp(): void {
    this.#isBehind = false;
    this.#outlet.counts.caughtUp += 1;
    if (this.slow.kind === 'fresh') {
      this.slow.refresh();
      return;
    }
    const missed = [...this.#missed];
    this.#missed.clear();
    for (const [key, rest] of missed) this.deliver(rest, key);
  }
}

/** Bytes of keys that a slow consumer may have waiting: some ten thousand markets. */
const MAX_MISSED = 1_048_576;
