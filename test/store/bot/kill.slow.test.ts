import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { rejectInterruptedCommands } from '../../../src/runtime/index.ts';
import { BotReader, checkBotFile } from '../../../src/store/index.ts';
import { about } from '../../state/world.ts';
import { killAfterLines } from '../killed-child.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness } from './bot-harness.ts';

const CHILD = new URL('./trading-bot-child.ts', import.meta.url);
const file = databaseFiles();

describe('a bot that is killed while it trades', () => {
  it('has every acknowledged step with its position, and consistent rows, after each kill', async () => {
    const name = file();
    for (let kill = 0; kill < 6; kill += 1) {
      // Ignores the last line, which may be incomplete.
      const output = (
        await killAfterLines(CHILD, [name, String(kill)], [1, 2, 40, 300, 1_500, 2_500][kill % 6] ?? 1)
      ).slice(0, -1);
      const [steps, orders] = ['s', 'o'].map((letter) => output.filter((line) => line.startsWith(`${letter} `)));
      const { structure, steps: damaged, rows, log } = checkBotFile(name);
      expect([...structure, ...damaged, ...rows, ...log]).toEqual([]);
      const bot = BotHarness.open({ file: name });
      const [, seq = 0, cursor = 0] = steps?.at(-1)?.split(' ').map(Number) ?? [];
      expect(bot.seq - 1).toBeGreaterThanOrEqual(seq);
      // One more step than was printed may be stored, with its position.
      expect(bot.store.streamPosition - cursor).toBe(seq === 0 ? bot.store.streamPosition : bot.seq - 1 - seq);
      for (const line of orders ?? []) {
        const order = unchecked.order(Number(line.slice(2)));
        expect(bot.store.findByNumber(order)?.order).toBe(order);
      }
      expect(bot.account.unexplainedEvents + bot.account.externalFills).toBeGreaterThanOrEqual(0);
      const open = new Set(bot.account.markets.flatMap((market) => market.orders.map(({ order }) => order)));
      const reader = BotReader.open(name);
      expect(new Set(reader.orders('open', 1_000_000).map(({ order }) => order))).toEqual(open);
      expect(reader.balance()?.cash).toBe(bot.account.cash);
      reader.close();
      const unsettled = new Set(bot.store.unfinishedOrders().map(({ order }) => order));
      const neverSent = rejectInterruptedCommands(bot.account, bot.store, about(1).time).flatMap((event) =>
        event.type === 'orderRejected' ? [event.order] : [],
      );
      expect(new Set([...unsettled, ...neverSent])).toEqual(open);
      await bot.store.close(1);
    }
    // Six processes on a busy machine.
  }, 240_000);
});
