/** Records what the embedded venue sends to a bot that trades: `node test/venues/service/record-frames.ts` writes the fixture. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { seededRandom } from '../../../src/clock/index.ts';
import { Bot, Harness } from './harness.ts';
import { quotes } from './quoting.ts';

const FILE = join(import.meta.dirname, '../../fixtures/venue-frames.jsonl');
/** Frames of one kind that are kept. */
const MOST = 8;

const kept = new Map<string, string[]>();
function keep(text: string): void {
  const kind = text.replace(/"(id|seq|prevSeq|checksum|at)":"[^"]*"/g, '').slice(0, 60);
  const frames = kept.get(kind) ?? [];
  if (frames.length < MOST) kept.set(kind, [...frames, text]);
}

const harness = await Harness.open();
const market = await harness.market();
const bot = await Bot.start(harness, { markets: [market], settings: { heartbeatMs: 1_000, auditMs: 300 } });
const { received } = bot.line;
bot.line.received = (direction, text) => {
  if (direction === 'down' && text.startsWith('{')) keep(text);
  received(direction, text);
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
writeFileSync(FILE, `${[...kept.values()].flat().join('\n')}\n`);
process.stdout.write(`${[...kept].map(([kind, frames]) => `${frames.length} ${kind}`).join('\n')}\n`);
process.exit(0);
