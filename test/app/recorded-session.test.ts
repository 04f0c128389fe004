import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { toSingleTape } from '../../src/app/recorded-session.ts';
import { Recording } from '../../src/history/index.ts';
import { KIND, SIDE } from '../../src/tape/index.ts';
import { headOf, scratchFolder } from '../history/scratch.ts';
import { blocksOf } from '../tape/rows.ts';

/** Records one level of a market with this tick. @param tx epoch ms */
function recordTape(tickBps: number, tx: number): string {
  const path = join(scratchFolder(), 'live.tape');
  const head = headOf(1);
  const markets = head.markets.map((market) => ({ ...market, grid: { type: 'tick', tickBps } as const }));
  const onFault = (fault: Error): void => expect.unreachable(fault.message);
  const recording = new Recording({ path, head: () => ({ ...head, markets }), onFault });
  const rows = [{ market: 0, kind: KIND.level, side: SIDE.bid, price: 4_000, shares: 20_000 }];
  for (const block of blocksOf([{ tx, rx: tx + 7, rows }], 3)) recording.append(block, 0, block.count);
  recording.finish();
  return path;
}

it('removes the joined tape on close, and after parts that cannot be joined', () => {
  const [folder, part, next, otherTick] = [scratchFolder(), recordTape(100, 1), recordTape(100, 2), recordTape(50, 3)];
  vi.stubEnv('TMPDIR', folder);
  const { tape, close } = toSingleTape([part, next]);
  expect(tape.startsWith(folder)).toBe(true);
  close();
  expect(readdirSync(folder)).toEqual([]);
  expect(() => toSingleTape([part, otherTick])).toThrow(/the price grid that this market has/);
  expect(readdirSync(folder)).toEqual([]);
});
