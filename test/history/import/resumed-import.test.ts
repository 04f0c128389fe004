import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killAt, scratchFolder } from '../scratch.ts';
import { HEADER, type ImportFixture, LEVELS, runImport } from './run-import.ts';
import { rowsOfTape } from './tape-rows.ts';

describe('a killed import', () => {
  it('starts again when its saved state is damaged', async () => {
    const folder = scratchFolder();
    const state = join(folder, 'out', '.import-levels');
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'state.json'), '{"key":');
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const { resumedAt, rows } = await runImport({ files: { 'a.csv': `${HEADER}1,bid,0.40,1\n` }, onWarning }, folder);
    expect({ resumedAt, rows }).toEqual({ resumedAt: 0, rows: ['1 level bid 4000 1 |'] });
    const problem = 'the file is damaged or of another version';
    expect(warnings).toEqual([`${join(state, 'state.json')}: ${problem}. The import starts from the beginning`]);
  });

  it('continues after its last finished part, with the same tape', async () => {
    const line = (at: number) =>
      `${at * 3},${at % 2 ? 'bid' : 'ask'},0.${at % 2 ? 40 - (at % 7) : 60 + (at % 5)},${at % 11}\n`;
    const text = HEADER + Array.from({ length: 5_000 }, (_, at) => line(at)).join('');
    const whole = await runImport({ files: { 'a.csv': text } });
    const folder = scratchFolder();
    const options = { files: { 'a.csv': text }, partRecords: 1_000 };
    await expect(runImport({ ...options, onProgress: killAt(3) }, folder)).rejects.toThrow('killed');
    expect(readdirSync(join(folder, 'out', '.import-levels'))).toContain('state.json');
    const resumed = await runImport(options, folder);
    expect(resumed.resumedAt).toBe(3_000);
    expect(resumed.tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
    expect(resumed.counts.toJSON()).toEqual(whole.counts.toJSON());
    expect(readdirSync(join(folder, 'out'))).toEqual(['.import-levels.json', 'levels.tape']);
    expect(resumed.tapes[0]?.manifest.source.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows progress while it reads the files again up to the last part', async () => {
    const text = HEADER + Array.from({ length: 60_000 }, (_, at) => `${at},bid,0.${40 + (at % 2)},1\n`).join('');
    const folder = scratchFolder();
    const options = { files: { 'a.csv': text }, partRecords: 50_000 };
    await expect(runImport({ ...options, onProgress: killAt(3) }, folder)).rejects.toThrow('killed');
    const fractions: number[] = [];
    await runImport({ ...options, onProgress: (fraction) => fractions.push(fraction) }, folder);
    expect(fractions[0]).toBeLessThan(1);
    expect(fractions.at(-1)).toBe(1);
  });
});

describe('an import whose part is damaged', () => {
  const text = HEADER + Array.from({ length: 3_000 }, (_, at) => `${at},bid,0.${40 + (at % 2)},1\n`).join('');
  const options = { files: { 'a.csv': text }, partRecords: 1_000 };
  const partPath = (folder: string) => join(folder, 'out', '.import-levels', 'levels-0.tape');

  function damageBlock(part: string): void {
    const bytes = readFileSync(part);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(part, bytes);
  }

  function listOpenFiles(part: string): readonly string[] {
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    return links.filter((link) => link.startsWith(part));
  }

  it('fails and closes the part, and starts again when it is repeated', async () => {
    const folder = scratchFolder();
    const part = partPath(folder);
    let isDamaged = false;
    const onProgress = () => {
      if (!isDamaged) damageBlock(part);
      isDamaged = true;
    };
    await expect(runImport({ ...options, onProgress }, folder)).rejects.toThrow('levels-0.tape');
    expect(listOpenFiles(part)).toEqual([]);
    expect((await runImport(options, folder)).resumedAt).toBe(0);
  });

  it.each([
    ['damaged', damageBlock, ', block at byte 16: the checksum is wrong: the file is damaged'],
    ['cut short', (part: string) => truncateSync(part, 100), ', byte 68: the file is cut short or its end is damaged'],
    ['deleted', (part: string) => rmSync(part), ': there is no such file or folder'],
  ])('starts again with a warning after it was killed and the part was %s', async (_, damage, problem) => {
    const whole = await runImport(options);
    const folder = scratchFolder();
    const part = partPath(folder);
    await expect(runImport({ ...options, onProgress: killAt(2) }, folder)).rejects.toThrow('killed');
    damage(part);
    const warnings: string[] = [];
    const resumed = await runImport({ ...options, onWarning: (text) => warnings.push(text) }, folder);
    expect(warnings).toEqual([`${part}${problem}. The import starts from the beginning`]);
    expect(resumed.resumedAt).toBe(0);
    expect(resumed.tapes[0]?.manifest.contentHash).toBe(whole.tapes[0]?.manifest.contentHash);
    expect(listOpenFiles(part)).toEqual([]);
  });

  it('starts again with a warning after it was killed and a file changed', async () => {
    const folder = scratchFolder();
    await expect(runImport({ ...options, onProgress: killAt(2) }, folder)).rejects.toThrow('killed');
    const warnings: string[] = [];
    const files = { 'b.csv': `${HEADER}1,bid,0.40,1\n` };
    const { resumedAt } = await runImport({ ...options, files, onWarning: (text) => warnings.push(text) }, folder);
    expect(resumedAt).toBe(0);
    const problem = 'an interrupted import of other files or with other options left these parts';
    expect(warnings).toEqual([
      `${join(folder, 'out', '.import-levels')}: ${problem}. The import starts from the beginning`,
    ]);
  });

  it.each(['levels-0.tape', 'state.json'])(
    'stops and deletes nothing when the system cannot read %s, and continues when it can',
    async (name) => {
      const folder = scratchFolder();
      const path = join(folder, 'out', '.import-levels', name);
      await expect(runImport({ ...options, onProgress: killAt(2) }, folder)).rejects.toThrow('killed');
      renameSync(path, `${path}.away`);
      mkdirSync(path);
      await expect(runImport(options, folder)).rejects.toThrow(
        `${path}: this is a folder, not a file. Nothing is deleted. Make the file readable, then import again, or start again with \`--force\``,
      );
      rmdirSync(path);
      renameSync(`${path}.away`, path);
      expect((await runImport(options, folder)).resumedAt).toBe(2_000);
    },
  );

  it('starts again with `force` when the system cannot read a part', async () => {
    const folder = scratchFolder();
    await expect(runImport({ ...options, onProgress: killAt(2) }, folder)).rejects.toThrow('killed');
    const part = partPath(folder);
    rmSync(part);
    mkdirSync(part);
    expect((await runImport({ ...options, force: true }, folder)).resumedAt).toBe(0);
  });
});

describe('a finished import', () => {
  const TEXT = `${HEADER}1,bid,0.40,1\nx,bid,0.40,2\n`;

  it('is up to date, writes nothing and has the same report', async () => {
    const folder = scratchFolder();
    const first = await runImport({ files: { 'a.csv': TEXT } }, folder);
    const { mtimeMs, ino } = statSync(first.tapes[0]?.path ?? '');
    const second = await runImport({ files: { 'a.csv': TEXT } }, folder);
    expect([first.isUpToDate, second.isUpToDate]).toEqual([false, true]);
    expect(statSync(second.tapes[0]?.path ?? '')).toMatchObject({ mtimeMs, ino });
    expect([second.tapes, second.counts.toJSON()]).toEqual([first.tapes, first.counts.toJSON()]);
  });

  it('runs again after a change of a file, the mapping or its metadata, and with `force`', async () => {
    const folder = scratchFolder();
    const mapping = { ...LEVELS, metadata: { file: 'facts.csv', key: 'id', columns: { question: 'q' } } };
    const files = { 'a.csv': TEXT };
    const run = async (options: Partial<ImportFixture> = {}) =>
      (await runImport({ files, mapping, ...options }, folder)).isUpToDate;
    writeFileSync(join(folder, 'facts.csv'), 'id,q\na,One?\n');
    expect([await run(), await run(), await run({ force: true }), await run()]).toEqual([false, true, false, true]);
    writeFileSync(join(folder, 'facts.csv'), 'id,q\na,Two?\n');
    expect([await run(), await run()]).toEqual([false, true]);
    writeFileSync(join(folder, 'a.csv'), `${TEXT}2,bid,0.41,1\n`);
    expect([await run(), await run()]).toEqual([false, true]);
    writeFileSync(join(folder, 'mapping.yaml'), `${JSON.stringify(mapping)}\n`);
    expect([await run(), await run(), await run({ separate: true })]).toEqual([false, true, false]);
  });

  it('refuses to be overwritten by an import of other files without another name or `force`', async () => {
    const folder = scratchFolder();
    const tape = join(folder, 'out', 'levels.tape');
    const other = { 'b.csv': `${HEADER}5,ask,0.60,1\n` };
    const { rows } = await runImport({ files: { 'a.csv': TEXT } }, folder);
    await expect(runImport({ files: other }, folder)).rejects.toThrow(
      `${tape}: the tape contains ${join(folder, 'a.csv')}, which this import leaves out. Keep both with \`--set name=…\`, import all files together, or replace the tape with \`--force\``,
    );
    expect(rowsOfTape(tape)).toEqual(rows);
    await runImport({ files: other, mapping: { ...LEVELS, name: 'others' } }, folder);
    await runImport({ files: other, separate: true }, folder);
    expect(rowsOfTape(tape)).toEqual(rows);
    expect((await runImport({ files: { 'a.csv': TEXT, ...other } }, folder)).rows).toHaveLength(2);
    expect((await runImport({ files: other, force: true }, folder)).rows).toHaveLength(1);
  });

  it('names the folder that it cannot clear', async () => {
    const folder = `/${'x'.repeat(300)}`;
    await expect(runImport({ files: { 'a.csv': `${HEADER}1,bid,0.4,1\n` }, folder })).rejects.toThrow(
      'could not be deleted',
    );
  });

  it('names the file when its state cannot be written', async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'out', '.import-levels.json.partial'), { recursive: true });
    await expect(runImport({ files: { 'a.csv': TEXT } }, folder)).rejects.toThrow(
      /\.import-levels\.json: could not be written \(EISDIR.*The path is a folder: name a file in it/,
    );
  });

  it('names the tape when a folder has its path', async () => {
    const folder = scratchFolder();
    const tape = join(folder, 'out', 'levels.tape');
    mkdirSync(tape, { recursive: true });
    await expect(runImport({ files: { 'a.csv': TEXT } }, folder)).rejects.toThrow(
      `${tape}: could not be written (EISDIR`,
    );
  });

  it('runs again when its tape is missing, damaged or replaced', async () => {
    const folder = scratchFolder();
    const run = async () => (await runImport({ files: { 'a.csv': TEXT } }, folder)).isUpToDate;
    const tape = join(folder, 'out', 'levels.tape');
    await run();
    rmSync(tape);
    expect([await run(), await run()]).toEqual([false, true]);
    writeFileSync(tape, 'no tape');
    expect([await run(), await run()]).toEqual([false, true]);
    rmSync(tape);
    mkdirSync(tape);
    await expect(run()).rejects.toThrow(`${tape}: this is a folder, not a file. Nothing is deleted.`);
    rmdirSync(tape);
    const other = await runImport({ files: { 'a.csv': `${HEADER}1,ask,0.60,1\n` } });
    copyFileSync(other.tapes[0]?.path ?? '', tape);
    expect([await run(), await run()]).toEqual([false, true]);
    const saved = join(folder, 'out', '.import-levels.json');
    for (const damaged of ['{', readFileSync(saved, 'utf8').replaceAll('"0.000000"', '"none"')]) {
      writeFileSync(saved, damaged);
      expect([await run(), await run()]).toEqual([false, true]);
    }
  });
});
