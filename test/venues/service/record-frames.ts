/** Records frames of the embedded venue to a trading bot as a fixture: `node test/venues/service/record-frames.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { seededRandom } from '../../../src/clock/index.ts';
import { Bot } from './bot.ts';
import { Harness } from './harness.ts';
import { quotes } from './quoting.ts';

const FILE = join(import.meta.dirname, '../../fixtures/venue-frames.jsonl');
/** Maximum frames of each kind. */
const MAX_FRAMES = 8;

const recorded = new Map<string, string[]>();
function record(text: string): void {
  const kind = text.replace(/"(id|seq|prevSeq|checksum|at)":"[^"]*"/g, '').slice(0, 60);
  const frames = recorded.get(kind) ?? [];
  if (frames.length < MAX_FRAMES) recorded.set(kind, [...frames, text]);
}

const harness = await Harness.open();
const market = await harness.market();
const bot = await Bot.start(harness, { markets: [market], settings: { heartbeatMs: 1_000, auditMs: 300 } });
bot.proxy.onMessage = (direction, text) => {
  if (direction === 'down' && text.startsWith('{')) record(text);
};
const other = await harness.trader();
const random = seededRandom(1);
for (let count = 0; count < 60; count += 1) {
  const mid = 4_900 + 10 * random.int(20);
  bot.submit(quotes(['bid', mid - 20, 5 + random.int(5)], ['ask', mid + 20, 5 + random.int(5)]));
  const isBuy = random.int(2) === 0;
  await other
    .place({
      marketId: market,
      side: 'BUY',
      shares: 2,
      ...(isBuy ? { outcome: 'YES', priceBps: mid + 40 } : { outcome: 'NO', priceBps: 10_000 - mid + 40 }),
    })
    .catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 60));
}
await harness.operate('mode', { mode: 'POST_ONLY' });
await harness.operate('halt', { market, note: 'test' });
await new Promise((resolve) => setTimeout(resolve, 6_000));
await bot.close();
await harness.close();
writeFileSync(FILE, `${[...recorded.values()].flat().join('\n')}\n`);
process.stdout.write(`${[...recorded].map(([kind, frames]) => `${frames.length} ${kind}`).join('\n')}\n`);
process.exit(0);
