import { expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { Fleet } from '../../../src/dashboard/api/fleet.ts';
import { type EpochMs, epochMs, timeAfter } from '../../../src/domain/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { fakeBot } from '../fake-bot.ts';
import { report } from '../reports.ts';

function runUntil(clock: SimClock, end: EpochMs): void {
  while (clock.nextTime() <= end) clock.runNext();
  clock.advanceTo(end);
}

it('sends the state of bots when it changes, and not again for repeated reports', async () => {
  const bot = await fakeBot(report());
  const clock = new SimClock(epochMs(0));
  const fleet = new Fleet([{ id: 'quiet', address: bot.socket }], clock);
  afterThisTest.add(() => fleet.close());
  const watched = fleet.bot('quiet');
  await expect.poll(() => watched.seenAt).toBe(0);
  const states = fleet.follow();
  afterThisTest.add(() => states.return(undefined));
  expect((await states.next()).value).toMatchObject([{ health: 'QUOTING' }]);

  const next = states.next();
  for (let ms = 500; ms <= 3_000; ms += 500) {
    runUntil(clock, epochMs(ms));
    bot.push();
    await expect.poll(() => watched.seenAt).toBe(ms);
  }
  bot.watchResponse = report({ mode: 'PAUSED' });
  bot.push();
  await expect.poll(() => watched.report?.mode).toBe('PAUSED');
  runUntil(clock, timeAfter(clock.now(), 50));
  expect((await next).value).toMatchObject([{ health: 'PAUSED' }]);

  runUntil(clock, timeAfter(clock.now(), 2_500));
  expect((await states.next()).value).toMatchObject([
    { health: 'UNREACHABLE', healthReason: 'no report for more than 2 s', seenAt: 3_000 },
  ]);
});
