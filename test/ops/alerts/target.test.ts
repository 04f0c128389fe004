import { describe, expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { HttpClient } from '../../../src/network/index.ts';
import { type Alert, type AlertTarget, attemptDelivery } from '../../../src/ops/index.ts';
import { alertOf, type Receiver, type Respond, receiver, SECRET, statuses, target } from './receiver.ts';

const clock = wallClock();

async function sent(respond: Respond | undefined, more: Partial<AlertTarget> = {}, alert: Partial<Alert> = {}) {
  const to = await receiver(respond);
  const result = await attemptDelivery(new HttpClient({ clock }), target(to.url, more), alertOf(alert), 2_000);
  return { result, body: to.got[0]?.body, to };
}

describe('a message to a receiver of alerts', () => {
  it.each<[Partial<AlertTarget>, object]>([
    [{ type: 'slack' }, { text: 'CRITICAL: killed: loss' }],
    [{ type: 'discord' }, { content: 'CRITICAL: killed: loss', allowed_mentions: { parse: [] } }],
    [
      { type: 'telegram', chat: '42' },
      {
        chat_id: '42',
        text: 'CRITICAL: killed: loss',
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        disable_notification: false,
      },
    ],
    [
      { type: 'webhook' },
      { kind: 'kill', level: 'critical', text: 'killed: loss', open: 0, time: '2026-02-02T02:40:00.000Z' },
    ],
  ])('has the format of its type: %j', async (more, expected) => {
    expect(await sent(undefined, more)).toMatchObject({ result: { type: 'sent', status: 200 }, body: expected });
  });

  it('is sent again when the answer is not in the format of Telegram, such as the page of a proxy', async () => {
    const { result } = await sent((response) => void response.end('<html>'), { type: 'telegram', chat: '1' });
    expect(result).toMatchObject({ type: 'later', problem: "it answered 200 without Telegram's format" });
  });

  it('shows HTML in the name of a market as text, and commands as code', async () => {
    const alert = { level: 'info', text: '<b>rain</b> & <script> ended: `npx halfspread resume`' } as const;
    const { body } = await sent(undefined, { type: 'telegram', chat: '1' }, alert);
    expect(body?.['text']).toBe(
      '&lt;b&gt;rain&lt;/b&gt; &amp; &lt;script&gt; ended: <code>npx halfspread resume</code>',
    );
    const { body: slack } = await sent(undefined, { type: 'slack' }, { level: 'info', text: '<!channel> & co' });
    expect(slack).toEqual({ text: '&lt;!channel&gt; &amp; co' });
  });

  it('hides no link behind a text and mentions no one at Discord', async () => {
    const alert = {
      level: 'info',
      text: '@everyone [rain](http://x.example) **ended**: `npx halfspread a_b`',
    } as const;
    const { body } = await sent(undefined, { type: 'discord' }, alert);
    expect(body).toEqual({
      content: '@everyone \\[rain\\]\\(http://x.example\\) \\*\\*ended\\*\\*: `npx halfspread a_b`',
      allowed_mentions: { parse: [] },
    });
  });

  it('is cut to the maximum length of its receiver, and has no control characters', async () => {
    const alert = { level: 'info', text: `\u001b[31m\u202e${'long '.repeat(5_000)}` } as const;
    const { body } = await sent(undefined, { type: 'discord' }, alert);
    expect(String(body?.['content'])).toHaveLength(1_901);
    expect(String(body?.['content'])).toContain('\\u001b\\[31m\\u202elong');
  });

  it('is not cut inside a surrogate pair', async () => {
    const { body } = await sent(
      undefined,
      { type: 'discord' },
      { level: 'info', text: `${'x'.repeat(1_899)}\u{1f600}` },
    );
    expect(body?.['content']).toBe(`${'x'.repeat(1_899)}\ufffd…`);
  });

  it('carries the headers of its target', async () => {
    const { to } = await sent(undefined, { headers: { authorization: 'Bearer abc' } });
    expect(to.got[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'content-type': 'application/json' });
  });
});

describe('an attempt to send an alert', () => {
  it.each([
    [401, 'refused'],
    [404, 'refused'],
    [408, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
  ])('that is answered with %i is %s', async (status, type) => {
    expect((await sent(statuses(status))).result).toMatchObject({ type, problem: `it answered ${status}` });
  });

  it.each<[string, Respond, object]>([
    [
      'the header Retry-After',
      (response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
      { retryAfterMs: 7_000 },
    ],
    [
      "Telegram's retry_after",
      (response) =>
        void response
          .writeHead(429)
          .end('{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":3}}'),
      { retryAfterMs: 3_000, problem: 'it answered 429 (Too Many Requests)' },
    ],
    [
      "Discord's retry_after",
      (response) => void response.writeHead(429).end('{"message":"You are being rate limited.","retry_after":0.5}'),
      { retryAfterMs: 500 },
    ],
    [
      'a wait of a year, reduced to a minute',
      (response) => void response.writeHead(429, { 'retry-after': '31536000' }).end(),
      { retryAfterMs: 60_000 },
    ],
  ])('reads %s', async (_, respond, expected) => {
    expect((await sent(respond)).result).toMatchObject({ type: 'later', ...expected });
  });

  it('reports the reason that the receiver gives for a refusal, shortened', async () => {
    const slack: Respond = (response) => void response.writeHead(404).end(`no_service ${'x'.repeat(5_000)}`);
    const { result } = await sent(slack, { type: 'slack' });
    expect(result).toMatchObject({
      type: 'refused',
      problem: expect.stringMatching(/^it answered 404 \(no_service x+…\)$/),
    });
  });

  it('counts as sent when the receiver accepts with an answer of 100 MB, which is not read', async () => {
    const { result } = await sent((response) => {
      response.writeHead(200, { 'content-length': String(100 * 1_048_576) });
      response.write('x'.repeat(1_000));
    });
    expect(result).toEqual({ type: 'sent', status: 200 });
  });

  it.each([
    [500, 'later'],
    [403, 'refused'],
  ])('counts as failed when the receiver answers with %i and 100 MB', async (status, type) => {
    const { result } = await sent((response) => {
      response.writeHead(status, { 'content-length': String(100 * 1_048_576) });
      response.write('x'.repeat(1_000));
    });
    expect(result).toMatchObject({ type, problem: expect.stringContaining('1048576 bytes') });
  });

  it('is not repeated at the target of a redirect', async () => {
    const elsewhere = await receiver();
    const { result } = await sent((response) => void response.writeHead(307, { location: elsewhere.url }).end());
    expect(result).toMatchObject({ type: 'refused', problem: expect.stringMatching(/it answered 307, a redirect/) });
    expect(elsewhere.got).toEqual([]);
  });

  it('ends by its timeout when the receiver hangs', async () => {
    const to = await receiver(() => {});
    const result = await attemptDelivery(new HttpClient({ clock }), target(to.url), alertOf(), 50);
    expect(result).toEqual({ type: 'later', problem: 'it did not answer within 50 ms' });
  });

  it('never names the URL', async () => {
    const to: readonly Receiver[] = [await receiver(statuses(500)), await receiver(statuses(403))];
    for (const url of [...to.map((each) => each.url), 'http://127.0.0.1:1', 'https://nowhere.invalid']) {
      const result = await attemptDelivery(new HttpClient({ clock }), target(url), alertOf(), 2_000);
      expect(result.type).not.toBe('sent');
      expect(JSON.stringify(result)).not.toContain(SECRET);
    }
  });
});
