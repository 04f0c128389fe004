import { botPlaces } from '../../app/live/paths.ts';
import { whileStopped } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import { formatTime, InputFault } from '../../domain/index.ts';
import { clearStates, type SavedStateRow, savedStates } from '../../store/index.ts';
import { action, flag, type OptionsOf, optionalText } from '../command.ts';
import { rowsText } from '../output/columns-text.ts';
import { writeResult } from '../output/terminal.ts';
import { botFileOf } from '../paths.ts';

const OPTIONS = {
  config: optionalText,
  db: optionalText,
  strategy: optionalText,
  market: optionalText,
  yes: flag,
  json: flag,
};

type Options = OptionsOf<typeof OPTIONS>;

/** Shows the states that strategies saved. The bot may be running. @throws FileFault */
export const showStates = action(OPTIONS, ({ terminal }, [config], options) => {
  const { db } = botPlaces(botFileOf(config, options.config), options.db, terminal.cwd);
  const states = selectStates(savedStates(db), options);
  writeResult(terminal, options.json, states.map(stateJson), (width) => tableOf(states, width));
  return Promise.resolve();
});

/** Removes saved states of a stopped bot. @throws FileFault when the bot runs; InputFault without `--yes` */
export const clearSavedStates = action(OPTIONS, async ({ terminal }, [config], options) => {
  const { db } = botPlaces(botFileOf(config, options.config), options.db, terminal.cwd);
  const selected = selectStates(savedStates(db), options);
  if (!options.yes && selected.length > 0) {
    throw new InputFault('--yes', undefined, `--yes, as this cannot be undone. It removes ${listOf(selected)}`);
  }
  const clock = wallClock();
  const remedy = 'Stop it first: a running bot has its states in memory and would store them again';
  await whileStopped(db, remedy, async () => {
    const cleared = await clearStates(db, (state) => isSelected(state, options), clock.now());
    const text = cleared.length === 0 ? 'there is no saved state to remove' : `removed ${listOf(cleared)}`;
    const report = { cleared: cleared.map(({ strategy, slug }) => ({ strategy, market: slug ?? null })) };
    writeResult(terminal, options.json, report, () => `${text}\n`);
  });
});

/** @throws InputFault for a strategy or a market without a state */
function selectStates(states: readonly SavedStateRow[], options: Options): readonly SavedStateRow[] {
  const { strategy, market } = options;
  const names = [...new Set(states.map((state) => state.strategy))].toSorted();
  if (strategy !== undefined && !names.includes(strategy)) {
    throw new InputFault('--strategy', strategy, `a strategy with a saved state: ${namesText(names)}`);
  }
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

function tableOf(states: readonly SavedStateRow[], width: number): string {
  if (states.length === 0) return 'no saved state\n';
  return rowsText(
    states,
    [
      ['strategy', ({ strategy }) => strategy],
      ['market', ({ slug }) => slug ?? '(all)', { shrinks: true }],
      ['saved', ({ at }) => formatTime(at), { dropOrder: 1 }],
      ['state', ({ value }) => value, { shrinks: true }],
    ],
    width,
  );
}

function listOf(states: readonly SavedStateRow[]): string {
  const names = states.map(({ strategy, slug }) => (slug === undefined ? strategy : `${strategy} on ${slug}`));
  return `the saved state of ${namesText(names)}`;
}

const MAX_NAMED = 10;

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'there is none';
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
