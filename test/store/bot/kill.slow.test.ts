import { describe, expect, it } from 'vitest';
import { counted } from '../../../src/domain/index.ts';
import { interruptedCommands } from '../../../src/runtime/index.ts';
import { BotReader, checkBotFile } from '../../../src/store/index.ts';
import { about } from '../../state/world.ts';
import { killedAfter } from '../killed-child.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotLife } from './bot-life.ts';

const CHILD = new URL('./living-child.ts', import.meta.url);
const file = databaseFiles();

describe('a bot that is killed while it trades', () => {
  it('has every acknowledged step with its position, and consistent rows, after each kill', async () => {
    const name = file();
    for (let death = 0; death < 6; death += 1) {
      // Ignores the last line, which may be incomplete.
      const said = (
        await killedAfter(CHILD, [name, String(death)], [1, 2, 40, 300, 1_500, 2_500][death % 6] ?? 1)
      ).slice(0, -1);
      const [steps, orders] = ['s', 'o'].map((letter) => said.filter((line) => line.startsWith(`${letter} `)));
      const { structure, steps: damaged, rows, log } = checkBotFile(name);
      expect([...structure, ...damaged, ...rows, ...log]).toEqual([]);
      const life = BotLife.open({ file: name });
      const [, seq = 0, cursor = 0] = steps?.at(-1)?.split(' ').map(Number) ?? [];
      expect(life.seq - 1).toBeGreaterThanOrEqual(seq);
      // A step more than was said may be there, and then its position is, too.
      expect(life.store.cursor - cursor).toBe(seq === 0 ? life.store.cursor : life.seq - 1 - seq);
      for (const line of orders ?? []) {
        const order = counted.order(Number(line.slice(2)));
        expect(life.store.numbered(order)?.order).toBe(order);
      }
      expect(life.account.unexplained + life.account.external).toBeGreaterThanOrEqual(0);
      const open = new Set(life.account.markets.flatMap((market) => market.orders.map(({ order }) => order)));
      const reader = BotReader.open(name);
      expect(new Set(reader.orders(true, 1_000_000).map(({ order }) => order))).toEqual(open);
      expect(reader.balance()?.cash).toBe(life.account.cash);
      reader.close();
      const unsettled = new Set(life.store.unsettled().map(({ order }) => order));
      const never = interruptedCommands(life.account, life.store, about(1).time).flatMap((event) =>
        event.type === 'orderRejected' ? [event.order] : [],
      );
      expect(new Set([...unsettled, ...never])).toEqual(open);
      await life.store.close(1);
    }
    // Six processes on a busy machine.
  }, 240_000);
});
