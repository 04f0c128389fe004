import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { clientOf, openFaultyVenue, post, requestOverSocket, signedOrder } from './clients.ts';

describe('faults over HTTP', () => {
  it.each([
    ['rate_limited', 429, '1'],
    ['bad_gateway', 502, null],
    ['unavailable', 503, null],
    ['html_body', 200, null],
  ] as const)('%s returns an HTML page with status %i and does not place the order', async (fault, status, retry) => {
    const venue = await openFaultyVenue({ http: { [fault]: 1 } });
    const { place, found } = await signedOrder(venue);
    const received = await place();
    expect(received).toMatchObject({ status, retry, type: 'text/html; charset=utf-8' });
    expect(received.text).toMatch(/^<!doctype html>/);
    expect(await found()).toEqual({ order: { found: false } });
    expect((await fetch(`${venue.url}/health`)).status).toBe(200);
  });

  it('a lost request gets no response and does not place the order', async () => {
    const { place, found } = await signedOrder(await openFaultyVenue({ http: { lost_request: 1 } }));
    await expect(place()).rejects.toThrow('fetch failed');
    expect(await found()).toEqual({ order: { found: false } });
  });

  it('a request whose answer is lost places the order', async () => {
    const { place, found } = await signedOrder(await openFaultyVenue({ http: { lost_answer: 1 } }));
    await expect(place()).rejects.toThrow('fetch failed');
    expect(await found()).toEqual({ order: { found: true } });
  });

  it('a duplicated request places one order and returns the first answer', async () => {
    const venue = await openFaultyVenue({ http: { duplicated_request: 1 } });
    const { place, count } = await signedOrder(venue);
    const { data } = JSON.parse((await place()).text);
    expect(data.placeOrder).toMatchObject({ accepted: true, duplicate: false });
    const placements = async () =>
      /operations_total\{operation="placeOrder"\} (\d+)/.exec(await (await fetch(`${venue.url}/metrics`)).text())?.[1];
    await expect.poll(placements, { timeout: 20_000 }).toBe('2');
    expect(await count()).toEqual({ orders: { totalCount: 1 } });
  });

  it('latency delays each request, and jitter delays some longer', async () => {
    const venue = await openFaultyVenue({ seed: 3, http: { latency_ms: 400, jitter_ms: 1_200 } });
    const ended: (string | number)[] = [];
    const requests = [0, 1, 2, 3, 4, 5].map(async (at) => {
      expect((await post(venue)).status).toBe(200);
      ended.push(at);
    });
    await fetch(`${venue.url}/health`).then(() => ended.push('health'));
    await Promise.all(requests);
    expect(ended[0]).toBe('health');
    expect(ended.slice(1)).not.toEqual([0, 1, 2, 3, 4, 5]);
    expect(ended.slice(1).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('are the same for the same seed and differ for another seed', async () => {
    const http = { lost_request: 0.15, lost_answer: 0.15, rate_limited: 0.15, bad_gateway: 0.15, html_body: 0.1 };
    const answers = async (seed: number): Promise<readonly string[]> => {
      const venue = await openFaultyVenue({ seed, http });
      const received: string[] = [];
      for (let count = 0; count < 25; count += 1) {
        received.push(
          await post(venue).then(
            ({ status, type }) => `${status} ${type}`,
            () => 'none',
          ),
        );
      }
      return received;
    };
    const first = await answers(7);
    expect(new Set(first).size).toBe(5);
    expect(await answers(7)).toEqual(first);
    expect(await answers(8)).not.toEqual(first);
  });
});

const STATUS_MESSAGES = 'subscription { venueStatusChanged { message } }';

/** Publishes notices and closes the venue. @returns the messages that a subscriber received */
async function receivedWith(
  socket: z.input<typeof chaosSchema>['socket'],
  seed: number,
  notices = 24,
): Promise<readonly string[]> {
  const venue = await openFaultyVenue({ seed, socket });
  const received: string[] = [];
  const ended = Promise.withResolvers<void>();
  const client = clientOf(venue, { on: { closed: () => ended.resolve() } });
  client.subscribe<{ venueStatusChanged: { message: string | null } }>(
    { query: STATUS_MESSAGES },
    {
      next: ({ data }) => void received.push(data?.venueStatusChanged.message ?? 'none'),
      error: () => undefined,
      complete: () => undefined,
    },
  );
  const frames = async () =>
    Number(/stream_subscriptions (\d+)/.exec(await (await fetch(`${venue.url}/metrics`)).text())?.[1]);
  await expect.poll(frames, { timeout: 20_000 }).toBe(1);
  for (let count = 1; count <= notices; count += 1) await venue.server.operate('notice', { message: `${count}` });
  // The close frame is the last frame.
  await venue.server.close(10_000);
  await ended.promise;
  return received;
}

describe('faults over WebSocket', () => {
  const all = ['none', ...Array.from({ length: 24 }, (_, at) => `${at + 1}`)];

  it('latency and jitter keep the order of frames', async () => {
    expect(await receivedWith({ latency_ms: 20, jitter_ms: 60 }, 1)).toEqual(all);
  });

  it.each([
    [
      'lost',
      (received: readonly string[]) => {
        expect(received.length).toBeLessThan(all.length);
        expect(received).toEqual(all.filter((each) => received.includes(each)));
      },
    ],
    [
      'duplicated',
      (received: readonly string[]) => {
        expect(received.length).toBeGreaterThan(all.length);
        expect([...new Set(received)]).toEqual(all);
      },
    ],
    [
      'reordered',
      (received: readonly string[]) => {
        expect(received).not.toEqual(all);
        expect(received.toSorted()).toEqual(all.toSorted());
      },
    ],
  ] as const)('frames are %s at random, and the same seed gives the same frames', async (fault, expectFault) => {
    // These seeds do not affect the first two frames, which open the socket.
    const received = await receivedWith({ [fault]: 0.25 }, SEEDS[fault][0]);
    expectFault(received);
    expect(await receivedWith({ [fault]: 0.25 }, SEEDS[fault][0])).toEqual(received);
    expect(await receivedWith({ [fault]: 0.25 }, SEEDS[fault][1])).not.toEqual(received);
  });

  it('a dropped socket closes abnormally, and the client reconnects and resumes', async () => {
    const venue = await openFaultyVenue({ seed: 8, socket: { dropped: 0.3 } });
    const closes: number[] = [];
    const client = clientOf(venue, {
      retryAttempts: 100,
      retryWait: () => new Promise((resolve) => setImmediate(resolve)),
      shouldRetry: () => true,
      on: { closed: (event) => void closes.push(Object(event).code) },
    });
    const received = new Set<unknown>();
    client.subscribe<{ venueStatusChanged: { message: string } }>(
      { query: STATUS_MESSAGES },
      {
        next: ({ data }) => void received.add(data?.venueStatusChanged.message),
        error: () => undefined,
        complete: () => undefined,
      },
    );
    for (const message of ['one', 'two', 'three']) {
      await venue.server.operate('notice', { message });
      await expect.poll(() => received.has(message), { timeout: 30_000 }).toBe(true);
    }
    expect(closes.length).toBeGreaterThan(1);
    expect(new Set(closes)).toEqual(new Set([1006]));
  });

  it('a frozen socket sends nothing for a while and then all pending frames', async () => {
    const venue = await openFaultyVenue({ socket: { frozen: 1, frozen_ms: 700 } });
    const order: string[] = [];
    const answer = requestOverSocket(clientOf(venue), '{ health { mode } }').then(() => order.push('socket'));
    await post(venue).then(() => order.push('http'));
    await answer;
    expect(order).toEqual(['http', 'socket']);
  });

  it('a stale book gets no updates while other streams of the socket continue', async () => {
    const venue = await openFaultyVenue({ socket: { stale_book: 1, stale_ms: 3_600_000 } });
    const trader = await venue.openTrader(1);
    const client = clientOf(venue);
    const received: string[] = [];
    for (const field of ['orderBookUpdated', 'priceUpdated']) {
      const args = field === 'priceUpdated' ? `marketIds: ["${venue.marketId}"]` : `marketId: "${venue.marketId}"`;
      const query = `subscription { ${field}(${args}) { seq } }`;
      client.subscribe(
        { query },
        {
          next: ({ data }) => void received.push(...Object.keys(data ?? {})),
          error: (error) => void received.push(JSON.stringify(error)),
          complete: () => undefined,
        },
      );
    }
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
    expect((await trader.place({ priceBps: 6_000, size: 5 })).accepted).toBe(true);
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2);
    expect(received).toEqual(['priceUpdated', 'priceUpdated']);
  });
});

/** Two different seeds for each fault. */
const SEEDS = { lost: [3, 4], duplicated: [1, 2], reordered: [1, 2] } as const;

describe('faults of the clock and the mode', () => {
  it('a venue with a skewed clock reports the skewed time and refuses orders with the true time', async () => {
    const venue = await openFaultyVenue({ clock: { skew_ms: 3_600_000 } });
    const { data } = JSON.parse((await post(venue, '{ health { serverTime } }')).text);
    expect(Date.parse(data.health.serverTime) - Date.now()).toBeGreaterThan(3_000_000);
    const trader = await venue.openTrader(1);
    expect((await trader.place({ priceBps: 4_000, size: 1 })).rejection?.reason).toBe('STALE_TIMESTAMP');
  });

  it('the mode changes at random and is sent to clients', async () => {
    const venue = await openFaultyVenue({ modes: { every_ms: 40, for_ms: 40 } });
    const modes = new Set<string>();
    const client = clientOf(venue);
    client.subscribe<{ venueStatusChanged: { mode: string } }>(
      { query: 'subscription { venueStatusChanged { mode } }' },
      {
        next: ({ data }) => void modes.add(data?.venueStatusChanged.mode ?? ''),
        error: () => undefined,
        complete: () => undefined,
      },
    );
    await expect
      .poll(() => [...modes].toSorted(), { timeout: 30_000 })
      .toEqual(['CANCEL_ONLY', 'HALTED', 'NORMAL', 'POST_ONLY']);
  });
});
