import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, ROOT } from './halfspread.ts';
import { runInProcess } from './trading.ts';

const TAPE = join(ROOT, 'config/tapes/betfair-1.200806927.tape');
const SLUG = 'betfair-match-odds-1-200806927-runner-228749';

function folderOfTapes(): string {
  const folder = newFolder();
  copyFileSync(TAPE, join(folder, 'match.tape'));
  writeFileSync(join(folder, 'broken.tape'), 'x');
  return folder;
}

describe('halfspread tape', () => {
  it('lists the tapes of a folder, and warns about other files', async () => {
    const { code, stdout, stderr } = await runInProcess(['tape', 'list', folderOfTapes()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tape +markets +category +from .*\nmatch\.tape +betfair-match-odds.* 30,531 /);
    expect(stderr).toMatch(/warning: broken\.tape is left out: .*not a tape file/);
  });

  it('lists the tapes that match a condition, and shows the position of a syntax error', async () => {
    const folder = newFolder();
    copyFileSync(TAPE, join(folder, 'match.tape'));
    const found = await runInProcess(['tape', 'list', folder, '--where', 'volume > 1000 and trades >= 8758']);
    expect(found.stdout).toContain('match.tape');
    const wrong = await runInProcess(['tape', 'list', folder, '--where', 'volum > 1000']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/--where: expected one of .*at character 1/s),
    ]);
  });

  it('shows the quality of each market', async () => {
    const { stdout } = await runInProcess(['tape', 'stats', TAPE]);
    expect(stdout).toContain(SLUG);
    expect(stdout).toMatch(/ 18,526 +8,758 +147\.9 +2 /);
  });

  it('explains an invalid query, path or folder', async () => {
    const folder = newFolder();
    copyFileSync(TAPE, join(folder, 'match.tape'));
    const empty = newFolder();
    const out = ['--out', join(empty, 'out.tape')];
    const [first, last] = ['2022-07-11T11:00:00Z', '2022-07-11T12:00:00Z'];
    const cases: readonly (readonly [string[], number, RegExp])[] = [
      [['query', folder, 'selct 1'], 2, /^error: Parser Error: .*The tables are rows/s],
      [['query', folder, ''], 2, /^error: The query must be one SELECT/],
      [['query', join(empty, 'none'), 'SELECT 1'], 3, /there is no such file or folder\. Check the path$/],
      [['query', empty, 'SELECT 1'], 3, /there is no tape in this folder\. Name a folder with tapes$/],
      [['info', join(TAPE, 'x.tape')], 3, /a part of the path before the last is a file, not a folder/],
      [['cut', folder, ...out], 3, /this is a folder, not a file/],
      [['join', empty, TAPE, ...out], 3, /there is no tape in this folder\. Name a folder with tapes$/],
      [['join', TAPE, join(folder, 'match.tape'), ...out], 2, /expected a tape with other rows than .*\.tape, got/],
      [['cut', TAPE, '--from', last, '--to', first, ...out], 2, /^error: --to: expected a time after --from, got/],
    ];
    for (const [args, expected, words] of cases) {
      const { code, stderr } = await runInProcess(['tape', ...args]);
      expect([args, code, stderr.trimEnd()]).toEqual([args, expected, expect.stringMatching(words)]);
    }
    expect(readdirSync(empty)).toEqual([]);
  });

  it('skips and names the damaged tapes of a folder', async () => {
    const { code, stdout, stderr } = await runInProcess(['tape', 'stats', folderOfTapes()]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/warning: broken\.tape is left out/)]);
    expect(stdout).toContain(SLUG);
  });

  it('cuts, joins and exports tapes, and restores an exported tape', async () => {
    const folder = newFolder();
    const [first, second, both] = ['first.tape', 'second.tape', 'both.tape'].map((name) => join(folder, name));
    const at = '2022-07-11T12:00:00Z';
    await runInProcess(['tape', 'cut', TAPE, '--to', at, '--out', `${first}`]);
    await runInProcess(['tape', 'cut', TAPE, '--from', at, '--out', `${second}`]);
    const { stdout } = await runInProcess(['tape', 'join', `${first}`, `${second}`, '--out', `${both}`]);
    expect(stdout).toMatch(/seams {11}1, of them [01] with a gap/);
    const exported = await runInProcess(['tape', 'export', TAPE, '--out', join(folder, 'export')]);
    const parquet = exported.stdout.trim();
    const restored = await runInProcess(['tape', 'restore', parquet, '--out', join(folder, 'again')]);
    const [info, again] = await Promise.all(
      [TAPE, restored.stdout.trim()].map(async (path) =>
        JSON.parse((await runInProcess(['tape', 'info', path, '--json'])).stdout),
      ),
    );
    expect(again.manifest).toEqual(info.manifest);
    const restore = ['tape', 'restore', parquet, '--out', join(folder, 'again')];
    expect((await runInProcess(restore)).stderr).toMatch(/a file that does not exist; --force replaces/);
    expect(await runInProcess([...restore, '--force'])).toMatchObject({ code: 0 });
    await runInProcess(['tape', 'export', TAPE, '--format', 'csv', '--out', join(folder, 'export')]);
    expect(existsSync(join(folder, 'export/betfair-1.200806927.csv'))).toBe(true);
  });

  it('refuses to write over a tape that it reads', async () => {
    const { code, stderr } = await runInProcess(['tape', 'cut', TAPE, '--out', TAPE]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out')]);
  });

  it('exports and restores nothing when two inputs would have the same output', async () => {
    const [folder, other, out] = [newFolder(), newFolder(), newFolder()];
    for (const place of [folder, other]) copyFileSync(TAPE, join(place, 'match.tape'));
    const args = ['tape', 'export', folder, join(other, 'match.tape'), '--out', out];
    const exported = await runInProcess(args);
    expect([exported.code, exported.stderr]).toEqual([
      2,
      expect.stringMatching(/name differs from that of .*match\.tape/),
    ]);
    const restored = await runInProcess(['tape', 'restore', 'a/x.parquet', 'b/x.csv', '--out', out, '--force']);
    expect([restored.code, restored.stderr]).toEqual([
      2,
      expect.stringMatching(/name differs from that of a\/x\.parquet/),
    ]);
    expect(readdirSync(out)).toEqual([]);
  });

  it('does not replace a pipe or a device by a tape or an export', async () => {
    const folder = newFolder();
    const [pipe, csv] = [join(folder, 'pipe'), join(folder, 'betfair-1.200806927.csv')];
    execFileSync('mkfifo', [pipe, csv]);
    for (const args of [
      ['cut', TAPE, '--out', pipe, '--force'],
      ['export', TAPE, '--format', 'csv', '--out', folder, '--force'],
    ]) {
      const { code, stderr } = await runInProcess(['tape', ...args]);
      expect([code, stderr]).toEqual([3, expect.stringContaining('it is a device, a pipe or a socket. Name a file')]);
    }
    for (const path of [pipe, csv]) expect(statSync(path).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('refuses --from without the condition that it is the time of', async () => {
    for (const args of [
      ['list', folderOfTapes()],
      ['fetch', 'https://127.0.0.1:1/match.tape'],
    ]) {
      const { code, stderr } = await runInProcess(['tape', ...args, '--from', '2022-07-11T12:00:00Z']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --from: expected --where beside it/)]);
    }
  });

  it('generate and export replace a file only with --force', async () => {
    const folder = newFolder();
    const tape = join(folder, 'kept.tape');
    const recipe = join(ROOT, 'config/synthetic.yaml');
    const exports = ['betfair-1.200806927.csv', 'betfair-1.200806927.parquet'].map((name) => join(folder, name));
    for (const [path, args] of [
      [tape, ['generate', recipe, '--set', 'events=1000', '--out', tape]],
      [exports[0], ['export', TAPE, '--format', 'csv', '--out', folder]],
      [exports[1], ['export', TAPE, '--out', folder]],
    ] as const) {
      writeFileSync(`${path}`, 'kept');
      const refused = await runInProcess(['tape', ...args]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--force replaces an existing one')]);
      expect(readFileSync(`${path}`, 'utf8')).toBe('kept');
      expect(await runInProcess(['tape', ...args, '--force'])).toMatchObject({ code: 0 });
      expect(statSync(`${path}`).size).toBeGreaterThan(100);
    }
  });

  it('exports nothing when one of several exports exists', async () => {
    const [folder, out] = [newFolder(), newFolder()];
    for (const name of ['a.tape', 'b.tape']) copyFileSync(TAPE, join(folder, name));
    writeFileSync(join(out, 'b.parquet'), 'kept');
    expect(await runInProcess(['tape', 'export', folder, '--out', out])).toMatchObject({ code: 2, stdout: '' });
    expect(readdirSync(out)).toEqual(['b.parquet']);
  });

  it.each(['cut', 'join'])('%s replaces a file only with --force', async (command) => {
    const path = join(newFolder(), 'kept.tape');
    writeFileSync(path, 'kept');
    const args = ['tape', command, TAPE, '--out', path];
    const refused = await runInProcess(args);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--force replaces an existing one')]);
    expect(readFileSync(path, 'utf8')).toBe('kept');
    expect((await runInProcess([...args, '--force'])).code).toBe(0);
    expect((await runInProcess(['tape', 'check', path])).code).toBe(0);
  });

  it('runs SQL queries', async () => {
    const folder = newFolder();
    copyFileSync(TAPE, join(folder, 'match.tape'));
    const sql =
      "SELECT kind, count(*)::INTEGER AS n FROM rows WHERE kind IN ('trade', 'level') GROUP BY kind ORDER BY n";
    const { stdout } = await runInProcess(['tape', 'query', folder, sql]);
    expect(stdout).toBe('kind   n\ntrade  8758\nlevel  21766\n');
    const limited = await runInProcess(['tape', 'query', folder, sql, '--limit', '1', '--json']);
    expect(JSON.parse(limited.stdout)).toEqual({ columns: ['kind', 'n'], rows: [['trade', 8758]], isWhole: false });
    const { code, stderr } = await runInProcess(['tape', 'query', folder, 'SELECT nothing FROM rows']);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('The tables are rows, markets and tapes')]);
  });
});
