/**
 * A bot that writes to a file until it is killed. It prints `s <seq> <cursor>` for each acknowledged step and `o
 * <order>` for each acknowledged signed order. Arguments: file, seed.
 */
import { seededRandom } from '../../../src/clock/index.ts';
import type { Action } from '../../state/any-action.ts';
import { printLine } from '../print-line.ts';
import { BotHarness, placedOrders, signedRecord } from './bot-harness.ts';

const KINDS: readonly Action['kind'][] = [
  'place',
  'place',
  'replace',
  'accepted',
  'filled',
  'closed',
  'uncertain',
  'rejected',
  'cash',
  'holding',
  'external',
  'limits',
];
const [file = '', seed = '0'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
// Uses a thread, so that a kill may interrupt a checkpoint.
const bot = BotHarness.open({ file, thread: true, snapshotEvery: 37 });
let cursor = bot.store.streamPosition;

function turn(): void {
  const kind = KINDS[random.int(KINDS.length)] ?? 'cash';
  const order = Math.max(1, bot.lastOrder - random.int(6));
  cursor += 1;
  bot.store.advanceStreamPosition(cursor);
  const step = bot.apply({ kind, order, amount: 1 + random.int(14), market: random.int(2) });
  if (step === undefined) return;
  printLine(`s ${step.seq} ${cursor}`);
  const places = step.commands.flatMap(placedOrders);
  if (places.length === 0) return;
  bot.store.addSigned(places.map(signedRecord));
  for (const place of places) printLine(`o ${place.order}`);
}

function run(): void {
  for (let times = 0; times < 20; times += 1) turn();
  setImmediate(run);
}
run();
