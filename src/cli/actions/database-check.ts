import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { botPaths } from '../../app/live/paths.ts';
import { ConfigFault } from '../../config/config-fault.ts';
import { readConfiguration } from '../../config/configuration.ts';
import { guessKind } from '../../config/kinds.ts';
import { refuseSecrets } from '../../config/live-file.ts';
import { FileFault, formatCount, withReadFault } from '../../domain/index.ts';
import { checkVenue, type VenueFindings } from '../../server/index.ts';
import { type BotFindings, checkBotFile, isBackup, isBotFile, NOT_COMPARED, ReadOnlyStore } from '../../store/index.ts';
import { action, flag, type OptionsOf } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { type Session, writeResult } from '../output/terminal.ts';

const OPTIONS = {
  json: flag,
  /** Whether to replay a venue's records or a bot's steps, and compare the rows with the result. */
  replay: z.boolean().default(true),
};

/** Checks a database of a venue or a bot and prints the findings. Exits with `EXIT.data` if it finds damage. */
export const databaseCheck = action(OPTIONS, (session, [file = ''], options) => {
  const { cwd } = session.terminal;
  const path = resolve(cwd, file);
  const stat = withReadFault(path, 'Check the path', () => statSync(path, { throwIfNoEntry: false }));
  if (stat?.isDirectory() === true)
    throw new FileFault(path, undefined, 'it is a folder', 'Name the database file of a venue or a bot');
  if (isBackup(path)) {
    const remedy = '`npx halfspread restore` checks it, and creates a database from it';
    throw new FileFault(path, undefined, 'it is a backup of a bot', remedy);
  }
  if (isBotFile(path)) reportBot(session, file, checkBotFile(path, options), options);
  else if (/\.ya?ml$/i.test(file)) throw configurationFault(file, cwd);
  else reportVenue(session, file, path, options);
});

/** Returns a fault for a configuration that was named instead of a database. The fault shows the right command. */
function configurationFault(file: string, cwd: string): ConfigFault {
  refuseSecrets(file, cwd, [], 'any');
  const { value } = readConfiguration(file, cwd);
  if (guessKind(value) !== 'live') {
    const problem = 'this is a configuration and names no database. Name the database of a bot or a venue';
    return new ConfigFault(file, problem);
  }
  const db = relative(cwd, botPaths(file, undefined, cwd).db);
  return new ConfigFault(file, `this is a configuration. Its database is ${db}: npx halfspread journal check ${db}`);
}

function reportBot(
  { terminal, setExitCode }: Session,
  file: string,
  findings: BotFindings,
  { json }: Pick<OptionsOf<typeof OPTIONS>, 'json'>,
): void {
  const damages = [...findings.structure, ...findings.steps, ...findings.rows, ...findings.log];
  const text = (): string => `${botFindingsText(file, findings)}${verdict(file, damages, botScope(findings))}`;
  writeResult(terminal, json, { file, ...findings }, text);
  if (damages.length > 0) setExitCode(EXIT.data);
}

function botFindingsText(
  file: string,
  { name = 'unknown', lastStep, waiting, replayed, structure, steps, rows, log }: BotFindings,
): string {
  const logText =
    waiting === 0 ? 'nothing waits' : `${formatCount(waiting)} entries, which the next start brings into the tables`;
  return linesText([
    ['file', file],
    ['bot', name],
    ['last step', formatCount(lastStep)],
    ...findingLines('structure', structure, 'intact'),
    ...findingLines('steps', steps, 'steps and snapshots are intact'),
    ...findingLines('rows', rows, `intact${replayed === undefined ? '' : ', and equal to a replay of the steps'}`),
    ...findingLines('log', log, logText),
    ['compared', comparedText(replayed)],
    ['not compared', `${BOT_NOT_COMPARED}: checksums only`],
  ]);
}

const BOT_NOT_COMPARED = 'orders, signed orders, names of markets and sums of removed fills';

/** The parts of a database that a check covered, and the other parts. */
interface Scope {
  readonly checked: string;
  readonly notChecked: string;
}

function botScope({ replayed }: BotFindings): Scope {
  if (replayed === undefined) return CHECKSUMS_ONLY;
  const fills = replayed.firstStep === 0 ? '' : ` and fills and adjustments from step ${replayed.firstStep}`;
  return {
    checked: `structure, checksums, and that balance and positions${fills} equal a replay of the steps`,
    notChecked: `${BOT_NOT_COMPARED}, other than by checksum`,
  };
}

const CHECKSUMS_ONLY: Scope = {
  checked: 'structure and checksums',
  notChecked: 'whether the rows equal a replay of the records',
};

function comparedText(replayed: BotFindings['replayed']): string {
  if (replayed === undefined) return 'checksums only, not the steps';
  const { snapshot, steps, firstStep } = replayed;
  const account = `balance and positions with ${formatCount(steps)} steps after snapshot ${snapshot}`;
  return firstStep === 0 ? account : `${account}; fills and adjustments with the steps from ${firstStep}`;
}

function reportVenue(
  { terminal, setExitCode }: Session,
  file: string,
  path: string,
  { json, replay }: OptionsOf<typeof OPTIONS>,
): void {
  const store = ReadOnlyStore.open(path);
  try {
    const findings = checkVenue(store, { replay });
    const damages = [...findings.structure, ...findings.records, ...findings.states, ...findings.rows];
    const text = (): string => `${venueFindingsText(file, findings)}${verdict(file, damages, venueScope(findings))}`;
    writeResult(terminal, json, { file, ...findings, notCompared: NOT_COMPARED }, text);
    if (damages.length > 0) setExitCode(EXIT.data);
  } finally {
    store.close();
  }
}

function venueFindingsText(file: string, found: VenueFindings): string {
  const { first, last, snapshots, state } = found;
  const lines: Line[] = [
    ['file', file],
    ['records', last === 0 ? 'none' : first > last ? `none, ${last} are in a snapshot` : `${first} to ${last}`],
    ['snapshots', snapshots.length === 0 ? 'none' : `after record ${snapshots.join(' and ')}`],
  ];
  if (state !== undefined) {
    const { hash, seq, time, accounts, markets, openOrders, snapshot, replayed } = state;
    const from = snapshot === 0 ? 'the first' : `snapshot ${snapshot}`;
    const orders = `${formatCount(openOrders)} open orders`;
    lines.push(
      ['state', `${hash} after event ${seq}${time === '' ? '' : `, ${time}`}`],
      ['holds', `${formatCount(accounts)} accounts, ${formatCount(markets)} markets, ${orders}`],
      ['replayed', `${formatCount(replayed)} records from ${from}`],
    );
  }
  const kinds = [
    ['structure', found.structure, 'intact'],
    ['records', found.records, 'intact'],
    ['state', found.states, 'hashes, sums of money and the hash chains of market decisions are right'],
    ['rows', found.rows, state === undefined ? 'intact' : 'intact, and equal to a replay of the records'],
  ] as const;
  for (const [name, faults, intactText] of kinds) lines.push(...findingLines(name, faults, intactText));
  lines.push(...comparedLines(found));
  return linesText(lines);
}

function venueScope({ comparedFrom, state }: VenueFindings): Scope {
  if (comparedFrom === undefined || state === undefined) return CHECKSUMS_ONLY;
  const events = `${formatCount(comparedFrom)} to ${formatCount(state.seq)}`;
  return {
    checked: `structure, checksums, hashes of the state, sums of money, and that the rows of events ${events} equal a replay of the records`,
    notChecked: `${NOT_COMPARED.length} kinds of data above (\`not compared\`)${comparedFrom === 1 ? '' : ' and rows of earlier events'}, other than by checksum`,
  };
}

/** Formats the last line: the result, and what the check did and did not cover. */
function verdict(file: string, damages: readonly string[], { checked, notChecked }: Scope): string {
  const countText = `${formatCount(damages.length)} ${damages.length === 1 ? 'finding' : 'findings'} (lines with !)`;
  const head = damages.length === 0 ? `ok: ${file}` : `damaged: ${file}, ${countText}`;
  return `${head}. Checked: ${checked}. Not checked: ${notChecked}\n`;
}

type Line = readonly [name: string, text: string];

function findingLines(name: string, faults: readonly string[], intactText: string): readonly Line[] {
  return faults.length === 0 ? [[name, intactText]] : faults.map((fault) => [`${name}!`, fault]);
}

function linesText(lines: readonly Line[]): string {
  return lines.map(([name, text]) => `${name.padEnd(14)}${text}\n`).join('');
}

function comparedLines({ comparedFrom, state }: VenueFindings): readonly Line[] {
  if (comparedFrom === undefined || state === undefined)
    return [['compared', 'nothing with the records: checksums only']];
  const all = `each column with a replay, of events ${formatCount(comparedFrom)} to ${formatCount(state.seq)}`;
  const older = comparedFrom === 1 ? '' : `; the records of earlier events were removed, their rows have checksums`;
  return [['compared', `${all}${older}`], ...NOT_COMPARED.map((kind) => ['not compared', kind] as const)];
}
