import { describe, expect, it, vi } from 'vitest';
import { CommandPoller } from '../../../src/ops/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { logged, settableClock } from '../alerts/receiver.ts';
import { chatBot } from './bot.ts';
import { FakeTelegram, TOKEN } from './fake-telegram.ts';

interface Given {
  /** Messages that wait when the bot starts. */
  readonly before?: readonly string[];
  /** Prepares the server for failures. */
  readonly intercept?: FakeTelegram['intercept'];
  readonly bot?: ReturnType<typeof chatBot>;
  readonly clock?: ReturnType<typeof settableClock>;
  readonly noticeMs?: number;
  readonly firstWaitMs?: number;
}

/** A poller that waits for messages, unless the server is prepared for failures. */
async function fixture({
  before = [],
  intercept,
  bot = chatBot(),
  clock = settableClock(),
  noticeMs = 10_000,
  firstWaitMs = 1,
}: Given = {}) {
  const telegram = await FakeTelegram.open();
  for (const text of before) telegram.receive(text);
  if (intercept !== undefined) telegram.intercept = intercept;
  const alerts: unknown[] = [];
  const { log, lines } = logged();
  const poller = new CommandPoller({
    ...bot,
    url: telegram.botUrl,
    chats: ['42'],
    clock,
    log,
    alert: (...alert) => void alerts.push(alert),
    timeoutMs: intercept === undefined ? 2_000 : 1_000,
    pollSeconds: 1,
    firstWaitMs,
    noticeMs,
  });
  afterThisTest.add(() => poller.close());
  poller.start();
  if (intercept === undefined)
    await vi.waitFor(() => expect(telegram.offsets.length).toBeGreaterThan(1), { timeout: 60_000 });
  return { telegram, poller, alerts, lines, executed: bot.executed };
}

/** Expects that logs and alerts contain no token. */
function expectNoToken(...texts: readonly unknown[]): void {
  expect(JSON.stringify(texts)).not.toContain(TOKEN);
}

describe('commands by Telegram', () => {
  it('are executed after the code that the bot sent', async () => {
    const { telegram, executed } = await fixture();
    telegram.receive('/kill');
    telegram.receive(FakeTelegram.codeIn(await telegram.answer(0)));
    expect(await telegram.answer(1)).toContain('The venue confirms 0 open orders (before: 2).');
    expect(executed).toEqual([['kill', 'Telegram, sender 42']]);
    expect(telegram.sent.map(({ chat }) => chat)).toEqual(['42', '42']);
  });

  it('that were sent before the start are never executed, and their chat gets a notice', async () => {
    const { telegram, executed, poller } = await fixture({ before: ['/kill', '/resume', '1234'] });
    expect(await telegram.answer(0)).toMatch(/has just started\. Earlier messages have no effect/);
    telegram.receive('/status');
    expect(await telegram.answer(1)).toContain('ACTIVE');
    expect(telegram.sent).toHaveLength(2);
    expect(telegram.offsets.slice(0, 3)).toEqual([-1, 1_003, 1_004]);
    expect(executed).toEqual([]);
    await poller.close();
  });

  it('of other chats have no effect and get no answer, are counted and logged once a minute', async () => {
    const { telegram, executed, lines, poller } = await fixture();
    for (let count = 0; count < 50; count += 1) telegram.receive('/kill', { chat: 666, sender: 42 });
    telegram.push({ edited_message: { text: '/kill' } });
    telegram.push({ message: { text: { not: 'text' }, chat: { id: 42 } } });
    telegram.receive('/status');
    expect(await telegram.answer(0)).toContain('50 messages of other chats ignored');
    expect(poller.ignoredCount).toBe(50);
    expect(telegram.sent).toHaveLength(1);
    expect(executed).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/not allowed was ignored.*"chat":"666"/)]);
  });

  it('are handled once, and polled once a second, when the server repeats them without end', async () => {
    const date = Math.floor(Date.now() / 1_000);
    const result = [{ update_id: 7, message: { date, text: '/status', chat: { id: 42 } } }];
    let polls = 0;
    const clock = settableClock();
    let waits = 0;
    const { telegram } = await fixture({
      clock: {
        ...clock,
        schedule: (when, fire) => {
          const isWait = when - clock.now() > 50_000;
          if (isWait) waits += 1;
          return clock.schedule(isWait ? clock.now() : when, fire);
        },
      },
      firstWaitMs: 60_000,
      intercept: (method, response) => {
        if (method !== 'getUpdates') return false;
        polls += 1;
        response.end(JSON.stringify({ ok: true, result }));
        return true;
      },
    });
    await vi.waitFor(() => expect(polls).toBeGreaterThan(5), { timeout: 30_000 });
    expect(telegram.sent.map(({ text }) => text)).toEqual([expect.stringContaining('has just started')]);
    expect(waits).toBeGreaterThan(3);
  });

  it('are answered with HTML in names of markets shown as text', async () => {
    const { telegram } = await fixture({ bot: chatBot([{ market: '<b>rain</b> & co', yes: 1_000_000 }]) });
    telegram.receive('/positions');
    expect(await telegram.answer(0)).toContain('&lt;b&gt;rain&lt;/b&gt; &amp; co: 1 YES');
  });

  it('pause when another program polls with the same token, which an alert reports once', async () => {
    let conflicts = 0;
    const { telegram, alerts, lines } = await fixture({
      intercept: (method, response) => {
        if (method !== 'getUpdates' || conflicts === 3) return false;
        conflicts += 1;
        const description = 'Conflict: terminated by other getUpdates request';
        response.writeHead(409).end(JSON.stringify({ ok: false, error_code: 409, description }));
        return true;
      },
    });
    await vi.waitFor(() => expect(telegram.offsets.length).toBeGreaterThan(1), { timeout: 60_000 });
    telegram.receive('/status');
    expect(await telegram.answer(0)).toContain('ACTIVE');
    expect(alerts).toEqual([
      [
        'commands',
        expect.stringMatching(/it answered 409 \(Conflict: .*\)\. Another program receives/),
        { status: 409 },
      ],
    ]);
    expect(lines.at(-1)).toContain('commands are received again');
    expectNoToken(alerts, lines);
  });

  it('stop permanently when the token is wrong, which an alert reports', async () => {
    let requests = 0;
    const { alerts, lines } = await fixture({
      intercept: (_, response) => {
        requests += 1;
        response.writeHead(401).end('{"ok":false,"error_code":401,"description":"Unauthorized"}');
        return true;
      },
    });
    await vi.waitFor(() => expect(alerts).toHaveLength(1), { timeout: 60_000 });
    const text = expect.stringMatching(/401 \(Unauthorized\)\. Correct the token/);
    expect(alerts).toEqual([['commands', text, { status: 401 }]]);
    expect(requests).toBe(1);
    expectNoToken(alerts, lines);
  });

  it.each<[string, (response: Parameters<FakeTelegram['intercept']>[1]) => unknown, RegExp]>([
    [
      '429 with a wait',
      (response) => response.writeHead(429).end('{"ok":false,"parameters":{"retry_after":0.1}}'),
      /it answered 429/,
    ],
    ['500', (response) => response.writeHead(500).end('<html>'), /it answered 500/],
    ['no JSON', (response) => response.end('<html>'), /its answer contains no updates/],
    [
      'JSON of another form',
      (response) => response.end('{"ok":true,"result":{"a":1}}'),
      /its answer contains no updates/,
    ],
    ['a broken connection', (response) => response.destroy(), /broke the connection/],
    ['no answer at all', () => undefined, /did not answer within 1000 ms/],
    [
      'a body of 100 MB',
      (response) => {
        response.writeHead(200, { 'content-length': String(100 * 1_048_576) });
        response.write(' '.repeat(65_536));
      },
      /more than 2097152 bytes/,
    ],
    ['a body that never ends', (response) => response.write(' '.repeat(3_000_000)), /more than 2097152 bytes/],
  ])('are received again after %s', async (_, respond, problem) => {
    let isFirst = true;
    const { telegram, alerts, lines } = await fixture({
      intercept: (method, response) => {
        if (method !== 'getUpdates' || !isFirst) return false;
        isFirst = false;
        respond(response);
        return true;
      },
    });
    await vi.waitFor(() => expect(telegram.offsets.length).toBeGreaterThan(1), { timeout: 30_000 });
    telegram.receive('/status');
    expect(await telegram.answer(0)).toContain('ACTIVE');
    expect(lines[0]).toMatch(/^error telegram: no commands are received/);
    expect(lines[0]).toMatch(problem);
    expect(alerts).toEqual([]);
    expectNoToken(lines);
  });

  it('cause an alert when all requests have failed for five minutes', async () => {
    const clock = settableClock();
    let requests = 0;
    const { alerts, lines } = await fixture({
      clock,
      intercept: (_, response) => {
        requests += 1;
        if (requests === 3) clock.setForward(300_000);
        response.writeHead(502).end();
        return true;
      },
    });
    await vi.waitFor(() => expect(requests).toBeGreaterThan(4), { timeout: 60_000 });
    expect(alerts).toEqual([['commands', expect.stringContaining('it answered 502'), { status: 502 }]]);
    expect(lines).toHaveLength(1);
  });

  it('are dropped while twenty of them have no answer yet', async () => {
    const { telegram, lines } = await fixture();
    telegram.intercept = (method) => method === 'sendMessage';
    for (let count = 0; count < 25; count += 1) telegram.receive('/status');
    await vi.waitFor(() => expect(lines.filter((line) => line.includes('too many commands run'))).toHaveLength(5), {
      timeout: 60_000,
    });
  });

  it('get a notice when the venue is slow', async () => {
    const given = chatBot();
    const slow = Promise.withResolvers<undefined>();
    const bot = {
      ...given,
      bot: { ...given.bot, operate: () => slow.promise.then(() => given.bot.operate('kill', '')) },
    };
    const { telegram } = await fixture({ bot, noticeMs: 20 });
    telegram.receive('/kill');
    telegram.receive(FakeTelegram.codeIn(await telegram.answer(0)));
    expect(await telegram.answer(1)).toMatch(/being executed\. The bot waits for the venue/);
    slow.resolve(undefined);
    expect(await telegram.answer(2)).toMatch(/^\/kill: /);
  });

  it('have their answer sent again after a failed delivery', async () => {
    const { telegram } = await fixture();
    let failures = 0;
    telegram.intercept = (method, response) => {
      if (method !== 'sendMessage' || failures === 2) return false;
      failures += 1;
      response.writeHead(500).end();
      return true;
    };
    telegram.receive('/status');
    expect(await telegram.answer(0)).toContain('ACTIVE');
    expect(failures).toBe(2);
  });

  it('end at once with the bot while a request waits for messages', async () => {
    const { poller } = await fixture();
    const begin = performance.now();
    await poller.close();
    expect(performance.now() - begin).toBeLessThan(2_500);
  });
});
