import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { newFolder } from './halfspread.ts';
import { LiveFixture, placeDistantOrders, stopAndClose } from './live-fixture.ts';
import { runInProcess, until } from './trading.ts';

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

it('calibrate removes the joined tape of the session when the session of --test cannot be read', async () => {
  const id = await harness.market(10);
  await placeDistantOrders(harness, id);
  const fixture = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nrecord: recordings`);
  const record = join(fixture.folder, 'recordings');
  const tapes: string[] = [];
  for (const _ of [1, 2]) {
    const bot = await fixture.run();
    await until(() => bot.state.markets[0]?.mark !== undefined, 'the bot has the book');
    await stopAndClose(bot);
    const names = readdirSync(record).filter((name) => name.endsWith('.tape') && !tapes.includes(name));
    tapes.push(...names);
  }
  const [first = '', second = ''] = tapes;
  // The first session has two parts, which are joined in the temporary folder.
  copyFileSync(join(record, second), join(record, first.replace('.tape', '.2.tape')));
  const temporary = newFolder();
  vi.stubEnv('TMPDIR', temporary);
  const { code, stderr } = await runInProcess(['calibrate', join(record, first), '--test', join(record, 'none.steps')]);
  expect(stderr).toContain('none.steps');
  expect(code).toBe(3);
  expect(readdirSync(temporary)).toEqual([]);
});
