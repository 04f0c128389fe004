import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStudy } from '../../../src/app/optimize.ts';
import { readConfiguration } from '../../../src/config/configuration.ts';
import {
  computeStudyResult,
  readStudy,
  readStudyFile,
  renderStudy,
  type StudyResult,
} from '../../../src/research/index.ts';
import { outcomeOf, type StudyFixture, studyFixture } from './study-fixture.ts';

const COUNT = 'SELECT count(*) FROM runs';

function query(fixture: StudyFixture, sql: string): unknown {
  const database = new Database(join(fixture.folder, 'study.study'), { readonly: true });
  try {
    return database.prepare(sql).pluck().get();
  } finally {
    database.close();
  }
}

describe('a study', () => {
  it('has the same result with one worker, with two workers, after a resume, and when it is read from its database', async () => {
    const fixture = studyFixture();
    const whole = outcomeOf(await fixture.run({ workers: 1 }));
    // 8 trials and 3 controls on 2 tapes.
    expect(query(fixture, COUNT)).toBe(22);
    await expect(fixture.run({ workers: 2, begun: 'replace', stopAfter: 5 })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const stored = Number(query(fixture, COUNT));
    expect(stored).toBeGreaterThanOrEqual(5);
    expect(stored).toBeLessThan(22);
    expect(outcomeOf(await fixture.run({ workers: 2 }))).toEqual(whole);
    expect(query(fixture, COUNT)).toBe(22);
    const read = readStudy(await openStudy(readConfiguration('study.yaml', fixture.folder), fixture.folder));
    expect(outcomeOf(read)).toEqual(whole);
    expect(whole).toMatchObject({ trials: { done: 8, failed: 0 }, pbo: null });
  });

  it('runs only the new trials when their number is raised', async () => {
    const fixture = studyFixture(1);
    fixture.write({ trials: 4 });
    await fixture.run();
    fixture.write({ trials: 8 });
    const extended = outcomeOf(await fixture.run());
    expect(query(fixture, COUNT)).toBe(11);
    expect(outcomeOf(await fixture.run({ begun: 'replace' }))).toEqual(extended);
  });

  it('refuses to overwrite an existing study and to resume a different one', async () => {
    const fixture = studyFixture(1);
    fixture.write({ trials: 1 });
    await fixture.run();
    await expect(fixture.run({ begun: 'neither' })).rejects.toThrow(
      'this file already contains a study. Continue it with --resume',
    );
    fixture.write({ trials: 1, seed: 2 });
    await expect(fixture.run()).rejects.toThrow(
      'it contains a study that differs in search. Restore these to continue it',
    );
    fixture.write({ trials: 1 }, { capital_usd: 500 });
    await expect(fixture.run()).rejects.toThrow('it contains a study that differs in backtest.');
    const other = studyFixture(1, 1_600);
    fixture.write({ trials: 1 }, { tapes: [join(other.folder, 'tapes')] });
    await expect(fixture.run()).rejects.toThrow('it contains a study that differs in tapes.');
  });

  it('continues after a failed trial and reports its problem', async () => {
    const fixture = studyFixture(1);
    fixture.write({ parameters: { 'params.order_amount': { choices: [10, -5] } }, search: { method: 'grid' } });
    const { trials, best, problems } = computeStudyResult(await fixture.run());
    expect(trials).toEqual({ done: 1, failed: 1 });
    expect(best?.params).toEqual({ 'params.order_amount': 10 });
    expect(Object.keys(problems)).toEqual([expect.stringMatching(/^params\.order_amount: expected .*, got -5$/)]);
  });

  it('counts a strategy that throws in one trial as failed', async () => {
    const fixture = studyFixture(1);
    mkdirSync(join(fixture.folder, 'failing'));
    writeFileSync(
      join(fixture.folder, 'failing/strategy.ts'),
      `import { defineStrategy, z } from 'halfspread';
       export default defineStrategy({ name: 'failing', summary: 'Throws for 2.', params: z.strictObject({ level: z.number() }),
         create: ({ level }) => ({ onStart() { if (level === 2) throw new Error('bad value'); } }) });`,
    );
    fixture.write(
      { parameters: { 'params.level': { low: 1, high: 3, whole: true } }, search: { method: 'grid' } },
      { strategy: './failing/strategy.ts', params: { level: 1 } },
    );
    const { trials, problems } = computeStudyResult(await fixture.run());
    expect(trials).toEqual({ done: 2, failed: 1 });
    expect(Object.keys(problems)[0]).toContain('bad value');
  });

  it('ends when a tape is replaced while it runs', async () => {
    const fixture = studyFixture(1);
    const other = studyFixture(1, 1_700);
    fixture.write({ trials: 400, search: { method: 'random' } });
    const running = fixture.run({
      onProgress: (done) => {
        if (done === 3) renameSync(join(other.folder, 'tapes/t0.tape'), join(fixture.folder, 'tapes/t0.tape'));
      },
    });
    // A backtest in the middle of the old tape reads the new one, and reports it as damaged.
    await expect(running).rejects.toThrow(
      /the tape synthetic-1 changed while the study ran\. Restore the old|file is damaged/,
    );
  });

  it('counts an objective that is not a number as failed', async () => {
    const fixture = studyFixture(1);
    fixture.write({ trials: 2, objectives: [{ maximise: '(pnl - pnl) / (fills - fills)' }] });
    const { trials, best, problems } = computeStudyResult(await fixture.run());
    expect([trials, best]).toEqual([{ done: 0, failed: 2 }, null]);
    expect(Object.entries(problems)).toEqual([
      [
        expect.stringMatching(/^the objective "\(pnl - pnl\) \/ \(fills - fills\)" is not a number: a division by 0/),
        2,
      ],
    ]);
  });

  it('returns the Pareto front of several objectives', async () => {
    const fixture = studyFixture(1);
    fixture.write({
      trials: 6,
      search: { method: 'sobol' },
      objectives: [{ maximise: 'pnl' }, { minimise: 'inventory' }],
    });
    const { front, best } = computeStudyResult(await fixture.run());
    expect(front.length).toBeGreaterThan(0);
    expect(Math.max(...front.map(({ values }) => values['pnl'] ?? 0))).toBe(best?.values['pnl']);
    for (const trial of front) {
      const isDominated = front.some(
        ({ values }) =>
          (values['pnl'] ?? 0) > (trial.values['pnl'] ?? 0) &&
          (values['inventory'] ?? 0) < (trial.values['inventory'] ?? 0),
      );
      expect(isDominated).toBe(false);
    }
  });

  it('compares the best trial with runs at random distances, which are reproducible', async () => {
    const fixture = studyFixture(2);
    fixture.write({ trials: 2, random_controls: 3 });
    const { random, warnings } = computeStudyResult(await fixture.run());
    expect(random).toEqual({ runs: 3, pnl: expect.any(Number), p: expect.any(Number) });
    expect([1, 2, 3, 4].map((k) => k / 4)).toContain(random?.p);
    expect(warnings.join(' ')).toMatch(/of 3 runs at random distances earned as much/);
    expect(computeStudyResult(await fixture.run({ begun: 'replace' })).random).toEqual(random);
  });

  it('renders a page that loads nothing and is reproducible', async () => {
    const fixture = studyFixture(1);
    fixture.write({ trials: 6, objectives: [{ maximise: 'pnl' }, { minimise: 'drawdown' }] });
    const ended = await fixture.run();
    const page = await renderStudy(ended, 'wide <b>or</b> narrow');
    expect(page).toContain('<h1>wide &#60;b&#62;or&#60;/b&#62; narrow</h1>');
    expect(page).toContain("script-src 'none'");
    expect(page).not.toMatch(/<script|src="http|NaN|undefined/);
    for (const title of ['Trials in order', 'Parameters of the trials', 'Objectives against each other'])
      expect(page).toContain(`<h3>${title}</h3>`);
    expect(page).toContain(`There is 1 event.`);
    expect(await renderStudy(ended, 'wide <b>or</b> narrow')).toBe(page);
  });

  it('with halving runs all trials on few tapes and the best one on all tapes', async () => {
    const fixture = studyFixture(3);
    fixture.write({ trials: 9, search: { method: 'halving', eta: 3 } });
    const ended = await fixture.run({ workers: 2 });
    expect(ended.scores.length).toBeLessThan(9);
    const perTrial = `SELECT count(*) FROM (SELECT subject FROM runs WHERE subject GLOB '[0-9]*' GROUP BY subject HAVING count(*) = 1)`;
    expect(Number(query(fixture, perTrial))).toBeGreaterThan(3);
    expect(outcomeOf(await fixture.run({ workers: 1 }))).toEqual(outcomeOf(ended));
  });

  it('tests the best trial on tapes that no trial ran on', async () => {
    const fixture = studyFixture(4);
    fixture.write({ trials: 4, test: { last: 0.5 } });
    const { tests, best, controls, warnings } = computeStudyResult(await fixture.run());
    expect(tests).toEqual([
      {
        from: expect.any(String),
        trial: best?.number,
        before: expect.objectContaining({ markets: 2 }),
        test: expect.objectContaining({ markets: 2 }),
      },
    ]);
    // 4 trials and 3 controls on 2 tapes, the best trial and the controls on 2 more.
    expect(query(fixture, COUNT)).toBe(22);
    expect(controls.map(({ name, test }) => [name, test?.markets])).toEqual([
      ['do nothing', 2],
      ['join the best prices', 2],
      ['one tick wide', 2],
    ]);
    expect(warnings.join(' ')).not.toContain('Nothing was tested');
  });

  it('has the same result when it is read from its database without its tapes', async () => {
    const fixture = studyFixture(4);
    fixture.write({ trials: 6, test: { last: 0.25 }, random_controls: 2 });
    const ended = await fixture.run();
    rmSync(join(fixture.folder, 'tapes'), { recursive: true });
    const read = readStudyFile(join(fixture.folder, 'study.study'));
    // The database does not keep the order of the controls.
    const sorted = ({ controls, warnings, ...result }: StudyResult) => {
      return { ...result, controls: controls.toSorted(byName), warnings: warnings.toSorted() };
    };
    const byName = (first: { readonly name: string }, second: { readonly name: string }) =>
      first.name < second.name ? -1 : 1;
    expect(sorted(computeStudyResult(read))).toEqual(sorted(computeStudyResult(ended)));
    expect(computeStudyResult(read)).toMatchObject({ trials: { done: 6 }, dsr: expect.any(Number) });
  });

  it('with `together` runs one backtest on all tapes for each trial', async () => {
    const fixture = studyFixture(2);
    fixture.write({ trials: 2, together: true });
    const { trials } = computeStudyResult(await fixture.run());
    expect(trials.done).toBe(2);
    expect(query(fixture, COUNT)).toBe(5);
  });

  it('refuses a damaged database', async () => {
    const fixture = studyFixture(1);
    writeFileSync(join(fixture.folder, 'study.study'), 'not a database, but long enough for its header. '.repeat(100));
    await expect(fixture.run()).rejects.toMatchObject({ code: 'FILE' });
  });
});
