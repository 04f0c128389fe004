/**
 * Limits connections, subscriptions and answer shapes of each address.
 *
 * An event is serialized once per subscribed selection (shape). One client with a thousand shapes would make each book
 * change cost a thousand answers and delay all orders. So the number and the length of the shapes are limited.
 *
 * All IPv6 addresses of a /64 count together, because one owner has the whole /64.
 */
import type { EpochMs } from '../../domain/index.ts';
import { WireFault } from '../../protocol/index.ts';
import { TokenBucket } from '../access/buckets.ts';
import { toNetwork } from '../access/ip-list.ts';
import type { SubscriptionPlan } from '../graphql/request.ts';
import type { StreamLimits } from './options.ts';

export type PerIpLimits = Pick<
  StreamLimits,
  'maxPerAddress' | 'maxSubscriptionsPerAddress' | 'maxShapes' | 'maxShapeCharacters' | 'anonymousMessagesPerSecond'
>;

/** Maximum number of idle addresses whose message rates are kept. */
const MAX_IDLE_ADDRESSES = 10_000;

interface AddressUsage {
  /** Rate of messages without credentials. */
  readonly messages: TokenBucket;
  connections: number;
  /** Number of subscriptions, counting each market of a list. */
  subscriptions: number;
  /** Characters of all shapes. */
  characters: number;
  readonly shapes: Map<string, number>;
}

interface SharedPlan {
  readonly answerEvent: SubscriptionPlan['answerEvent'];
  readonly shape: string;
  subscriptions: number;
}

export class PerIpQuota {
  readonly #limits: PerIpLimits;
  readonly #usages = new Map<string, AddressUsage>();
  /** Message rates of idle addresses, oldest first, so that a reconnect gets no new burst. */
  readonly #idle = new Map<string, TokenBucket>();
  /** Plans by shape, shared by all addresses. */
  readonly #shared = new Map<string, SharedPlan>();

  constructor(limits: PerIpLimits) {
    this.#limits = limits;
  }

  /** Returns whether the address has reached its connection limit. */
  hasMaxConnections(ip: string): boolean {
    return (this.#usages.get(toNetwork(ip))?.connections ?? 0) >= this.#limits.maxPerAddress;
  }

  /** Counts a connection. Call the returned function once, when the connection ends. */
  addConnection(ip: string): () => void {
    const usage = this.#getUsage(ip);
    usage.connections += 1;
    return () => {
      usage.connections -= 1;
      this.#removeIfUnused(ip, usage);
    };
  }

  /** Counts a message of a connection without credentials. @returns whether its address is within the rate limit */
  consumeMessage(ip: string, now: EpochMs): boolean {
    return this.#getUsage(ip).messages.consume(1, now) === 0;
  }

  /**
   * Counts a subscription.
   * @returns the shared plan of the subscription's shape, and a function to call once when the subscription ends
   * @throws WireFault when the address exceeds a limit
   */
  subscribe(ip: string, plan: SubscriptionPlan): { readonly plan: SubscriptionPlan; release(): void } {
    const usage = this.#getUsage(ip);
    const key = shapeKey(plan);
    const { marketIds } = plan.args;
    const markets = Array.isArray(marketIds) ? Math.max(1, marketIds.length) : 1;
    this.#assertWithinLimits(usage, key, markets);
    const { answerEvent, shape } = plan;
    const shared = this.#shared.get(shape) ?? { answerEvent, shape, subscriptions: 0 };
    this.#shared.set(shape, shared);
    shared.subscriptions += 1;
    usage.subscriptions += markets;
    const before = usage.shapes.get(key) ?? 0;
    usage.shapes.set(key, before + 1);
    if (before === 0) usage.characters += key.length;
    return {
      plan: { ...plan, answerEvent: shared.answerEvent, shape: shared.shape },
      release: () => {
        shared.subscriptions -= 1;
        if (shared.subscriptions === 0) this.#shared.delete(shared.shape);
        usage.subscriptions -= markets;
        const remaining = (usage.shapes.get(key) ?? 1) - 1;
        if (remaining > 0) usage.shapes.set(key, remaining);
        else {
          usage.shapes.delete(key);
          usage.characters -= key.length;
        }
        this.#removeIfUnused(ip, usage);
      },
    };
  }

  #getUsage(ip: string): AddressUsage {
    const network = toNetwork(ip);
    const existing = this.#usages.get(network);
    if (existing !== undefined) return existing;
    const messages = this.#idle.get(network) ?? createMessageBucket(this.#limits.anonymousMessagesPerSecond);
    this.#idle.delete(network);
    const usage = { messages, connections: 0, subscriptions: 0, characters: 0, shapes: new Map<string, number>() };
    this.#usages.set(network, usage);
    return usage;
  }

  #removeIfUnused(ip: string, { connections, subscriptions, messages }: AddressUsage): void {
    const network = toNetwork(ip);
    if (connections > 0 || subscriptions > 0 || !this.#usages.delete(network)) return;
    this.#idle.set(network, messages);
    if (this.#idle.size <= MAX_IDLE_ADDRESSES) return;
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined) this.#idle.delete(oldest);
  }

  #assertWithinLimits({ subscriptions, characters, shapes }: AddressUsage, key: string, markets: number): void {
    const { maxSubscriptionsPerAddress, maxShapes, maxShapeCharacters } = this.#limits;
    if (subscriptions + markets > maxSubscriptionsPerAddress)
      throw tooMuch(`${maxSubscriptionsPerAddress} subscriptions per address, counting each market`);
    if (shapes.has(key)) return;
    const remedy = 'of one address: request the same fields in all of them; markets may differ';
    if (shapes.size >= maxShapes) throw tooMuch(`${maxShapes} different subscriptions ${remedy}`);
    if (characters + key.length > maxShapeCharacters)
      throw tooMuch(`${maxShapeCharacters} characters in different subscriptions ${remedy}`);
  }
}

function tooMuch(limit: string): WireFault {
  return new WireFault('FORBIDDEN', `more than ${limit}`);
}

/** Returns a key that is the same for subscriptions with equal answers. The key includes the book depth. */
function shapeKey({ shape, args }: SubscriptionPlan): string {
  const { depth } = args;
  return typeof depth === 'number' ? `${depth} ${shape}` : shape;
}

/** Makes a token bucket for messages that allows bursts of two seconds' messages. */
export function createMessageBucket(perSecond: number): TokenBucket {
  return new TokenBucket({ capacity: 2 * perSecond, perSecond }, 0);
}
