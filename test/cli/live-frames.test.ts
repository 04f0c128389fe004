import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { FrameLog, readFrames } from '../../src/history/index.ts';
import { Harness } from '../venues/service/harness.ts';
import { newFolder } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { runInProcess } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

it('a raw recording has every frame of every socket in order and no secret, and `frames` lists them', async () => {
  const id = await harness.market(1);
  await placeDistantOrders(harness, id);
  const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nrecord: { folder: kept, raw: true }`);
  const before = Date.now();
  const opened = await live.run();
  await waitForQuotes(opened);
  expect(await stopAndClose(opened)).toBe(0);
  const folder = join(live.folder, 'kept');
  const names = readdirSync(folder);
  expect(names.map((name) => name.slice(name.lastIndexOf('.'))).toSorted()).toEqual(['.frames', '.steps', '.tape']);
  const name = names.find((each) => each.endsWith('.frames')) ?? '';
  const { head, frames } = readFrames(join(folder, name));
  expect(head).toMatchObject({ format: 1, venue: harness.url });
  const all = [...frames()];
  expect(all[0]).toMatchObject({ socket: 1, text: '{"type":"connection_ack"}' });
  for (const { at, socket, text } of all) {
    expect(JSON.parse(text)).toMatchObject({ type: expect.any(String) });
    expect(at >= before && at <= Date.now() && socket >= 1).toBe(true);
  }
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((first, second) => first - second));
  const text = all.map((frame) => frame.text).join('\n');
  for (const field of ['orderBookUpdated', 'orderEvents', 'placeOrders']) expect(text).toContain(`"${field}"`);
  expect(text).not.toMatch(/accessToken|Bearer/);

  const listed = await runInProcess([
    'frames',
    join(folder, name),
    '--grep',
    'orderBookUpdated',
    '--limit',
    '1',
    '--json',
  ]);
  expectDocumented('frames', JSON.parse(listed.stdout));
  expect(JSON.parse(listed.stdout)).toMatchObject({ socket: 1, frame: expect.stringContaining('"orderBookUpdated"') });
  expect(listed).toMatchObject({ code: 0, stderr: `1 of ${all.length} frames\n` });

  const steps = names.find((each) => each.endsWith('.steps')) ?? '';
  const wrong = await runInProcess(['frames', join(folder, steps)]);
  expect(wrong).toMatchObject({ code: 3, stdout: '' });
  expect(wrong.stderr).toMatch(/^error: .*line 1: these are the steps of a session, not its frames.*replay/);
  const other = await runInProcess(['replay', join(folder, name)]);
  expect(other).toMatchObject({ code: 3, stdout: '' });
  expect(other.stderr).toMatch(/^error: .*Name the \.steps file/s);
  expect(other.stderr).not.toContain('internal');
});

it('`frames` prints a note of lost frames without counting it as a frame', async () => {
  const path = join(newFolder(), 'a.frames');
  const onFault = (fault: Error): never => {
    throw fault;
  };
  const log = new FrameLog({ path, head: { format: 1 }, onFault, maxQueuedBytes: 10 });
  log.append(Buffer.from('first'), 1, 1_000);
  log.append(Buffer.from('too long for the queue'), 1, 2_000);
  await log.close();
  const { code, stdout, stderr } = await runInProcess(['frames', path]);
  expect(stdout.match(/#.*/g)).toEqual(['#1 first', '#0 {"lost":1}']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '1 of 1 frames; 1 were left out: the disk was too slow\n' });
});
