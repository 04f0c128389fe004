import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readStudyStatus } from '../../src/app/study-status.ts';
import { StudyWatch } from '../../src/app/study-watch.ts';
import { parseStudy } from '../../src/research/index.ts';
import { scratchFolder } from '../history/scratch.ts';

const spec = parseStudy({
  version: 1,
  backtest: 'b.yaml',
  parameters: { 'params.width': { low: 1, high: 2 } },
  trials: 4,
});

function fixture() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const file = join(scratchFolder(), 'width.study');
  const notices: string[] = [];
  const watch = new StudyWatch({
    threads: 2,
    remote: () => undefined,
    show: () => undefined,
    notice: (text) => void notices.push(text),
  });
  return { file, watch, notices };
}

describe('the status of a running study', () => {
  it('is written each second to a file next to the database, which is deleted at the end', () => {
    const { file, watch } = fixture();
    watch.start({ file, spec });
    watch.onProgress({ done: 5, total: 20, ran: 1, failed: 1, best: undefined });
    watch.notice('something happened');
    vi.advanceTimersByTime(2_000);
    const status = readStudyStatus(file);
    expect(status).toMatchObject({ done: 5, total: 20, failed: 1, threads: 2, best: null, remote: null });
    expect(status?.notices).toEqual([{ time: expect.any(Number), text: 'something happened' }]);
    watch.stop();
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  it('has a rate without the backtests of earlier starts', () => {
    const { file, watch } = fixture();
    watch.start({ file, spec });
    for (let done = 1; done <= 10; done += 1) watch.onProgress({ done, total: 20, ran: 0, failed: 0, best: undefined });
    expect(watch.status).toMatchObject({ done: 10, perSecond: 0, leftMs: null });
    watch.stop();
  });

  it('is reported once when it cannot be written, and the study continues', () => {
    const { file, watch, notices } = fixture();
    mkdirSync(`${file}-status.partial`);
    watch.start({ file, spec });
    vi.advanceTimersByTime(3_000);
    expect(notices).toEqual([expect.stringMatching(/^the dashboard cannot show the progress of the study: /)]);
    expect(existsSync(`${file}-status`)).toBe(false);
    expect(() => watch.stop()).not.toThrow();
  });

  it.each(['', '{', '{"done":1}'])('is missing when its file contains "%s"', (text) => {
    const { file } = fixture();
    writeFileSync(`${file}-status`, text);
    expect(readStudyStatus(file)).toBeUndefined();
  });

  it('is missing when its file is a pipe, or larger than 4 MB', () => {
    const { file, watch } = fixture();
    execFileSync('mkfifo', [`${file}-status`]);
    expect(readStudyStatus(file)).toBeUndefined();
    rmSync(`${file}-status`);
    writeFileSync(`${file}-status`, JSON.stringify(watch.status).padEnd(4_000_000));
    expect(readStudyStatus(file)).toBeDefined();
    writeFileSync(`${file}-status`, JSON.stringify(watch.status).padEnd(4_000_001));
    expect(readStudyStatus(file)).toBeUndefined();
  });
});
