/** Limits of connections and subscriptions per IP address. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/domain/index.ts';
import type { SubscriptionPlan } from '../../../src/server/graphql/request.ts';
import { STREAM_LIMITS } from '../../../src/server/streams/options.ts';
import { PerIpQuota } from '../../../src/server/streams/per-ip-quota.ts';
import { RawClient } from './raw-client.ts';
import { idOf, Venue } from './venue.ts';

function planOf(shape: string, args: SubscriptionPlan['args'] = {}): SubscriptionPlan {
  return { field: 'priceUpdated', key: 'p', args, shape, answerEvent: () => ({ data: { from: shape } }) };
}

describe('the quota of an address', () => {
  const limits = { ...STREAM_LIMITS, maxPerAddress: 2, maxShapes: 2, maxShapeCharacters: 20 };

  it('counts an IPv6 network as one', () => {
    const quota = new PerIpQuota(limits);
    const ends = [quota.addConnection('2001:db8::1'), quota.addConnection('2001:db8::ffff')];
    expect([quota.hasMaxConnections('2001:db8::2'), quota.hasMaxConnections('2001:db8:0:1::1')]).toEqual([true, false]);
    ends[0]?.();
    expect(quota.hasMaxConnections('2001:db8::2')).toBe(false);
  });

  it('gives no new burst of messages to an address that closes its last connection and connects again', () => {
    const quota = new PerIpQuota({ ...limits, anonymousMessagesPerSecond: 1 });
    const take = (now: number): boolean => quota.consumeMessage('1.1.1.1', epochMs(now));
    const end = quota.addConnection('1.1.1.1');
    expect([take(0), take(0), take(0)]).toEqual([true, true, false]);
    end();
    quota.addConnection('1.1.1.1');
    expect([take(0), take(1_000), take(1_000)]).toEqual([false, true, false]);
  });

  it('limits the shapes of subscriptions and frees a shape when its last subscription ends', () => {
    const quota = new PerIpQuota(limits);
    const first = quota.subscribe('1.1.1.1', planOf('a'));
    const again = quota.subscribe('1.1.1.1', planOf('a', { marketId: 'x' }));
    quota.subscribe('1.1.1.1', planOf('b'));
    const third = () => quota.subscribe('1.1.1.1', planOf('c'));
    expect(third).toThrow('more than 2 different subscriptions of one address');
    expect(() => quota.subscribe('1.1.1.2', planOf('c'))).not.toThrow();
    first.release();
    expect(third).toThrow();
    again.release();
    expect(third).not.toThrow();
  });

  it('counts each depth of a book', () => {
    const quota = new PerIpQuota(limits);
    quota.subscribe('1.1.1.1', planOf('a', { depth: 1 }));
    quota.subscribe('1.1.1.1', planOf('a', { depth: 2 }));
    expect(() => quota.subscribe('1.1.1.1', planOf('a', { depth: 3 }))).toThrow('different subscriptions');
  });

  it('limits the total characters of all shapes', () => {
    const quota = new PerIpQuota(limits);
    const { release } = quota.subscribe('1.1.1.1', planOf('a'.repeat(15)));
    const second = () => quota.subscribe('1.1.1.1', planOf('b'.repeat(6)));
    expect(second).toThrow('more than 20 characters');
    release();
    expect(second).not.toThrow();
  });

  it('limits the number of subscriptions', () => {
    const quota = new PerIpQuota({ ...limits, maxSubscriptionsPerAddress: 1 });
    const { release } = quota.subscribe('1.1.1.1', planOf('a'));
    expect(() => quota.subscribe('1.1.1.1', planOf('a'))).toThrow('more than 1 subscriptions');
    release();
    expect(() => quota.subscribe('1.1.1.1', planOf('a'))).not.toThrow();
  });

  it('counts each market in a list of markets as a subscription', () => {
    const quota = new PerIpQuota({ ...limits, maxSubscriptionsPerAddress: 10 });
    const six = { marketIds: Array.from({ length: 6 }, (_, market) => idOf(market)) };
    const { release } = quota.subscribe('1.1.1.1', planOf('a', six));
    expect(() => quota.subscribe('1.1.1.1', planOf('a', six))).toThrow('counting each market');
    release();
    expect(() => quota.subscribe('1.1.1.1', planOf('a', six))).not.toThrow();
  });

  it('shares the plan of a shape among addresses, but not the arguments of subscriptions', () => {
    const quota = new PerIpQuota(limits);
    const first = quota.subscribe('1.1.1.1', planOf('a', { marketId: 'x' }));
    const second = quota.subscribe('1.1.1.2', planOf('a', { marketId: 'y' }));
    expect(second.plan.answerEvent).toBe(first.plan.answerEvent);
    expect(second.plan.args).toEqual({ marketId: 'y' });
  });
});

describe('a client with a quota', () => {
  let venue: Venue;
  beforeEach(async () => {
    venue = await Venue.open({ maxShapes: 2, maxIdCharacters: 10 });
    await venue.account();
    await venue.market();
  });
  afterEach(async () => {
    expect(venue.errors).toEqual([]);
    await venue.close();
  });
  const trades = (key: string): string => `subscription { ${key}: tradeExecuted(marketId: "${idOf(0)}") { priceBps } }`;

  it('gets an error for a shape above the limit, and its other subscriptions continue', async () => {
    const [client, other] = [await RawClient.ready(venue.url), await RawClient.ready(venue.url)];
    client.subscribe('1', trades('a'));
    other.subscribe('1', trades('b'));
    client.subscribe('2', trades('c'));
    const message =
      'more than 2 different subscriptions of one address: request the same fields in all of them; markets may differ';
    expect(await client.next()).toEqual({ id: '2', type: 'error', payload: [{ message, path: ['c'] }] });
    await other.close();
    await expect.poll(() => venue.streams.traffic.subscriptions).toBe(1);
    client.subscribe('2', trades('c'));
    await expect.poll(() => venue.streams.traffic.subscriptions).toBe(2);
  });

  it('frees its quota when a subscription fails to start', async () => {
    const client = await RawClient.ready(venue.url);
    for (let id = 0; id < 5; id += 1) {
      client.subscribe(String(id), `subscription { a${id}: tradeExecuted(marketId: "nonsense") { priceBps } }`);
      expect((await client.next()).payload.errors[0]?.message).toMatch(/^invalid market ID/);
      expect((await client.next()).type).toBe('complete');
    }
    client.subscribe('good', trades('a'));
    await expect.poll(() => venue.streams.traffic.subscriptions).toBe(1);
  });

  it('is refused when the id of a subscription is too long', async () => {
    const client = await RawClient.ready(venue.url);
    client.subscribe('x'.repeat(11), trades('a'));
    expect(await client.next()).toMatchObject({
      type: 'error',
      payload: [{ message: 'the id of a subscription has more than 10 characters', path: [] }],
    });
  });
});
