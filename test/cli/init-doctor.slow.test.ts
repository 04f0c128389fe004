/** Answers `halfspread init --ask` on a terminal and runs `halfspread doctor` on the new project. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, halfspread, newFolder, ROOT } from './halfspread.ts';
import { endAll, newKey, openVenue, setSecret, type VenueProcess } from './trading.ts';

const ENTER = '\r';
const DOWN = '\u001b[B';
const CTRL_U = '\u0015';

type Answer = readonly [question: string, ...keys: readonly string[]];

/** The timeout is needed because `script` may wait for input for ever. */
const PROBE = { timeout: 20_000, killSignal: 'SIGKILL', stdio: 'ignore' } as const;
const hasTerminal = spawnSync('script', ['-qfec', 'true', '/dev/null'], PROBE).status === 0;
let venue: VenueProcess;

beforeAll(async () => {
  venue = await openVenue();
}, 60_000);

afterAll(async () => {
  await venue.close();
  endAll();
});

/** Runs `init --ask` on a new terminal and answers each question when it appears. */
async function initWith(folder: string, answers: readonly Answer[]) {
  const bin = join(ROOT, 'bin/halfspread.js');
  const command = `stty cols 200 rows 50; '${process.execPath}' '${bin}' init --ask`;
  const child: ChildProcess = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const unanswered = [...answers];
  let shown = '';
  child.stdout?.on('data', (piece) => {
    shown += String(piece);
    const [next] = unanswered;
    if (next === undefined || !shown.includes(next[0])) return;
    unanswered.shift();
    shown = '';
    for (const key of next.slice(1)) child.stdin?.write(key);
  });
  const end = await ended(child);
  return { code: end.code, output: end.stdout, unanswered };
}

function answersOf(mode: readonly string[], rest: readonly Answer[] = []): readonly Answer[] {
  return [
    ['Folder of the project', 'bots', ENTER],
    ['Name of the project', ENTER],
    ['How does the bot trade?', ...mode],
    ['Address of the venue', CTRL_U, venue.url, ENTER],
    ...rest,
    ['Markets, by slug', CTRL_U, 'will-the-cup-final-go-to-penalties', ENTER],
    ['Strategy', ENTER],
    ['Distance of each quote', ENTER],
    ['Size of each quote', ENTER],
    ['Largest position', ENTER],
    ['Loss of a day', ENTER],
  ];
}

/** Creates the links that `npm install` would create. */
function install(project: string): void {
  mkdirSync(join(project, 'node_modules'));
  for (const name of ['halfspread', 'zod']) {
    symlinkSync(name === 'halfspread' ? ROOT : join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
}

describe.skipIf(!hasTerminal)('a project that `halfspread init --ask` wrote', () => {
  it.each([
    ['paper', [ENTER], []],
    ['live', [DOWN, ENTER], [['Environment variable', CTRL_U, 'TEST_INIT_KEY', ENTER]]],
  ] as const)('passes `doctor` without changes: %s', async (mode, keys, rest) => {
    const folder = newFolder();
    setSecret('XDG_STATE_HOME', newFolder());
    setSecret('TEST_INIT_KEY', newKey());
    const { code, output, unanswered } = await initWith(folder, answersOf(keys, rest));
    expect({ code, unanswered, output }).toMatchObject({ code: 0, unanswered: [] });
    const project = join(folder, 'bots');
    expect(readFileSync(join(project, 'config/bot.yaml'), 'utf8')).toContain(`mode: ${mode}\n`);
    install(project);
    const checked = await halfspread(['doctor', 'config/bot.yaml'], project);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toMatch(/\d+ ok, 0 warn, 0 fail\n$/);
  });
});
