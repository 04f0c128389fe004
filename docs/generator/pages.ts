/** All that is generated in the documentation: whole pages, and parts of pages between marks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { runSpecSchema } from '../../src/backtest/index.ts';
import { listenForInterrupt, type Terminal } from '../../src/cli/output/terminal.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { chaosSchema } from '../../src/config/chaos-schema.ts';
import { KINDS } from '../../src/config/kinds.ts';
import { liveSchema } from '../../src/config/live-schema.ts';
import { recipeSchema } from '../../src/config/recipe-schema.ts';
import { venueSchema } from '../../src/config/venue-schema.ts';
import { loadParamsSchema } from '../../src/runtime/index.ts';
import { OPERATOR_COMMANDS } from '../../src/server/index.ts';
import { apiPages } from './api-reference.ts';
import { cliReference } from './cli-reference.ts';
import { configTable, limitTable, operatorReference, riskSection } from './config-reference.ts';
import { MEASURED, measuredTable } from './measured.ts';
import { vwapSignal } from './vwap-signal.ts';

/** A file of the project and what it has to say. */
export interface Page {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

const STRATEGIES = [
  'ladder',
  'avellaneda-stoikov',
  'glft',
  'logit-avellaneda-stoikov',
  'grid',
  'lmsr',
  'signal',
  'event-regime',
] as const;

/**
 * The generated pages, from the project's own schemas and runs.
 * @param root folder of the project
 * @param options `isMeasured`: whether to run the backtests of the strategies' pages, which takes a minute. Without
 * them, their tables stay as they are.
 */
export async function pages(root: string, { isMeasured = true } = {}): Promise<readonly Page[]> {
  const folders = [join(root, 'strategies')];
  const made: Page[] = [
    {
      path: 'config/signals/match-vwap.jsonl',
      text: vwapSignal(
        join(root, 'config/tapes/betfair-1.200806927.tape'),
        'match',
        Date.parse('2022-07-11T11:00:00Z'),
      ),
    },
    {
      path: 'docs/cli.md',
      text: between(
        root,
        'docs/cli.md',
        'commands',
        cliReference(makeProgram({ terminal: NOWHERE, setExitCode() {}, interruption: listenForInterrupt })),
      ),
    },
  ];
  made.push({
    path: 'docs/server.md',
    text: between(root, 'docs/server.md', 'operators', operatorReference(OPERATOR_COMMANDS)),
  });
  made.push({
    path: 'docs/mapping-keys.md',
    text: between(root, 'docs/mapping-keys.md', 'import', configTable(KINDS.import)),
  });
  made.push({
    path: 'docs/optimizing.md',
    text: between(root, 'docs/optimizing.md', 'study', configTable(KINDS.study)),
  });
  made.push({ path: 'docs/risk.md', text: between(root, 'docs/risk.md', 'limits', limitTable()) });
  for (const file of ['config/backtest.yaml', 'config/bot.yaml']) {
    const section = /^risk:\n( .*\n)*/m;
    if (!section.test(read(root, file))) throw new Error(`${file} has no section "risk:" to fill`);
    made.push({ path: file, text: read(root, file).replace(section, () => riskSection()) });
  }
  const tables: [mark: string, table: string][] = [
    ['backtest', configTable(runSpecSchema)],
    ['synthetic', configTable(recipeSchema)],
    ['venue', configTable(venueSchema)],
    ['chaos', configTable(chaosSchema)],
    ['live', configTable(liveSchema)],
  ];
  for (const name of STRATEGIES) {
    const table = configTable(await loadParamsSchema(name, { folders, baseDir: root }));
    tables.push([name, table]);
    const readme = `strategies/${name}/README.md`;
    const text = between(root, readme, 'parameters', table);
    const { config, variants } = MEASURED[name];
    const measured = isMeasured ? await measuredTable(config, root, variants) : undefined;
    made.push({ path: readme, text: measured === undefined ? text : replaced(text, 'measured', measured, readme) });
  }
  const path = 'docs/configuration.md';
  const text = tables.reduce((page, [mark, table]) => replaced(page, mark, table, path), read(root, path));
  return [...made, { path, text }, ...apiPages()];
}

function between(root: string, path: string, mark: string, part: string): string {
  return replaced(read(root, path), mark, part, path);
}

/** The page with what stands between `<!-- mark:begin -->` and `<!-- mark:end -->` replaced. */
function replaced(page: string, mark: string, part: string, path: string): string {
  const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place "${mark}" to fill: put ${begin} and ${end} into it`);
  return `${page.slice(0, from + begin.length)}\n${part.trimEnd()}\n${page.slice(to)}`;
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Help is made here, not printed, and not wrapped for a screen. */
const SILENT: Terminal['out'] = {
  write() {},
  writeColored() {},
  isTty: false,
  columns: 10_000,
  colors: false,
  stream: process.stderr,
};
const NOWHERE: Terminal = { out: SILENT, err: SILENT, cwd: '.' };
