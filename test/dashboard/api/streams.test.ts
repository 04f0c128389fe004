import { describe, expect, it } from 'vitest';
import { RecentLog } from '../../../src/ops/index.ts';
import { fakeBot } from '../fake-bot.ts';
import { report } from '../reports.ts';
import { OPERATOR, openServer, openStream, post, subscription, VIEWER } from './dashboard-server.ts';

describe('a stream', () => {
  it('refuses commands of a viewer', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot], VIEWER);
    const { frames, send } = await openStream(dashboard.port, await dashboard.signIn(VIEWER));
    send(subscription('1', 'mutation { act(bot: "bot-0", action: KILL) { done text } }'));
    await expect.poll(() => frames.at(-1)).toContain('complete');
    expect(frames.join()).toContain('A viewer may not control bots: sign in as an operator');
    expect(bot.commands).toEqual([]);
  });

  it.each([
    [true, '203.0.113.7'],
    [false, '127.0.0.1'],
  ])('writes the address of the client to the audit log; behind a proxy: %s', async (isBehindProxy, from) => {
    const dashboard = await openServer([await fakeBot()], undefined, { isBehindProxy });
    const cookie = await dashboard.signIn(OPERATOR);
    const forwarded = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7:5678' };
    const { frames, send } = await openStream(dashboard.port, cookie, forwarded);
    send(subscription('1', 'mutation { act(bot: "bot-0", action: KILL) { done text } }'));
    await expect.poll(() => frames.at(-1)).toContain('complete');
    expect(JSON.parse(dashboard.audit())).toMatchObject({ action: 'kill', from });
  });

  it('ends with its session', async () => {
    const dashboard = await openServer([await fakeBot()]);
    const cookie = await dashboard.signIn(OPERATOR);
    const { closed } = await openStream(dashboard.port, cookie);
    await post(dashboard.port, '/logout', {}, { cookie });
    await closed;
  });

  it('has at most fifty subscriptions', async () => {
    const dashboard = await openServer([await fakeBot()], VIEWER);
    const { frames, send } = await openStream(dashboard.port, await dashboard.signIn(VIEWER));
    for (let id = 0; id < 60; id += 1) send(subscription(String(id), 'subscription { bots { id } }'));
    await expect.poll(() => frames.filter((frame) => frame.includes('At most 50')).length).toBeGreaterThanOrEqual(9);
  });

  it('of a log has each line after the requested one, also many at once and the lines of a restarted bot', async () => {
    const bot = await fakeBot();
    let log = new RecentLog();
    bot.responses.set('log', ({ level, limit, after }: LogArgs) => log.read(level, limit, after));
    const add = (from: number, until: number): void => {
      for (let line = from; line <= until; line += 1) log.add(`line ${line}`);
    };
    add(1, 5);
    const dashboard = await openServer([bot], VIEWER);
    const { frames, send } = await openStream(dashboard.port, await dashboard.signIn(VIEWER));
    const received = () => frames.flatMap((frame) => /line \d+/.exec(frame)?.[0] ?? []);
    const lines = (from: number, until: number) =>
      Array.from({ length: until - from + 1 }, (_, at) => `line ${from + at}`);
    send(subscription('1', 'subscription { log(bot: "bot-0", after: 3) { message } }'));
    await expect.poll(received).toEqual(lines(4, 5));
    add(6, 505);
    await expect.poll(received, { timeout: 5_000 }).toEqual(lines(4, 505));
    log = new RecentLog();
    bot.watchResponse = report({ startedAt: 5 });
    bot.push();
    add(506, 1_100);
    await expect.poll(received, { timeout: 5_000 }).toEqual(lines(4, 1_100));
  });

  it('refuses a document of more than 5000 tokens', async () => {
    const dashboard = await openServer([await fakeBot()], VIEWER);
    const { frames, send } = await openStream(dashboard.port, await dashboard.signIn(VIEWER));
    send(subscription('1', `subscription { bots { ${'id '.repeat(5_000)} } }`));
    await expect.poll(() => frames.at(-1)).toContain('5000 tokens');
  });

  it('uses one connection to the bot for each market, and twelve at most, for any number of viewers', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot], VIEWER);
    const { frames, send } = await openStream(dashboard.port, await dashboard.signIn(VIEWER));
    await expect.poll(() => bot.connections()).toBe(1);
    for (let id = 0; id < 10; id += 1)
      send(subscription(`same-${id}`, 'subscription { market(bot: "bot-0", market: "rain") { tickBps } }'));
    await expect.poll(() => frames.filter((frame) => frame.includes('same-')).length).toBeGreaterThanOrEqual(10);
    expect(bot.connections()).toBe(2);
    for (let id = 0; id < 20; id += 1)
      send(subscription(`other-${id}`, `subscription { market(bot: "bot-0", market: "m${id}") { tickBps } }`));
    await expect.poll(() => frames.filter((frame) => frame.includes('other-19')).length).toBeGreaterThanOrEqual(1);
    await expect.poll(() => bot.connections()).toBe(13);
  });
});

interface LogArgs {
  readonly level: Parameters<RecentLog['read']>[0];
  readonly limit: number;
  readonly after?: number;
}
