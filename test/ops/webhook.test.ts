import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { type Alert, sendAlert, type Webhook } from '../../src/ops/index.ts';

const ALERT: Alert = { kind: 'kill', text: 'killed: loss', fields: { open: 0, reason: 'LOSS' } };
const SECRET = 'T0KEN-in-the-path';
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A receiver that answers with these statuses in turn, the last one for ever. */
async function receiver(...statuses: readonly number[]): Promise<{ readonly url: string; readonly got: object[] }> {
  const got: object[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      answer.writeHead(statuses[Math.min(got.length, statuses.length - 1)] ?? 200).end();
      got.push(JSON.parse(body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/${SECRET}`, got };
}

const options = { clock: wallClock(), firstWaitMs: 1 };

describe('an alert', () => {
  it.each<[Omit<Webhook, 'url'>, object]>([
    [{ shape: 'slack' }, { text: ALERT.text }],
    [{ shape: 'discord' }, { content: ALERT.text }],
    [
      { shape: 'telegram', chatId: '42' },
      { chat_id: '42', text: ALERT.text },
    ],
    [{ shape: 'json' }, { kind: 'kill', text: ALERT.text, open: 0, reason: 'LOSS' }],
  ])('has the format of its receiver: %j', async (webhook, expected) => {
    const { url, got } = await receiver(200);
    await sendAlert({ ...webhook, url }, ALERT, options);
    expect(got).toEqual([expected]);
  });

  it('is sent again after 500 and 429, and not after a refusal', async () => {
    const busy = await receiver(500, 429, 200);
    await sendAlert({ shape: 'slack', url: busy.url }, ALERT, options);
    expect(busy.got).toHaveLength(3);
    const closed = await receiver(404);
    await expect(sendAlert({ shape: 'slack', url: closed.url }, ALERT, options)).rejects.toThrow(/it answered 404/);
    expect(closed.got).toHaveLength(1);
  });

  it('that is redirected counts as not delivered, and is not sent to the new address', async () => {
    const elsewhere = await receiver(200);
    const server = createServer((_, answer) => void answer.writeHead(307, { location: elsewhere.url }).end());
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/${SECRET}`;
    const received = await sendAlert({ shape: 'json', url }, ALERT, options).catch((error) => error);
    expect(received).toMatchObject({ code: 'WEBHOOK', message: expect.stringMatching(/it answered 307, a redirect/) });
    expect(received.message).not.toContain(SECRET);
    expect(elsewhere.got).toEqual([]);
  });

  it('to a receiver that never answers is tried as often as any other, each attempt with its time limit', async () => {
    let requests = 0;
    const server = createServer(() => {
      requests += 1;
    });
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/${SECRET}`;
    const bounds = { ...options, tries: 3, timeoutMs: 50 };
    const received = await sendAlert({ shape: 'json', url }, ALERT, bounds).catch((error) => error);
    expect(received).toMatchObject({
      code: 'WEBHOOK',
      message: expect.stringMatching(/it did not answer within 50 ms/),
    });
    expect(received.message).not.toContain(SECRET);
    expect(requests).toBe(3);
  });

  it('that cannot be sent is reported without the URL', async () => {
    const { url } = await receiver(500);
    const dead = `http://127.0.0.1:1/${SECRET}`;
    for (const target of [url, dead, `https://nowhere.invalid/${SECRET}`]) {
      const received = await sendAlert({ shape: 'json', url: target }, ALERT, { ...options, tries: 2 }).catch(
        (error) => error,
      );
      expect(received).toMatchObject({
        code: 'WEBHOOK',
        message: expect.stringMatching(/json webhook failed/),
      });
      expect(JSON.stringify([received.message, String(received.stack), String(received.cause)])).not.toContain(SECRET);
    }
  });
});
