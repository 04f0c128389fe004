import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { createApiRoot } from '../../../src/dashboard/api/resolvers.ts';
import type { SubscriptionLogArgs } from '../../../src/dashboard/generated/schema-types.ts';
import { AuditLog, Fleet } from '../../../src/dashboard/index.ts';
import { epochMs, timeAfter } from '../../../src/domain/index.ts';
import { RecentLog } from '../../../src/ops/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { type FakeBot, fakeBot } from '../fake-bot.ts';
import { report } from '../reports.ts';

const REFUSAL = `${JSON.stringify({ v: 1, id: 1, ok: false, error: { code: 'FAILED', message: 'busy' } })}\n`;

/** Opens the API of one bot, with the lines of `log`. */
async function openLog(log: { current: RecentLog }) {
  const bot = await fakeBot(report());
  const answerReads = (): void => {
    bot.responses.set('log', ({ level, limit, after }: { level: 'INFO'; limit: number; after?: number }) =>
      log.current.read(level, limit, after),
    );
  };
  answerReads();
  const clock = new SimClock(epochMs(0));
  const fleet = new Fleet([{ id: 'one', address: bot.socket }], clock);
  afterThisTest.add(() => fleet.close());
  await expect.poll(() => fleet.bot('one').seenAt).toBe(0);
  const { streams } = createApiRoot({
    fleet,
    audit: new AuditLog(join(newFolder(), 'audit.jsonl')),
    clock,
    version: '0',
    reports: '',
    studies: '',
    studyRun: () => null,
  });
  const pass = (ms: number): void => {
    const end = timeAfter(clock.now(), ms);
    while (clock.nextTime() <= end) clock.runNext();
    clock.advanceTo(end);
  };
  const follow = (args: Omit<SubscriptionLogArgs, 'bot'>) => {
    const stream = streams.log({ bot: 'one', ...args });
    afterThisTest.add(async () => void stream.return());
    return stream;
  };
  return { bot, clock, fleet, pass, follow, answerReads };
}

const reads = ({ commands }: FakeBot): number => commands.filter(({ command }) => command === 'log').length;

function addLine(log: { readonly current: RecentLog }, msg: string, level = 30): void {
  log.current.add(JSON.stringify({ time: 1, level, msg }));
}

it('ends at once when it is returned while no line comes, and reads the bot no more', async () => {
  const { bot, clock, pass, follow } = await openLog({ current: new RecentLog() });
  const timers = clock.pending;
  const stream = follow({ level: 'ERROR', after: 0 });
  const waiting = stream.next();
  await expect.poll(() => reads(bot)).toBe(1);
  await expect.poll(() => clock.pending).toBe(timers + 1);
  await stream.return();
  expect(await waiting).toEqual({ value: undefined, done: true });
  expect(clock.pending).toBe(timers);
  pass(10_000);
  expect(reads(bot)).toBe(1);
});

it('ends at once when it is returned while a bot hangs, and closes the connection of its read', async () => {
  const { bot, clock, follow } = await openLog({ current: new RecentLog() });
  const timers = clock.pending;
  const connections = bot.connections();
  bot.responses.set('log', '');
  const stream = follow({ after: 0 });
  const waiting = stream.next();
  await expect.poll(() => reads(bot)).toBe(1);
  await stream.return();
  expect(await waiting).toEqual({ value: undefined, done: true });
  await expect.poll(() => bot.connections()).toBe(connections);
  expect(clock.pending).toBe(timers);
});

it.each([
  ['is refused', REFUSAL, 0, 'busy'],
  ['takes more than five seconds', '', 5_000, 'did not answer within 5000 ms'],
])('shows that lines are late when a read %s, and sends them after the next read', async (_, answer, ms, reason) => {
  const log = { current: new RecentLog() };
  addLine(log, 'first');
  const { bot, clock, pass, follow, answerReads } = await openLog(log);
  const timers = clock.pending;
  const stream = follow({ level: 'ERROR', after: 0 });
  const first = stream.next();
  addLine(log, 'second', 50);
  expect((await first).value).toMatchObject({ seq: 2, message: 'second' });

  bot.responses.set('log', answer);
  const late = stream.next();
  await expect.poll(() => clock.pending).toBe(timers + 1);
  pass(1_000);
  await expect.poll(() => reads(bot)).toBe(2);
  pass(ms);
  expect((await late).value).toMatchObject({ seq: 0, level: 'WARN', message: expect.stringContaining(reason) });

  addLine(log, 'hidden');
  addLine(log, 'third', 50);
  await expect.poll(() => clock.pending).toBe(timers + 1);
  pass(1_000);
  await expect.poll(() => reads(bot)).toBe(3);
  pass(ms);
  await expect.poll(() => clock.pending).toBe(timers + 1);
  answerReads();
  pass(1_000);
  expect((await stream.next()).value).toMatchObject({ seq: 0, level: 'INFO' });
  expect((await stream.next()).value).toMatchObject({ seq: 4, message: 'third' });
});

it('counts missing lines of all levels, and none while the log is quiet at its level', async () => {
  const log = { current: new RecentLog() };
  const { bot, clock, pass, follow } = await openLog(log);
  const timers = clock.pending;
  const tick = async (count: number): Promise<void> => {
    await expect.poll(() => clock.pending).toBe(timers + 1);
    pass(1_000);
    await expect.poll(() => reads(bot)).toBe(count);
  };
  const stream = follow({ level: 'ERROR', after: 0 });
  const next = stream.next();
  await expect.poll(() => reads(bot)).toBe(1);
  for (let count = 0; count < 1_900; count += 1) addLine(log, 'quiet');
  await tick(2);
  for (let count = 0; count < 1_900; count += 1) addLine(log, 'quiet');
  await tick(3);
  for (let count = 0; count < 2_009; count += 1) addLine(log, 'quiet');
  addLine(log, 'last', 50);
  await tick(4);
  expect((await next).value).toMatchObject({ seq: 0, level: 'WARN', message: expect.stringMatching(/^10 lines/) });
  expect((await stream.next()).value).toMatchObject({ seq: 5_810, message: 'last' });
});

it('shows that the last lines of an earlier process may be missing', async () => {
  const log = { current: new RecentLog() };
  const { bot, clock, fleet, pass, follow } = await openLog(log);
  const timers = clock.pending;
  const stream = follow({ after: 0 });
  addLine(log, 'earlier');
  expect((await stream.next()).value).toMatchObject({ message: 'earlier' });
  const next = stream.next();
  await expect.poll(() => clock.pending).toBe(timers + 1);
  log.current = new RecentLog();
  addLine(log, 'later');
  bot.watchResponse = report({ startedAt: 5 });
  bot.push();
  await expect.poll(() => fleet.bot('one').report?.startedAt).toBe(5);
  pass(1_000);
  expect((await next).value).toMatchObject({
    seq: 0,
    level: 'WARN',
    message: expect.stringContaining('started again'),
  });
  expect((await stream.next()).value).toMatchObject({ seq: 1, message: 'later' });
});
