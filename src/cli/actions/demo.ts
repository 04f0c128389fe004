import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { demoOutcome, outcomeText, writeDemoReport } from '../../app/demo/demo-outcome.ts';
import { runDemo } from '../../app/demo/run-demo.ts';
import { DAY_MS, type DurationMs, durationMs, InputFault, parseTime } from '../../domain/index.ts';
import { checkFolder, makeFolder } from '../../runtime/index.ts';
import { action, flag, optionalText, whole } from '../command.ts';
import { wrapLines } from '../output/columns-text.ts';
import { DemoScreen } from '../output/demo-screen.ts';
import { writeResult } from '../output/terminal.ts';

const DURATION_WITHOUT_TERMINAL = '60s';
/** Width of the names in the outcome, characters. */
const NAME_WIDTH = 10;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

const OPTIONS = {
  duration: z.string().optional(),
  creditCents: whole(0, 1_000_000_000, 'whole cents'),
  from: z.string(),
  keep: optionalText,
  report: z.string().min(1),
  json: flag,
  dashboard: z.boolean().default(true),
};

export const demo = action(OPTIONS, async ({ terminal }, _, options) => {
  const { out, err, cwd } = terminal;
  const { json } = options;
  const duration = options.duration ?? (json || !out.isTty ? DURATION_WITHOUT_TERMINAL : undefined);
  const tradingMs = duration === undefined ? undefined : parseDuration('--duration', duration);
  const from = parseTime('--from', options.from);
  const report = resolve(cwd, options.report);
  checkFolder(dirname(report), 'Name a file that can be written (--report)');
  const folder = createDemoFolder(options.keep, cwd);
  const screenOutput = json ? (err.isTty ? err : undefined) : out;
  const display = new DemoScreen(screenOutput);
  try {
    const end = await runDemo({
      folder,
      isTemporary: options.keep === undefined,
      durationMs: tradingMs,
      from,
      display,
      hasDashboard: !json && options.dashboard,
      creditCents: options.creditCents,
      report,
    });
    display.clear();
    const outcome = demoOutcome(end);
    await writeDemoReport(end, outcome);
    writeResult(terminal, json, outcome, (width) => wrapLines(outcomeText(outcome), NAME_WIDTH, width));
  } finally {
    display.clear();
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
});

/** @throws InputFault for a folder that is not empty, because it may contain databases of another account */
function createDemoFolder(keep: string | undefined, cwd: string): string {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), 'halfspread-demo-'));
  const folder = resolve(cwd, keep);
  if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0))
    throw new InputFault('--keep', keep, 'a folder that is empty or does not exist yet');
  makeFolder(folder, 0o700);
  return folder;
}

/** Parses `30s`, `1.5m` or `500ms`, at most a day. Rounds **up** to a ms. @throws InputFault that names the option */
export function parseDuration(option: string, text: string): DurationMs {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Math.ceil(Number(number) * (UNITS[unit] ?? Number.NaN));
  if (!(ms > 0 && ms <= DAY_MS))
    throw new InputFault(option, text, 'a time with its unit, above 0 and at most a day: 30s, 5m, 1h');
  return durationMs(ms);
}
