/** Pages of studies in the dashboard, made from real databases and shown in Chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDashboard } from '../../src/app/dashboard.ts';
import { removeStudyStatus, type StudyStatus, writeStudyStatus } from '../../src/app/study-status.ts';
import { StudyStore } from '../../src/store/index.ts';
import { newFolder } from '../cli/halfspread.ts';
import { NO_CHROMIUM, openChromium } from '../e2e/chromium.ts';
import { studyFixture } from '../research/study/study-fixture.ts';

let dashboard: Awaited<ReturnType<typeof openDashboard>> | undefined;
let folder = '';
let cookie = '';
const address = (): string => dashboard?.url.split('/#')[0] ?? '';

beforeAll(async () => {
  const fixture = studyFixture(2, 1_500, newFolder());
  ({ folder } = fixture);
  await fixture.run();
  dashboard = await openDashboard({
    bots: [{ id: 'none', address: join(folder, 'none.sock') }],
    host: '127.0.0.1',
    port: 0,
    isBehindProxy: false,
    hostNames: [],
    reports: folder,
    studies: folder,
    audit: join(folder, 'audit.jsonl'),
  });
  const answer = await fetch(`${address()}/login`, {
    method: 'POST',
    headers: { 'x-halfspread': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ secret: dashboard.url.split('token=')[1] }),
  });
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
});

const STATUS: StudyStatus = {
  host: 'here',
  pid: 7,
  startedAt: 0,
  writtenAt: 0,
  done: 50,
  total: 200,
  failed: 2,
  perSecond: 4,
  leftMs: 37_500,
  best: 'best: trial 3, 1.25',
  notices: [{ time: 0, text: 'worker host-b-2 is gone: others compute what it had' }],
  threads: 2,
  remote: {
    problem: null,
    connected: 1,
    queued: 9,
    returned: 4,
    lost: 1,
    computingSeconds: 12,
    costUsd: 0.0123,
    workers: [
      {
        name: 'host-a-1',
        host: 'host-a',
        threads: 2,
        state: 'working',
        backtests: 40,
        failed: 1,
        returned: 4,
        perSecond: 3.5,
        silentMs: 2_000,
      },
    ],
  },
};

async function pageOf(name: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${address()}/studies/${name}`, { headers: { cookie } });
  return { status: answer.status, text: await answer.text() };
}

/** Writes a database next to the study. */
function database(name: string, pragmas: readonly string[]): void {
  const connection = new Database(join(folder, name));
  connection.exec('CREATE TABLE other (id INTEGER)');
  for (const pragma of pragmas) connection.pragma(pragma);
  connection.close();
}

describe('the page of a study', () => {
  it('has the best trial with DSR and PBO, heat map and parallel coordinates, also while the study runs', async () => {
    const writer = StudyStore.open(join(folder, 'study.study'));
    try {
      const { status, text } = await pageOf('study.study');
      expect(status).toBe(200);
      for (const part of ['<h1>study</h1>', 'Deflated Sharpe ratio', 'probability of overfitting', 'The best is trial'])
        expect(text).toContain(part);
      for (const chart of ['Parameters of the trials', 'params.ask_spread and params.bid_spread'])
        expect(text.replace('params.bid_spread and params.ask_spread', chart)).toContain(`<h3>${chart}</h3>`);
      writer.storeTrial(99, {});
    } finally {
      writer.close();
    }
  });

  it('names the problem of a file that is not a study, is damaged, or has another version', async () => {
    const STUDY_ID = 0x68_73_73_74;
    database('other.study', []);
    database('old.study', [`application_id = ${STUDY_ID}`, 'user_version = 1']);
    database('new.study', [`application_id = ${STUDY_ID}`, 'user_version = 99']);
    const bytes = readFileSync(join(folder, 'study.study'));
    writeFileSync(join(folder, 'damaged.study'), bytes.fill(7, 4_096));
    const empty = StudyStore.open(join(folder, 'empty.study'));
    empty.close();
    writeFileSync(join(folder, 'text.study'), 'no database at all, but long enough to be one. '.repeat(100));
    const problems = {
      'other.study': 'it is not a study',
      'old.study':
        'it has version 1, but this program reads version 2. Run `npx halfspread optimize` on its study with --resume once',
      'new.study': 'it has version 99, but this program reads version 2. Use the program that wrote it, or a later one',
      'damaged.study': 'database disk image is malformed',
      'empty.study': 'it is damaged, or its study has not begun',
      'text.study': 'not a database',
    };
    for (const [name, problem] of Object.entries(problems)) {
      const { status, text } = await pageOf(name);
      expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(problem) });
      expect(text).toContain(name);
      expect(text).not.toContain(folder);
    }
  });

  it.skipIf(NO_CHROMIUM !== undefined)(
    'has the progress, the workers and the notices of the study above it while the study runs',
    async () => {
      const file = join(folder, 'study.study');
      const browser = await openChromium();
      try {
        writeStudyStatus(file, { ...STATUS, writtenAt: Date.now() });
        const page = await browser.newPage();
        page.setDefaultTimeout(90_000);
        await page.goto(dashboard?.url ?? '');
        await page.getByRole('link', { name: 'History' }).click();
        await page.getByRole('button', { name: 'Studies (1 running)' }).click();
        const study = page.getByRole('region', { name: 'Study study' });
        for (const text of ['25%', '50 of about 200, 2 failed', '4.0 / s', '37.5 s', '$0.0123', 'best: trial 3, 1.25'])
          await study.getByText(text, { exact: true }).waitFor();
        const row = study.getByRole('row', { name: /^host-a-1 / });
        expect(await row.getByRole('cell').allTextContents()).toEqual([
          ...['host-a', 'working', '2', '40', '3.50', '1', '4', '2.0 s ago'],
        ]);
        await study.getByText('worker host-b-2 is gone: others compute what it had').waitFor();
        writeStudyStatus(file, { ...STATUS, done: 100, writtenAt: Date.now() });
        await study.getByText('50%', { exact: true }).waitFor();
        writeStudyStatus(file, { ...STATUS, writtenAt: Date.now() - 20_000 });
        await study.getByText('Not responding').waitFor();
        removeStudyStatus(file);
        await study.waitFor({ state: 'detached', timeout: 20_000 });
      } finally {
        await browser.close();
      }
    },
    60_000,
  );

  it.skipIf(NO_CHROMIUM !== undefined)(
    'opens in its own view of the history, next to a report',
    async () => {
      writeFileSync(join(folder, 'match.html'), '<!doctype html><title>a match</title><h1>A match</h1>');
      const browser = await openChromium();
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(90_000);
        await page.goto(dashboard?.url ?? '');
        await page.getByRole('link', { name: 'History' }).click();
        await page.getByLabel('Show a match').check();
        await page.getByRole('button', { name: 'Studies' }).click();
        await page.getByLabel('Show study, study.study').check();
        const study = page.frameLocator('iframe[title="study"]');
        await study.getByText('Deflated Sharpe ratio').waitFor();
        await study
          .getByRole('img', { name: /^Parameters of the trials/ })
          .first()
          .waitFor();
        await page.frameLocator('iframe[title="a match"]').getByRole('heading', { name: 'A match' }).waitFor();
      } finally {
        await browser.close();
      }
    },
    60_000,
  );
});
