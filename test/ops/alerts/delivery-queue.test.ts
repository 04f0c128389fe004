import { describe, expect, it, vi } from 'vitest';
import { DeliveryQueue } from '../../../src/ops/alerts/delivery-queue.ts';
import { alertOf, logged, receiver, SECRET, settableClock, statuses, target } from './receiver.ts';

function queueTo(url: string, { timeoutMs = 2_000, firstWaitMs = 1, clock = settableClock() } = {}) {
  const { lines, log } = logged();
  return {
    lines,
    queue: new DeliveryQueue({ target: target(url), clock, log, timeoutMs, firstWaitMs }),
  };
}

const texts = (got: readonly { readonly body: object }[]) => got.map(({ body }) => Reflect.get(body, 'text'));

describe('a delivery queue', () => {
  it('retries after 500 and 429, keeps the order, and logs one line', async () => {
    const { url, got } = await receiver(statuses(500, 429, 200));
    const { queue, lines } = queueTo(url);
    for (const text of ['a', 'b']) queue.push(alertOf({ text }));
    await queue.settled();
    expect(texts(got)).toEqual(['a', 'a', 'a', 'b']);
    expect(lines).toEqual([expect.stringMatching(/^warn an alert could not be sent yet.*it answered 500/)]);
  });

  it('sends the next alert after a refusal, and logs the refusal without the URL', async () => {
    const { url, got } = await receiver(statuses(404, 200));
    const { queue, lines } = queueTo(url);
    for (const text of ['a', 'b']) queue.push(alertOf({ text }));
    await queue.settled();
    expect(texts(got)).toEqual(['a', 'b']);
    expect(lines).toEqual([expect.stringMatching(/^error an alert could not be sent.*it answered 404/)]);
    expect(lines.join('')).not.toContain(SECRET);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'sends an alert that is pushed %i microtasks after the last delivery ends',
    async (turns) => {
      const { url, got } = await receiver(statuses(404, 200));
      const pushed = Promise.withResolvers<void>();
      const pushLater = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await undefined;
        queue.push(alertOf({ text: 'b' }));
        pushed.resolve();
      };
      const log = { ...logged().log, error: () => void pushLater() };
      const queue = new DeliveryQueue({ target: target(url), clock: settableClock(), log });
      queue.push(alertOf({ text: 'a' }));
      await pushed.promise;
      await queue.settled();
      expect(texts(got)).toEqual(['a', 'b']);
    },
  );

  it('waits as long as the receiver demands', async () => {
    const { url, got } = await receiver((response, at) => {
      if (at === 0) response.writeHead(429, { 'retry-after': '1' });
      response.end();
    });
    const { queue } = queueTo(url);
    const begin = performance.now();
    queue.push(alertOf());
    await queue.settled();
    expect(got).toHaveLength(2);
    expect(performance.now() - begin).toBeGreaterThan(950);
  });

  it('holds a hundred alerts, and drops the oldest of the least urgent ones first', async () => {
    const held = Promise.withResolvers<void>();
    const { url, got } = await receiver(async (response, at) => {
      // The first alert is in flight while the others are pushed.
      if (at === 0) await held.promise;
      response.writeHead(at === 0 ? 500 : 200).end();
    });
    const { queue, lines } = queueTo(url, { timeoutMs: 60_000 });
    queue.push(alertOf({ text: 'on its way' }));
    queue.push(alertOf({ text: 'old news', level: 'info' }));
    queue.push(alertOf({ text: 'warning', level: 'warning' }));
    for (let at = 0; at < 98; at += 1) queue.push(alertOf({ text: `critical ${at}` }));
    held.resolve();
    await queue.settled();
    expect(texts(got).slice(0, 3)).toEqual(['on its way', 'on its way', 'warning']);
    expect(got).toHaveLength(101);
    expect(lines.filter((line) => line.includes('was dropped'))).toHaveLength(1);
  });

  it('drops an alert ten minutes after its first attempt, and sends the next one', async () => {
    const clock = settableClock();
    const { url, got } = await receiver((response, at) => {
      if (at < 2) response.writeHead(503);
      if (at === 1) clock.setForward(600_000);
      response.end();
    });
    const { queue, lines } = queueTo(url, { clock });
    for (const text of ['a', 'b']) queue.push(alertOf({ text }));
    await queue.settled();
    expect(texts(got)).toEqual(['a', 'a', 'b']);
    expect(lines.at(-1)).toMatch(/^error an alert could not be sent.*it answered 503/);
  });

  it('ends at once while it waits for its next attempt', async () => {
    const { url, got } = await receiver(statuses(500));
    const { queue } = queueTo(url, { firstWaitMs: 60_000 });
    queue.push(alertOf());
    await vi.waitFor(() => expect(got).toHaveLength(1), { timeout: 60_000 });
    const begin = performance.now();
    await queue.close(20);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  it('returns at once from `push`, and closes within its timeout when the receiver hangs', async () => {
    const { url, got } = await receiver(() => {});
    const { queue, lines } = queueTo(url, { timeoutMs: 60_000 });
    queue.push(alertOf());
    queue.push(alertOf());
    await vi.waitFor(() => expect(got).toHaveLength(1), { timeout: 60_000 });
    await queue.close(20);
    expect(lines).toEqual([expect.stringMatching(/^error the bot ended before these alerts were sent.*"alerts":2/)]);
    queue.push(alertOf());
    await queue.settled();
    expect(got).toHaveLength(1);
  });
});
