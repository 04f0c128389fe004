/** Saved state and tags of a strategy on paper. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, newFolder, ROOT, start, waitForStderr } from './halfspread.ts';
import { serving } from './serving.ts';
import { runInProcess, until } from './trading.ts';

const MATCH = ['--replay', join(ROOT, 'config/tapes/betfair-1.200806927.tape'), '--from', '12:00:00Z', '--speed', '60'];
const STRATEGY = `import { defineStrategy, shares, z } from 'halfspread';
export default defineStrategy({
  name: 'marker',
  summary: 'Takes one share at a time, with a tag; counts what it bought.',
  params: z.strictObject({}),
  state: z.strictObject({ fills: z.int().default(0) }),
  timers: () => [{ name: 'buy', everyMs: 200 }],
  create: (_params, { state, log, markets: [market] }) => ({
    onStart: () => void log.info('begins', state.get()),
    onTimer(_timer, view) {
      const ask = view.market(market).book.bestAsk();
      const bid = view.market(market).book.bestBid();
      if (ask === undefined || bid === undefined) return undefined;
      return [
        { type: 'take', market, outcome: 'YES', side: 'BUY', limit: ask, shares: shares(5), tag: 'entry' },
        { type: 'quote', market, quotes: [{ side: 'bid', price: Math.max(100, bid - 200), shares: shares(20), tag: 'far' }] },
      ];
    },
    onOrderAccepted: ({ tag }) => void log.info('accepted', { tag }),
    onFill({ tag }) {
      state.set({ fills: state.get().fills + 1 });
      log.info('fill', { tag, fills: state.get().fills });
    },
  }),
});
`;

describe('a strategy in paper mode', () => {
  it('starts with the default state, keeps its state during the run, and gets its tags back', async () => {
    const folder = newFolder();
    const venue = await serving(['--log', 'silent', ...MATCH], folder);
    mkdirSync(join(folder, 'strategies/marker'), { recursive: true });
    writeFileSync(join(folder, 'strategies/marker/strategy.ts'), STRATEGY);
    const config = `mode: paper\nvenue: { url: '${venue.url}' }\nmarkets: { filter: { limit: 1 } }\nstrategy: marker\n`;
    writeFileSync(join(folder, 'paper.yaml'), config);
    for (const _ of ['first', 'second']) {
      const child = start(['run', 'paper.yaml', '--json'], folder);
      const end = ended(child);
      await waitForStderr(child, 'on paper');
      const shown = async (command: string) => {
        const { stdout } = await runInProcess([command, 'paper.yaml', '--json'], folder);
        return JSON.parse(stdout) as { readonly tag: string | null }[];
      };
      await until(async () => (await shown('fills')).length >= 3, 'three fills');
      const tags = (await shown('fills')).map(({ tag }) => tag);
      expect(tags).toContain('entry');
      expect(tags.filter((tag) => tag !== 'entry' && tag !== 'far')).toEqual([]);
      await until(async () => (await shown('orders')).some(({ tag }) => tag === 'far'), 'the quote rests');
      child.kill('SIGINT');
      const { code, stderr } = await end;
      expect(code).toBe(0);
      expect(stderr).toContain('"fields":{"fills":0},"msg":"begins"');
      expect(stderr).toMatch(/"fields":\{"tag":"(entry|far)","fills":2\},"msg":"fill"/);
      expect(stderr).toContain('"fields":{"tag":"far"},"msg":"accepted"');
    }
    const state = await runInProcess(['state', 'show', 'paper.yaml'], folder);
    expect([state.code, state.stderr]).toEqual([expect.any(Number), expect.stringContaining('a paper run has none')]);
    await venue.stop('SIGTERM');
  }, 180_000);
});
