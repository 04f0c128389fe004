import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { promptForBot, promptForPlace } from '../../src/cli/actions/init-questions.ts';
import { DEFAULT_BOT, nextCommands, projectFiles } from '../../src/cli/actions/init-template.ts';
import { readLiveFile } from '../../src/config/live-file.ts';
import { newFolder } from './halfspread.ts';
import { runInProcess } from './trading.ts';

const ENTER = '\r';
const DOWN = '\u001b[B';
const CTRL_U = '\u0015';
const CTRL_C = '\u0003';

type Answer = readonly [question: string, keys: readonly string[]];

/** A fake terminal that types the next keys when their question appears. */
function terminal(answers: readonly Answer[]) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 200, rows: 50 });
  const unanswered = [...answers];
  let shown = '';
  output.on('data', (piece) => {
    shown += String(piece);
    const [next] = unanswered;
    if (next === undefined || !shown.includes(next[0])) return;
    unanswered.shift();
    shown = '';
    for (const key of next[1]) setImmediate(() => void input.write(key));
  });
  return { input, output, unanswered };
}

const QUESTIONS: readonly string[] = [
  'How does the bot trade?',
  'Address of the venue',
  'Markets, by slug',
  'Strategy',
  'Distance of each quote',
  'Size of each quote',
  'Largest position',
  'Loss of a day',
];
const DEFAULTS: readonly Answer[] = QUESTIONS.map((question) => [question, [ENTER]]);

/** Writes the bot's configuration as `init` does and reads it as `run` does. */
function writeAndRead(answers: typeof DEFAULT_BOT) {
  const folder = newFolder();
  writeFileSync(join(folder, 'bot.yaml'), projectFiles(answers)['config/bot.yaml'] ?? '');
  return readLiveFile('bot.yaml', folder).file;
}

describe('the commands that `init` prints', () => {
  it('run the bot in paper and in live mode, for either mode of the file, and use the key of the answers', () => {
    const paper = nextCommands({ displayedFolder: 'bots', isInstalled: false }, DEFAULT_BOT);
    expect(paper).toMatch(/run config\/bot\.yaml {2,}# on paper\n/);
    expect(paper).toContain('run config/bot.yaml --set mode=live\n');
    const live = nextCommands(
      { displayedFolder: 'bots', isInstalled: false },
      { ...DEFAULT_BOT, mode: 'live', url: 'https://a.example', key: 'MY_KEY' },
    );
    expect(live).toMatch(/run config\/bot\.yaml --set mode=paper {2,}# on paper\n/);
    expect(live).toMatch(/run config\/bot\.yaml\n/);
    expect(live).toContain('export MY_KEY=');
    expect(live).not.toContain('play money');
  });
});

describe('the questions of `init --ask`', () => {
  it('write the same file as `init` without --ask when each is answered with Enter', async () => {
    const { input, output, unanswered } = terminal(DEFAULTS);
    expect(await promptForBot({ input, output })).toEqual(DEFAULT_BOT);
    expect(unanswered).toEqual([]);
  });

  it('write a valid file from the answers', async () => {
    const { input, output } = terminal([
      ['How does the bot trade?', [DOWN, ENTER]],
      ['Address of the venue', [CTRL_U, 'https://venue.example.org', ENTER]],
      ['Environment variable', [CTRL_U, 'MY_KEY', ENTER]],
      ['Markets, by slug', [CTRL_U, 'rain, "] }: snow 2026 null', ENTER]],
      ['Strategy', [DOWN, ENTER]],
      ['Distance of each quote', [CTRL_U, '60', ENTER]],
      ['Size of each quote', [CTRL_U, '5', ENTER]],
      ['Largest position', [CTRL_U, '90', ENTER]],
      ['Loss of a day', [CTRL_U, '25', ENTER]],
    ]);
    const file = writeAndRead(await promptForBot({ input, output }));
    expect(file).toMatchObject({
      mode: 'live',
      venue: { url: 'https://venue.example.org' },
      account: { key: { env: 'MY_KEY' } },
      markets: { slugs: ['rain', '"]', '}:', 'snow', '2026', 'null'] },
      strategy: 'ladder',
      params: { bid_spread: 60, ask_spread: 60, order_amount: 5, max_position: 90 },
      risk: { max_position: 90, daily_loss_usd: 25 },
    });
  });

  it.each([
    ['Address of the venue', 'ftp://a', 'https:// or http://', 'http://127.0.0.1:4000'],
    ['Markets, by slug', ',', 'at least one slug', 'rain'],
    ['Size of each quote', '0', 'a whole number from 1 to', '10'],
    ['Loss of a day', '1e9', 'a whole number from 1 to', '50'],
  ])('are repeated after an invalid answer: %s', async (question, wrong, complaint, right) => {
    const again: readonly Answer[] = [
      [question, [CTRL_U, wrong, ENTER]],
      [complaint, [CTRL_U, right, ENTER]],
    ];
    const answers = DEFAULTS.flatMap((each) => (each[0] === question ? again : [each]));
    const { input, output, unanswered } = terminal(answers);
    await promptForBot({ input, output });
    expect(unanswered).toEqual([]);
  });

  it('refuse a private key as the name of an environment variable', async () => {
    const key = 'a'.repeat(64);
    const { input, output, unanswered } = terminal([
      ['How does the bot trade?', [DOWN, ENTER]],
      ['Address of the venue', [ENTER]],
      ['Environment variable', [CTRL_U, key, ENTER]],
      ['the name of a variable', [CTRL_C]],
    ]);
    await expect(promptForBot({ input, output })).rejects.toThrow('cancelled: nothing was written');
    expect(unanswered).toEqual([]);
  });

  it('end with Ctrl+C', async () => {
    const { input, output } = terminal([['Folder of the project', [CTRL_C]]]);
    await expect(promptForPlace('/tmp', () => 'a', { input, output })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('halfspread init --ask', () => {
  it('prints what to do without a terminal, and writes nothing', async () => {
    const { code, stdout, stderr } = await runInProcess(['init', '--ask'], newFolder());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/--ask: expected a terminal: without one, omit --ask and edit config\/bot\.yaml/);
  });
});
