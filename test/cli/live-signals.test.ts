/** Signals of a bot, wired as in `halfspread run`, from the control socket and from a file. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { ROOT } from './halfspread.ts';
import { LiveFixture, placeDistantOrders, stopAndClose } from './live-fixture.ts';
import { until } from './trading.ts';

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

describe('signals of a running bot', () => {
  it.each([
    ['live', 1],
    ['paper', 2],
  ])('from an operator and from a file reach its strategy and its recording: %s', async (mode, number) => {
    const id = await harness.market(number);
    await placeDistantOrders(harness, id);
    const fixture = new LiveFixture(
      harness,
      [
        `mode: ${mode}`,
        `strategy: ${ROOT}/test/fixtures/strategies/follow-signal`,
        `markets: { ids: ["${id}"] }`,
        'signals: [{ file: fair.jsonl }]',
        'record: recordings',
      ].join('\n'),
    );
    const file = join(fixture.folder, 'fair.jsonl');
    writeFileSync(file, '{"name":"fair","value":0.9}\n');
    const opened = await fixture.run();
    const { bot } = opened;
    await until(() => bot.status().markets.every(({ bidBps }) => bidBps !== null), 'every market has a book');
    expect(bot.signal({ name: 'fair', value: 0.8 })).toEqual({
      mode: 'ACTIVE',
      text: 'fair = 0.8 was delivered to the strategies',
    });
    expect(() => bot.signal({ name: 'far', value: 0.8 })).toThrow(
      'expected one of fair, did you mean "fair", got "far"',
    );
    await until(() => bot.status().fills === 1, 'the bot bought for the operator’s signal');
    appendFileSync(file, '{"name":"fair","value":0.7}\n');
    await until(() => bot.status().fills === 2, 'the bot bought for the signal of the file');
    expect(bot.status().signals).toEqual({ received: 2, refused: 1 });
    await stopAndClose(opened);
    const folder = join(fixture.folder, 'recordings');
    const [recorded = ''] = readdirSync(folder).filter((name) => name.endsWith('.signals.jsonl'));
    const lines = readFileSync(join(folder, recorded), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { time: expect.any(String), name: 'fair', value: 0.8 },
      { time: expect.any(String), name: 'fair', value: 0.7 },
    ]);
  });
});
