import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { botCommand, botDatabaseFiles, venueCommand } from '../../../src/app/live/paths.ts';
import { afterThisTest } from '../../cleanup.ts';
import { BotHarness } from '../../store/bot/bot-harness.ts';

it('lists every file that an open database of a bot has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paths-'));
  afterThisTest.add(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bot.db');
  const bot = BotHarness.open({ file });
  const found = readdirSync(folder).map((name) => join(folder, name));
  await bot.store.close(1);
  expect(botDatabaseFiles(file)).toEqual(expect.arrayContaining(found));
});

describe('a printed command line', () => {
  it.each([
    ['/bots/a.db', '/bots/a.sock', 'resume', 'npx halfspread resume --db /bots/a.db'],
    ["/my bot's/a.db", "/my bot's/a.sock", 'resume', `npx halfspread resume --db '/my bot'\\''s/a.db'`],
    ['/bots/a.db', '/run/other.sock', 'resume', 'npx halfspread resume /bots/a.yaml'],
    ['/bots/a.db', '/bots/a.sock', 'market add rain', 'npx halfspread market add rain --db /bots/a.db'],
    ['/bots/a.db', '/run/other.sock', 'market add rain', 'npx halfspread market add rain --config /bots/a.yaml'],
  ])('reaches a bot with the database %s and the socket %s: %s', (db, socket, command, line) => {
    expect(botCommand({ db, socket }, '/bots/a.yaml', command.split(' '))).toBe(line);
  });

  it('quotes a name from the venue as one shell argument', () => {
    const paths = { db: '/bots/a.db', socket: '/bots/a.sock' };
    const line = botCommand(paths, '/bots/a.yaml', ['market', 'add', 'rain; rm -rf ~']);
    expect(line).toBe(`npx halfspread market add 'rain; rm -rf ~' --db /bots/a.db`);
  });

  it('queries the venue with the credentials of the configuration', () => {
    expect(venueCommand('/my bots/a.yaml', 'cancel-all')).toBe(`npx halfspread cancel-all --venue '/my bots/a.yaml'`);
  });
});
