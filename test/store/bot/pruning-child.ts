/** Removes old rows of a bot's file in slices and prints each, until it is killed. Arguments: file, time. */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { unchecked } from '../../../src/domain/index.ts';
import { printLine } from '../print-line.ts';
import { BotHarness } from './bot-harness.ts';

const [file = '', moment = '0'] = process.argv.slice(2);
const bot = BotHarness.open({ file });
const slice = bot.store.beginPruning(unchecked.time(Number(moment)));
for (let rows = slice(); rows !== undefined; rows = slice()) {
  printLine(JSON.stringify(rows));
  // The kill signal takes some time.
  await setTimeout(2);
}
printLine('done');
setInterval(() => {}, 1_000);
