import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { Buckets, TokenBucket } from '../../../src/server/access/buckets.ts';
import { toNetwork } from '../../../src/server/access/ip-list.ts';
import type { BucketName, BucketSize } from '../../../src/server/access/settings.ts';
import type { Viewer } from '../../../src/server/graphql/context.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { bearer, logIn, openVenue, unwrap } from './harness.ts';

const sizes = fc.record({
  capacity: fc.integer({ min: 1, max: 5_000 }),
  perSecond: fc.integer({ min: 1, max: 5_000 }),
});
const calls = fc.array(
  fc.record({ after: fc.oneof(fc.nat(50), fc.nat(20_000)), count: fc.integer({ min: 1, max: 300 }) }),
  {
    maxLength: 100,
  },
);

describe('a token bucket', () => {
  it('gives exactly the accrued tokens for any sequence of calls, compared with a model in bigint fractions', () => {
    fc.assert(
      fc.property(sizes, calls, (size, list) => {
        const bucket = new TokenBucket(size, 0);
        const max = BigInt(size.capacity) * 1_000n;
        let level = max;
        let now = 0;
        for (const { after, count } of list) {
          now += after;
          level += BigInt(after) * BigInt(size.perSecond);
          if (level > max) level = max;
          const price = BigInt(Math.min(count, size.capacity)) * 1_000n;
          const wait = bucket.consume(count, now);
          expect(wait === 0).toBe(level >= price);
          if (level >= price) level -= price;
          expect(BigInt(bucket.refill(now))).toBe(level);
        }
      }),
    );
  });

  it('never gives more in a window than its capacity and the accrued tokens', () => {
    fc.assert(
      fc.property(sizes, calls, (size, list) => {
        const bucket = new TokenBucket(size, 0);
        const taken: { readonly at: number; readonly count: number }[] = [];
        let now = 0;
        for (const { after, count } of list) {
          now += after;
          if (count <= size.capacity && bucket.consume(count, now) === 0) taken.push({ at: now, count });
        }
        for (const [index, { at: begin }] of taken.entries()) {
          let sum = 0;
          for (const { at, count } of taken.slice(index)) {
            sum += count;
            expect(sum * 1_000).toBeLessThanOrEqual(size.capacity * 1_000 + (at - begin) * size.perSecond);
          }
        }
      }),
    );
  });

  it('has enough tokens after the reported wait and not a millisecond earlier', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 9_000 }), (size, count) => {
        const bucket = new TokenBucket(size, 0);
        bucket.consume(size.capacity, 0);
        const wait = bucket.consume(count, 0);
        expect(wait).toBeGreaterThan(0);
        expect(bucket.consume(count, wait - 1)).toBeGreaterThan(0);
        expect(bucket.consume(count, wait)).toBe(0);
      }),
    );
  });

  it('is unchanged when tokens are missing', () => {
    const size = { capacity: 10, perSecond: 1 };
    const bucket = new TokenBucket(size, 0);
    expect(bucket.consume(7, 0)).toBe(0);
    expect(bucket.consume(4, 0)).toBe(1_000);
    expect(bucket.consume(3, 0)).toBe(0);
  });

  it('keeps its level and refills after the clock was set back', () => {
    const size = { capacity: 10, perSecond: 1 };
    const bucket = new TokenBucket(size, 1_000_000);
    bucket.consume(10, 1_000_000);
    expect(bucket.consume(1, 5_000)).toBe(1_000);
    expect(bucket.consume(1, 6_000)).toBe(0);
  });

  it('stays exact over years', () => {
    const size: BucketSize = { capacity: 1_000_000_000, perSecond: 999_999_999 };
    const bucket = new TokenBucket(size, 0);
    bucket.consume(size.capacity, 0);
    expect(bucket.consume(size.capacity, 1e13)).toBe(0);
    expect(bucket.refill(1e13)).toBe(0);
  });
});

describe('the buckets', () => {
  const oneToken = { capacity: 1, perSecond: 1 };
  const createBuckets = (maxAnonymousCallers = 10, sizesByName: Partial<Record<BucketName, BucketSize>> = {}) => {
    const clock = new SimClock(epochMs(0));
    return {
      clock,
      buckets: new Buckets(clock, {
        buckets: { read: oneToken, order: oneToken, cancel: oneToken, parse: oneToken, ...sizesByName },
        maxAnonymousCallers,
      }),
    };
  };
  const viewer = (credential: string): Viewer => ({ account: '0xa1', credential, kind: 'key', scopes: [] });

  it('are separate by name, so a client without order tokens can still cancel', () => {
    const { buckets } = createBuckets();
    const caller = { viewer: viewer('k1'), ip: '192.0.2.1' };
    expect(buckets.consume(caller, 'order', 1)).toBe(0);
    expect(buckets.consume(caller, 'order', 1)).toBe(1_000);
    expect(buckets.consume(caller, 'cancel', 1)).toBe(0);
    expect(buckets.consume(caller, 'read', 1)).toBe(0);
  });

  it('give the order and cancel tokens of one request together or not at all', () => {
    const order = { capacity: 5, perSecond: 10 };
    const cancel = { capacity: 4, perSecond: 2 };
    const { buckets, clock } = createBuckets(10, { order, cancel });
    const caller = { viewer: viewer('k1'), ip: '' };
    const left = () => Object.fromEntries(buckets.present(caller).map(({ name, remaining }) => [name, remaining]));
    expect(buckets.consumeBoth(caller, 2, 3)).toBe(0);
    expect(left()).toEqual({ read: 1, order: 3, cancel: 1 });
    expect([buckets.consumeBoth(caller, 3, 2), buckets.consumeBoth(caller, 4, 1)]).toEqual([500, 100]);
    expect(buckets.consumeBoth(caller, 5, 2)).toBe(500);
    expect(left()).toEqual({ read: 1, order: 3, cancel: 1 });
    clock.advanceTo(epochMs(500));
    expect(buckets.consumeBoth(caller, 5, 2)).toBe(0);
    expect(left()).toEqual({ read: 1, order: 0, cancel: 0 });
    expect([buckets.consumeBoth(caller, 0, 1), buckets.consumeBoth(caller, 1, 0)]).toEqual([500, 100]);
    expect(buckets.consumeBoth(caller, 0, 0)).toBe(0);
  });

  it('belong to a credential, whatever address it uses', () => {
    const { buckets } = createBuckets();
    expect(buckets.consume({ viewer: viewer('k1'), ip: '192.0.2.1' }, 'read', 1)).toBe(0);
    expect(buckets.consume({ viewer: viewer('k1'), ip: '192.0.2.9' }, 'read', 1)).toBe(1_000);
    expect(buckets.consume({ viewer: viewer('k2'), ip: '192.0.2.1' }, 'read', 1)).toBe(0);
  });

  it('belong to an address, or to an IPv6 network, without credentials', () => {
    const { buckets } = createBuckets();
    const stranger = (ip: string) => buckets.consume({ viewer: undefined, ip }, 'read', 1);
    expect(stranger('192.0.2.1')).toBe(0);
    expect(stranger('192.0.2.1')).toBe(1_000);
    expect(stranger('192.0.2.2')).toBe(0);
    expect(stranger('2001:db8::1')).toBe(0);
    expect(stranger('2001:db8:0:0:ffff::2')).toBe(1_000);
    expect(stranger('2001:db8:0:1::1')).toBe(0);
  });

  it('of addresses are limited in number, and many addresses do not evict buckets of credentials', () => {
    const { buckets } = createBuckets(10);
    const owner = { viewer: viewer('k1'), ip: '192.0.2.1' };
    buckets.consume(owner, 'order', 1);
    for (let host = 0; host < 5_000; host += 1) {
      buckets.consume({ viewer: undefined, ip: `10.0.${host >> 8}.${host & 255}` }, 'read', 1);
    }
    expect(buckets.size).toBe(11);
    expect(buckets.consume(owner, 'order', 1)).toBe(1_000);
  });

  it('of addresses are evicted in least-recently-used order', () => {
    const { buckets } = createBuckets(2);
    const stranger = (ip: string) => buckets.consume({ viewer: undefined, ip }, 'read', 1);
    stranger('10.0.0.1');
    stranger('10.0.0.2');
    expect(stranger('10.0.0.1')).toBe(1_000);
    stranger('10.0.0.3');
    expect(stranger('10.0.0.1')).toBe(1_000);
    expect(stranger('10.0.0.2')).toBe(0);
  });

  it('are deleted with their credential', () => {
    const { buckets } = createBuckets();
    buckets.consume({ viewer: viewer('k1'), ip: '' }, 'read', 1);
    buckets.remove('k1');
    expect(buckets.size).toBe(0);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('of the address %s belong to %s', (ip, network) => {
    expect(toNetwork(ip)).toBe(network);
  });
});

describe('rate limits over GraphQL', () => {
  const settings = {
    buckets: {
      read: { capacity: 3, perSecond: 2 },
      order: { capacity: 5, perSecond: 1 },
      cancel: { capacity: 9, perSecond: 1 },
    },
  };

  it('refuse the whole request when read tokens are missing and return the time to wait', async () => {
    const venue = await openVenue({ settings });
    for (let count = 0; count < 3; count += 1) await venue.request(ALL_OPERATIONS.geoCheck, {});
    expect(await venue.request(ALL_OPERATIONS.geoCheck, {})).toEqual({
      data: null,
      errors: [{ message: 'rate limited: retry in 500 ms', path: [] }],
      retryAfterMs: 500,
    });
    expect((await venue.request(ALL_OPERATIONS.geoCheck, {}, { ip: '192.0.2.7' })).errors).toEqual([]);
    await venue.pass(500);
    expect((await venue.request(ALL_OPERATIONS.geoCheck, {})).errors).toEqual([]);
    await venue.close();
  });

  it('take one token for each root field, or none when too few are left', async () => {
    const venue = await openVenue({ settings });
    const query = '{ a: geoCheck { allowed } b: geoCheck { allowed } }';
    const retryAfter = async () => (await venue.service.answer({ query }, venue.context())).retryAfterMs;
    expect(await retryAfter()).toBeUndefined();
    expect(await retryAfter()).toBe(500);
    expect((await venue.request(ALL_OPERATIONS.geoCheck, {})).errors).toEqual([]);
    await venue.close();
  });

  it('show a credential its remaining tokens', async () => {
    const venue = await openVenue({ settings });
    const { caller: client } = await logIn(venue);
    await venue.request(ALL_OPERATIONS.me, {}, client);
    await venue.pass(100);
    const context = venue.context(client);
    venue.access.buckets.consume(context, 'order', 2);
    const { data } = await venue.request(ALL_OPERATIONS.me, {}, client);
    expect(data?.me.rateBuckets).toEqual([
      { name: 'read', capacity: 3, refillPerSecond: 2, remaining: 1.2 },
      { name: 'order', capacity: 5, refillPerSecond: 1, remaining: 3 },
      { name: 'cancel', capacity: 9, refillPerSecond: 1, remaining: 9 },
    ]);
    await venue.close();
  });

  it('delete the buckets of a credential that ends', async () => {
    const venue = await openVenue({ settings });
    const { caller: client, accessToken } = await logIn(venue);
    const sizeBefore = venue.access.buckets.size;
    expect(unwrap(venue.context(bearer(accessToken)).viewer).kind).toBe('session');
    await venue.request(ALL_OPERATIONS.revokeSession, {}, client);
    expect(venue.access.buckets.size).toBe(sizeBefore - 1);
    await venue.close();
  });
});
