import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IS_SHORT } from '../runs.ts';
import { halfspread, newFolder, ROOT } from './halfspread.ts';
import { loggedField, type Serving, serving } from './serving.ts';
import { runInProcess } from './trading.ts';

const TAPE = join(ROOT, 'config/tapes/betfair-1.200806927.tape');
const MATCH = ['--replay', TAPE, '--from', '12:00:00Z'];

/** Creates a folder with a damaged copy of the tape and a file that is not a tape. */
function damagedFolder(): string {
  const folder = newFolder();
  const bytes = readFileSync(TAPE);
  bytes.writeUInt8(bytes.readUInt8(60_000) ^ 1, 60_000);
  writeFileSync(join(folder, 'damaged.tape'), bytes);
  writeFileSync(join(folder, 'none.tape'), 'not a tape');
  return folder;
}

async function market({ query }: Serving) {
  const answer = await query(
    '{ markets(input: {}) { edges { node { id slug status bestBidBps bestAskBps volumeCents } } } health { engineSeq } }',
  );
  return JSON.stringify(answer);
}

describe('halfspread serve --replay', () => {
  it.each([
    [['--replay', 'missing.tape'], /missing\.tape: there is no such file/, 3],
    [['--replay', 'damaged.tape'], /damaged\.tape, block \d+ at byte \d+: the checksum is wrong/, 3],
    [['--replay', TAPE, '--speed', '0'], /--speed: expected a number above 0, at most 1000000, got "0"/, 2],
    [['--replay', TAPE, '--speed', 'NaN'], /--speed: expected a number above 0/, 2],
    [
      ['--replay', TAPE, '--from', '2022-07-12T00:00:00Z'],
      /--from: expected a time on the tape, from 2022-07-05T10:50:12\.979Z/,
      2,
    ],
    [['--from', '12:00:00Z'], /--from: expected --replay <tape> together with it/, 2],
  ])('refuses %j', async (args, expected, exit) => {
    const { code, stdout, stderr } = await runInProcess(
      ['serve', '--port', '0', '--log', 'silent', ...args],
      damagedFolder(),
    );
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(expected);
  });

  it.each([
    ['replay: [{ tape: a.tape, sped: 1 }]', /sped.*speed/s],
    ['replay: [{ tape: a.tape, from: tomorrow }]', /replay\[0\]\.from: expected a time such as/],
    ['replay: [{ tape: none.tape }]', /none\.tape, byte 0: this is not a tape file/],
  ])('refuses a file with %s', async (text, expected) => {
    const folder = damagedFolder();
    copyFileSync(TAPE, join(folder, 'a.tape'));
    writeFileSync(join(folder, 'venue.yaml'), text);
    const { code, stderr } = await runInProcess(['serve', '--port', '0', '--config', 'venue.yaml'], folder);
    expect(code).toBeGreaterThan(1);
    expect(stderr).toMatch(expected);
  });

  it.skipIf(IS_SHORT)(
    'replays the match, is killed, and continues at the same position of the tape in the same state',
    async () => {
      const folder = newFolder();
      const db = ['--db', 'venue.db'];
      const first = await serving([...db, ...MATCH, '--speed', '60'], folder);
      const before = await market(first);
      expect(before).toContain('betfair-match-odds-1-200806927-runner-228749');
      while ((await market(first)) === before) await new Promise((resolve) => setTimeout(resolve, 20));
      await first.stop('SIGKILL');

      // Without a replay the state at the end equals the recovered one.
      const second = await serving(db, folder);
      expect(second.logged()).toContainEqual(
        expect.objectContaining({
          msg: expect.stringContaining('the market does not change, because its tape is not replayed'),
        }),
      );
      const hash = loggedField(second, 'exchange: recovered', 'hash');
      await second.stop('SIGTERM');
      expect(loggedField(second, 'exchange: stopped', 'hash')).toBe(hash);
      const check = await halfspread(['journal', 'check', 'venue.db'], folder);
      expect(check).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('rows          intact, and equal to a replay of the records'),
      });

      writeFileSync(
        join(folder, 'venue.yaml'),
        `replay: [{ tape: ${JSON.stringify(TAPE)}, from: 14:00:00Z, speed: 600 }]\n`,
      );
      const third = await serving([...db, '--config', 'venue.yaml'], folder);
      expect(loggedField(third, 'exchange: recovered', 'hash')).toBe(hash);
      expect(Number(loggedField(third, 'replay: playing', 'row'))).toBeGreaterThan(6_421);
      expect(loggedField(third, 'replay: playing', 'at')).toMatch(/^2022-07-11T12:/);
      const { stderr } = await third.stop('SIGTERM');
      expect(stderr).not.toContain('"level":50');
    },
    120_000,
  );
});
