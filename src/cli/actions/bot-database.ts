/** Commands on a bot's database: saved states, old rows, backups. Commands that change it need a stopped bot. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { botPaths, botPathsFromFile } from '../../app/live/paths.ts';
import { withStoppedBot } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import {
  type EpochMs,
  epochMs,
  FileFault,
  formatCount,
  formatTime,
  InputFault,
  parseTime,
} from '../../domain/index.ts';
import {
  type BackupReport,
  backUpBot,
  clearStates,
  pruneFile,
  restoreBot,
  type SavedStateRow,
  savedStates,
} from '../../store/index.ts';
import { action, flag, type OptionsOf, optionalText } from '../command.ts';
import { type RowColumn, rowsText } from '../output/columns-text.ts';
import { writeResult } from '../output/terminal.ts';
import { chooseBotFile } from '../paths.ts';

const SELECTION = { strategy: optionalText, market: optionalText };
const STATE_OPTIONS = { config: optionalText, db: optionalText, ...SELECTION, yes: flag, json: flag };

type Options = OptionsOf<typeof STATE_OPTIONS>;

const STATE_COLUMNS: readonly RowColumn<SavedStateRow>[] = [
  ['strategy', ({ strategy }) => strategy],
  ['market', ({ slug }) => slug ?? '(all)', { shrinks: true }],
  ['saved', ({ at }) => formatTime(at), { dropOrder: 1 }],
  ['state', ({ value }) => value, { shrinks: true }],
];

/** Shows the states that strategies saved. The bot may be running. @throws FileFault */
export const showStates = action(STATE_OPTIONS, ({ terminal }, [config], options) => {
  const { db } = botPaths(chooseBotFile(config, options.config), options.db, terminal.cwd);
  const states = selectStates(savedStates(db), options);
  writeResult(terminal, options.json, options.json ? states.map(stateJson) : [], (width) =>
    states.length === 0 ? 'no saved state\n' : rowsText(states, STATE_COLUMNS, width),
  );
});

/** Removes saved states of a stopped bot. @throws FileFault when the bot runs; InputFault without `--yes` */
export const clearSavedStates = action(STATE_OPTIONS, async ({ terminal }, [config], options) => {
  const { db } = botPaths(chooseBotFile(config, options.config), options.db, terminal.cwd);
  const selected = selectStates(savedStates(db), options);
  if (!options.yes && selected.length > 0)
    throw new InputFault('--yes', undefined, `--yes, as this cannot be undone. It removes ${statesText(selected)}`);
  const clock = wallClock();
  const remedy = 'Stop it first: a running bot has its states in memory and would store them again';
  await withStoppedBot(db, remedy, async () => {
    const cleared = await clearStates(db, (state) => isSelected(state, options), clock.now());
    const text = cleared.length === 0 ? 'there is no saved state to remove' : `removed ${statesText(cleared)}`;
    const report = { cleared: cleared.map(({ strategy, slug }) => ({ strategy, market: slug ?? null })) };
    writeResult(terminal, options.json, report, () => `${text}\n`);
  });
});

/** @throws InputFault for a strategy or a market without a state */
function selectStates(states: readonly SavedStateRow[], options: Options): readonly SavedStateRow[] {
  const { strategy, market } = options;
  const names = [...new Set(states.map((state) => state.strategy))].toSorted();
  if (strategy !== undefined && !names.includes(strategy))
    throw new InputFault('--strategy', strategy, `a strategy with a saved state: ${namesText(names)}`);
  const selected = states.filter((state) => isSelected(state, options));
  if (market !== undefined && selected.length === 0) {
    const slugs = [...new Set(states.flatMap(({ slug }) => slug ?? []))].toSorted();
    throw new InputFault('--market', market, `the slug or id of a market with a saved state: ${namesText(slugs)}`);
  }
  return selected;
}

function isSelected({ strategy, slug, marketId }: SavedStateRow, options: Options): boolean {
  if (options.strategy !== undefined && strategy !== options.strategy) return false;
  return options.market === undefined || slug === options.market || marketId === options.market.toLowerCase();
}

function stateJson({ strategy, slug, at, value }: SavedStateRow) {
  const state: unknown = JSON.parse(value);
  return { strategy, market: slug ?? null, savedAt: at, state };
}

function statesText(states: readonly SavedStateRow[]): string {
  const names = states.map(({ strategy, slug }) => (slug === undefined ? strategy : `${strategy} on ${slug}`));
  return `the saved state of ${namesText(names)}`;
}

const MAX_NAMED = 10;

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const PRUNE_OPTIONS = { config: optionalText, db: optionalText, before: z.string().min(1), shrink: flag, json: flag };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Removes old rows from the database of a stopped bot. @throws FileFault when the bot runs */
export const prune = action(PRUNE_OPTIONS, async ({ terminal }, [config], options) => {
  const { db } = botPaths(chooseBotFile(config, options.config), options.db, terminal.cwd);
  const clock = wallClock();
  const before = parseBefore(options.before, clock.now());
  if (!existsSync(db))
    throw new FileFault(db, undefined, 'there is no such file', 'Name the file that the bot was started with');
  const remedy = 'Stop it first, or let it remove old rows itself with store.keep_days in its configuration';
  await withStoppedBot(db, remedy, () => {
    const rows = pruneFile(db, before, { shrink: options.shrink });
    const report = { db, before: formatTime(before), ...rows, bytes: statSync(db).size };
    writeResult(terminal, options.json, report, () => prunedText(report, options.shrink));
  });
});

type PruneReport = ReturnType<typeof pruneFile> & { readonly before: string; readonly bytes: number };

function prunedText({ before, steps, orders, fills, bytes }: PruneReport, isShrunk: boolean): string {
  const hint = isShrunk ? '' : '. It reuses the freed space; --shrink returns the space to the disk';
  const counts = `${formatCount(steps)} steps, ${formatCount(orders)} orders, ${formatCount(fills)} fills`;
  return `removed what is older than ${before}: ${counts}. The file has ${(bytes / 1e6).toFixed(1)} MB${hint}\n`;
}

/** @throws InputFault for an invalid or future time */
function parseBefore(text: string, now: EpochMs): EpochMs {
  const expected = 'a day (2026-10-01) or a time (2026-10-01T12:00:00Z) of the past';
  let before: EpochMs;
  try {
    before = parseTime('before', DAY.test(text) ? `${text}T00:00:00Z` : text);
  } catch (cause) {
    throw new InputFault('before', text, expected, { cause });
  }
  if (before > now) throw new InputFault('before', text, expected);
  return before;
}

/** Copies the database of a running or stopped bot. @throws the FileFaults of `backUpBot` */
export const backup = action({ json: flag }, ({ terminal }, [bot = '', target = ''], { json }) => {
  const { db, killFilePath } = botPathsFromFile(bot, terminal.cwd);
  const path = resolve(terminal.cwd, target);
  const killFile = existsSync(killFilePath) ? readFileSync(killFilePath, 'utf8') : null;
  const report = backUpBot(db, path, { at: wallClock().now(), killFile });
  const isKilled = killFile !== null;
  const text = (): string => `backed up ${db} to ${path}: ${contentsText(report, isKilled)}\n`;
  writeResult(terminal, json, { db, target: path, ...report, killed: isKilled }, text);
});

const SHA256 = z.string().regex(/^[0-9a-fA-F]{64}$/, '64 hexadecimal digits, as `backup` prints them');
const RESTORE_OPTIONS = { json: flag, sha256: SHA256.optional() };

/** Creates a bot's database from a backup. @throws FileFault if a bot uses the database; any fault of `restoreBot` */
export const restore = action(RESTORE_OPTIONS, async ({ terminal }, [source = '', bot = ''], { json, sha256 }) => {
  const { db, killFilePath } = botPathsFromFile(bot, terminal.cwd);
  const path = resolve(terminal.cwd, source);
  await withStoppedBot(db, 'Stop that bot first', () => {
    if (existsSync(killFilePath))
      throw new FileFault(killFilePath, undefined, 'it already exists', 'Move it away, or name another file');
    const storeKillFile = (content: string): void => writeFileSync(killFilePath, content, { mode: 0o600, flag: 'wx' });
    const { note, ...report } = restoreBot(path, db, sha256, storeKillFile);
    const isKilled = note.killFile !== null;
    const madeAt = formatTime(epochMs(note.at));
    const text = (): string =>
      `restored ${db} from ${path} of ${madeAt}: ${contentsText(report, isKilled)}. The next start cancels orders that are not in the backup, and compares the account with the venue\n`;
    writeResult(terminal, json, { db, backup: path, madeAt, ...report, killed: isKilled }, text);
  });
});

function contentsText({ bot, lastStep, orders, fills, bytes, sha256 }: BackupReport, isKilled: boolean): string {
  const killed = isKilled ? ', killed until `resume`' : '';
  const counts = `up to step ${formatCount(lastStep)}, ${formatCount(orders)} orders, ${formatCount(fills)} fills`;
  return `${bot}${killed}, ${counts}, ${(bytes / 1e6).toFixed(1)} MB, sha256 ${sha256}`;
}
