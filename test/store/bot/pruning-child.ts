/** Removes old rows of a bot's file, slice by slice, and says each, until it is killed. Arguments: file, moment. */
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
  // Death takes a moment to come.
  await setTimeout(2);
}
say('done');
setInterval(() => {}, 1_000);
