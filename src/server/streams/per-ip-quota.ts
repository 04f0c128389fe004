/**
 * Limits connections, subscriptions and answer shapes of each address.
 *
 * An event is serialized once for each subscribed selection (shape). With a thousand shapes, one client would make each
 * book change cost a thousand answers, and each order wait for them. So the number of shapes and the length of their
 * text are limited. Subscriptions of one shape share one plan and get one frame each.
 *
 * IPv6 addresses count by their first 64 bits: an owner of one of them has all the others.
 */

import type { EpochMs } from '../../domain/index.ts';
import { WireFault } from '../../protocol/index.ts';
import { networkOf } from '../access/ip-list.ts';
import type { SubscriptionPlan } from '../graphql/request.ts';
import type { StreamLimits } from './options.ts';
import { MessageRate } from './socket/message-rate.ts';

/** Bounds of one address: `StreamLimits`. */
export type PerIpLimits = Pick<
  StreamLimits,
  'maxPerAddress' | 'maxSubscriptionsPerAddress' | 'maxShapes' | 'maxShapeCharacters' | 'strangersMessagesPerSecond'
>;

interface Share {
  /** Messages of those without credentials. */
  readonly messages: MessageRate;
  connections: number;
  /** Those of a list of markets as often as it has any. */
  subscriptions: number;
  /** Of all its shapes. */
  characters: number;
  /** Subscriptions of each shape. */
  readonly shapes: Map<string, number>;
}

interface Shared {
  readonly frame: SubscriptionPlan['frame'];
  readonly shape: string;
  subscriptions: number;
}

/** The usage of all addresses. */
export class PerIpQuota {
  readonly #limits: PerIpLimits;
  readonly #shares = new Map<string, Share>();
  /** By shape, of all addresses. */
  readonly #shared = new Map<string, Shared>();

  constructor(limits: PerIpLimits) {
    this.#limits = limits;
  }

  /** Whether the address has reached its connection limit. */
  isFull(ip: string): boolean {
    return (this.#shares.get(networkOf(ip))?.connections ?? 0) >= this.#limits.maxPerAddress;
  }

  /** Counts a connection. @returns a function that ends it; call it once */
  connect(ip: string): () => void {
    const share = this.#shareOf(ip);
    share.connections += 1;
    return () => {
      share.connections -= 1;
      this.#forget(ip, share);
    };
  }

  /** Whether a message of a connection without credentials is within the rate of its address. */
  takeMessage(ip: string, now: EpochMs): boolean {
    return this.#shareOf(ip).messages.take(now);
  }

  /**
   * Counts a subscription.
   * @returns the plan shared by its shape, and a function that ends it; call it once
   * @throws WireFault when the address has too many open
   */
  subscribe(ip: string, plan: SubscriptionPlan): { readonly plan: SubscriptionPlan; leave(): void } {
    const share = this.#shareOf(ip);
    const cost = costOf(plan);
    const places = placesOf(plan);
    this.#assertRoom(share, cost, places);
    const shared = this.#shared.get(plan.shape) ?? { frame: plan.frame, shape: plan.shape, subscriptions: 0 };
    this.#shared.set(plan.shape, shared);
    shared.subscriptions += 1;
    share.subscriptions += places;
    const before = share.shapes.get(cost) ?? 0;
    share.shapes.set(cost, before + 1);
    if (before === 0) share.characters += cost.length;
    return {
      plan: { ...plan, frame: shared.frame, shape: shared.shape },
      leave: () => {
        shared.subscriptions -= 1;
        if (shared.subscriptions === 0) this.#shared.delete(shared.shape);
        share.subscriptions -= places;
        const left = (share.shapes.get(cost) ?? 1) - 1;
        if (left > 0) share.shapes.set(cost, left);
        else {
          share.shapes.delete(cost);
          share.characters -= cost.length;
        }
        this.#forget(ip, share);
      },
    };
  }

  #shareOf(ip: string): Share {
    const network = networkOf(ip);
    const known = this.#shares.get(network);
    if (known !== undefined) return known;
    const messages = new MessageRate(this.#limits.strangersMessagesPerSecond);
    const share = { messages, connections: 0, subscriptions: 0, characters: 0, shapes: new Map<string, number>() };
    this.#shares.set(network, share);
    return share;
  }

  #forget(ip: string, { connections, subscriptions }: Share): void {
    if (connections === 0 && subscriptions === 0) this.#shares.delete(networkOf(ip));
  }

  #assertRoom({ subscriptions, characters, shapes }: Share, cost: string, places: number): void {
    const { maxSubscriptionsPerAddress, maxShapes, maxShapeCharacters } = this.#limits;
    if (subscriptions + places > maxSubscriptionsPerAddress)
      throw tooMuch(`more than ${maxSubscriptionsPerAddress} subscriptions of one address, each market named counts`);
    if (shapes.has(cost)) return;
    const remedy = 'request the same fields in all of them; markets may differ';
    if (shapes.size >= maxShapes)
      throw tooMuch(`more than ${maxShapes} different subscriptions of one address: ${remedy}`);
    if (characters + cost.length > maxShapeCharacters)
      throw tooMuch(`more than ${maxShapeCharacters} characters in different subscriptions of one address: ${remedy}`);
  }
}

/** Identifies answers that look the same. A book has a shape for each depth. */
function costOf({ shape, args }: SubscriptionPlan): string {
  const { depth } = args;
  return typeof depth === 'number' ? `${depth} ${shape}` : shape;
}

/** A list of markets subscribes to the stream of each. */
function placesOf({ args: { marketIds } }: SubscriptionPlan): number {
  return Array.isArray(marketIds) ? Math.max(1, marketIds.length) : 1;
}

function tooMuch(problem: string): WireFault {
  return new WireFault('FORBIDDEN', problem);
}
