/** Removes old rows of a bot's file in slices and prints each, until it is killed. Arguments: file, time. */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { column } from '../../../src/domain/index.ts';
import { say } from '../saying.ts';
import { BotLife } from './bot-life.ts';

const [file = '', moment = '0'] = process.argv.slice(2);
const life = BotLife.open({ file });
const slice = life.store.pruning(column.time(Number(moment)));
for (let rows = slice(); rows !== undefined; rows = slice()) {
  say(JSON.stringify(rows));
  // The kill signal takes some time.
  await setTimeout(2);
}
say('done');
setInterval(() => {}, 1_000);
