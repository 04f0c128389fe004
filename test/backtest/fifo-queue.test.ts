/** The queue model `fifo` on tapes with and without order ids (docs/spec/models.md#recorded-order-ids). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReplays } from '../../src/app/serve/open-replays.ts';
import { replaySchema } from '../../src/config/venue-schema.ts';
import { cutTape, TapeFile } from '../../src/history/index.ts';
import { KIND } from '../../src/tape/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, row, runScenario } from './scenario.ts';

/** A bid of 50 joins 100 at 5800. Then 60 of them are cancelled, from `ahead` on, and 70 are sold. */
const messages = (ahead: number | undefined) => [
  message(1_000, row.open(), row.bid(5_800, 100), row.ask(6_200, 100)),
  message(2_000, row.print('BUY', 6_200, 1), row.ask(6_200, 99)),
  message(60_000, ...(ahead === undefined ? [] : [{ ...row.bid(5_800, ahead), kind: KIND.ahead }]), row.bid(5_800, 40)),
  message(70_000, row.print('SELL', 5_800, 30), row.bid(5_800, 10)),
  message(80_000, row.print('SELL', 5_800, 30), row.bid(5_800, 0)),
];
const KEEPER = { strategy: 'trade-keeper', params: { bid: 5_800, shares: 50 } };
const FIFO = { ...KEEPER, queue: { model: 'fifo' } };

describe('a backtest with the queue model fifo', () => {
  it('fills an order according to its place in the recorded queue', async () => {
    const { result } = await runScenario(messages(0), FIFO);
    expect(result.fillsByTag).toMatchObject({ queue: { shares: 20_000_000 } });
    expect(result.models.queue).toContain('order ids');
  });

  it('refuses a tape without order ids', async () => {
    await expect(runScenario(messages(undefined), FIFO)).rejects.toThrow(
      /queue\.model: expected another model: the tape ".*" has no order ids/,
    );
  });

  it('does not affect other queue models', async () => {
    const [withIds, without] = await Promise.all([
      runScenario(messages(0), KEEPER),
      runScenario(messages(undefined), KEEPER),
    ]);
    expect(withIds.result.fillsByTag).toEqual(without.result.fillsByTag);
  });
});

describe('a tape with order ids', () => {
  it('has a flag in its manifest, as has a cut that contains order ids', () => {
    const folder = scratchFolder();
    const path = join(folder, 'a.tape');
    writeTape(path, messages(40), headOf('a'));
    const tape = TapeFile.open(path);
    expect(tape.manifest.orderIds).toBe(true);
    expect(cutTape(tape, join(folder, 'b.tape'), { from: 50_000, to: 65_000 }).orderIds).toBe(true);
    expect(cutTape(tape, join(folder, 'c.tape'), { from: 65_000, to: 90_000 }).orderIds).toBeUndefined();
  });

  it('is required by a venue that replays with the queue model fifo', () => {
    const path = join(scratchFolder(), 'a.tape');
    const modelsOf = (ahead: number | undefined) => {
      writeTape(path, messages(ahead), headOf('a'));
      const [parsed] = replaySchema.parse([{ tape: path, queue: { model: 'fifo' } }]);
      if (parsed === undefined) throw new Error('no replay');
      return openReplays([{ ...parsed, tape: path, fromField: 'from' }])[0]?.models;
    };
    expect(modelsOf(0)).toEqual({ queue: { model: 'fifo' } });
    expect(() => modelsOf(undefined)).toThrow(/has no order ids/);
  });
});
