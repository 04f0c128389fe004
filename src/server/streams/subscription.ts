/** One subscriber of one stream. Handles slow consumers. */
import type { Viewer } from '../graphql/context.ts';
import type { SubscriptionPlan } from '../graphql/request.ts';
import type { SocketWriter } from './socket/socket-writer.ts';

/**
 * Selects what a slow subscriber gets when it reads again (docs/spec/venue.md#slow-consumers). `lossless`: all
 * messages, or the connection is closed. `newest`: the newest missed value of each key. `fresh`: what `refresh` sends.
 */
export type SlowPolicy = { readonly kind: 'lossless' | 'newest' } | { readonly kind: 'fresh'; refresh(): void };

/** Memory of a missed key in bytes, without the shared value. */
const KEY_BYTES = 64;
/** Limit of bytes of a slow subscriber's missed keys, enough for some ten thousand markets. */
const MAX_MISSED_BYTES = 1_048_576;

export class Subscription {
  /** Subscribers whose plans have the same `shape` get the same bytes. */
  readonly plan: SubscriptionPlan;
  /** The subscriber; undefined for a public stream without credentials. */
  readonly viewer: Viewer | undefined;
  /** Set by the feed. */
  slowPolicy: SlowPolicy = { kind: 'lossless' };
  /** Removes the subscriber from its feed. The feed sets `leave` before its first message, which may fail. */
  leave: (() => void) | undefined;
  readonly #messageStart: Buffer;
  readonly #writer: SocketWriter;
  readonly #missed = new Map<string, Buffer>();
  #isBehind = false;
  readonly #catchUp = (): void => this.#sendMissed();

  constructor(id: string, plan: SubscriptionPlan, viewer: Viewer | undefined, writer: SocketWriter) {
    this.plan = plan;
    this.viewer = viewer;
    this.#messageStart = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    this.#writer = writer;
  }

  /** Whether messages are skipped, because the subscriber is slow. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Sends a serialized event. A slow subscriber may get only the newest event of a `key`. */
  deliver(messageEnd: Buffer, key: string): void {
    const { slowPolicy } = this;
    if (slowPolicy.kind === 'lossless' || !(this.#isBehind || this.#writer.isAboveSoftLimit)) {
      this.#writer.queueFrame(this.#messageStart, messageEnd, this.plan.field);
      return;
    }
    this.#writer.counts.skipped += 1;
    if (!this.#isBehind) {
      this.#isBehind = true;
      this.#writer.addDrainListener(this.#catchUp);
    }
    if (slowPolicy.kind === 'newest') {
      this.#missed.set(key, messageEnd);
      if (this.#missed.size * KEY_BYTES > MAX_MISSED_BYTES) this.#writer.closeAsSlow(this.plan.field);
    }
  }

  end(): void {
    this.#writer.removeDrainListener(this.#catchUp);
    this.#missed.clear();
  }

  #sendMissed(): void {
    this.#isBehind = false;
    this.#writer.counts.recovered += 1;
    if (this.slowPolicy.kind === 'fresh') {
      this.slowPolicy.refresh();
      return;
    }
    const missed = [...this.#missed];
    this.#missed.clear();
    for (const [key, messageEnd] of missed) this.deliver(messageEnd, key);
  }
}
