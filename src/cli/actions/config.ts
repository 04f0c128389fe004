import { dirname } from 'node:path';
import { z } from 'zod';
import { checkConfiguredFiles } from '../../app/live/configured-files.ts';
import { unmatchedOverrides } from '../../app/live/markets.ts';
import { livePaths } from '../../app/live/paths.ts';
import { loadConfiguredStrategies } from '../../app/live/strategies.ts';
import { openStudy } from '../../app/optimize.ts';
import { remoteAccess } from '../../app/remote-access.ts';
import { openReplays, toReplayRequests } from '../../app/serve/open-replays.ts';
import { checkBacktest, parseRunSpec } from '../../backtest/index.ts';
import { type Configuration, readConfiguration } from '../../config/configuration.ts';
import { guessKind, KINDS, parseKind } from '../../config/kinds.ts';
import { parseLive, refuseSecrets } from '../../config/live-file.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { recipeSchema, toRecipe, withFileKey } from '../../config/recipe-schema.ts';
import { venueSchema } from '../../config/venue-schema.ts';
import { counted, formatCount, InputFault } from '../../domain/index.ts';
import { checkRecipe } from '../../history/index.ts';
import { isMarketId, loadParamsSchema } from '../../runtime/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { action, assignments, optionalText } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { showFault } from '../output/show-fault.ts';
import { strategyFolders, withFaultLocation } from '../paths.ts';

export const configCheck = action({ set: assignments }, async ({ terminal, setExitCode }, files, { set }) => {
  let worst: ExitCode = EXIT.ok;
  for (const file of files) {
    try {
      terminal.out.write(`${file}: ${await checkFile(file, terminal.cwd, set)}\n`);
    } catch (fault) {
      const { text, exitCode } = showFault(fault);
      if (files.length === 1 || exitCode === EXIT.internal) throw fault;
      terminal.out.write(`${file}: refused\n`);
      terminal.err.write(text);
      if (exitCode > worst) worst = exitCode;
    }
  }
  setExitCode(worst);
});

async function checkFile(file: string, cwd: string, set: readonly string[]): Promise<string> {
  refuseSecrets(file, cwd, set, 'any');
  const configuration = readConfiguration(file, cwd, set);
  return withFaultLocation(configuration, cwd, () => checkByKind(configuration, cwd));
}

async function checkByKind(configuration: Configuration, cwd: string): Promise<string> {
  const kind = guessKind(configuration.value);
  switch (kind) {
    case 'synthetic':
      return checkSynthetic(configuration);
    case 'backtest':
      return checkBacktestFile(configuration, cwd);
    case 'venue': {
      const { replay } = parseStrict(venueSchema, configuration.value, '');
      openReplays(toReplayRequests(replay, dirname(configuration.path)));
      return 'a venue, nothing wrong';
    }
    case 'chaos':
    case 'import':
      parseStrict(KINDS[kind], configuration.value, '');
      return `${kind === 'chaos' ? 'simulated faults' : 'a mapping for imports'}, nothing wrong`;
    case 'study':
      return checkStudy(configuration, cwd);
    case 'live':
      return checkLive(configuration, cwd);
  }
}

async function checkBacktestFile({ value, path }: Configuration, cwd: string): Promise<string> {
  const spec = parseRunSpec(value);
  const options = { baseDir: dirname(path), strategyFolders: strategyFolders(cwd), remote: remoteAccess() };
  const { strategy, tapes: count, rows } = await checkBacktest(spec, options);
  const tapes = counted(count, 'tape');
  return `a backtest of ${strategy} on ${tapes} with ${formatCount(rows)} rows, nothing wrong`;
}

async function checkStudy(configuration: Configuration, cwd: string): Promise<string> {
  const { spec, backtest, baseDir } = await openStudy(configuration, cwd);
  const options = { baseDir, strategyFolders: strategyFolders(cwd) };
  const { tapes } = await checkBacktest({ ...backtest({}), report_dir: null }, options);
  return `a study of ${Object.keys(spec.parameters).length} parameters on ${tapes} tapes, nothing wrong`;
}

/** Checks everything except the venue and the secrets, which `halfspread doctor` checks. */
async function checkLive(configuration: Configuration, cwd: string): Promise<string> {
  const file = parseLive(configuration);
  checkConfiguredFiles({ configuration, file }, livePaths(configuration, file, cwd));
  const strategies = await loadConfiguredStrategies(file, {
    folders: strategyFolders(cwd),
    baseDir: dirname(configuration.path),
  });
  const names = [...new Set(strategies.all.map(({ strategy }) => strategy.name))];
  const unmatched = overridesWithoutSlug(file);
  const note =
    unmatched.length === 0
      ? ''
      : `, but markets.overrides has keys that are not in markets.slugs: ${unmatched.join(', ')}`;
  return `a bot with ${names.join(', ')}, nothing wrong${note}; \`npx halfspread doctor ${configuration.givenPath}\` checks the venue, too`;
}

/** Returns the slugs in `markets.overrides` that are not in `markets.slugs`; none if other keys name markets, too. */
function overridesWithoutSlug({ markets }: LiveFile): readonly string[] {
  if (markets.ids.length > 0 || markets.filter !== undefined) return [];
  const unmatched = unmatchedOverrides(
    markets,
    markets.slugs.map((slug) => ({ id: '', slug })),
  );
  return unmatched.filter((key) => !isMarketId(key));
}

function checkSynthetic({ value }: Configuration): string {
  try {
    const recipe = toRecipe(parseStrict(recipeSchema, value, ''));
    checkRecipe(recipe);
    return `a recipe of ${formatCount(recipe.events)} rows, nothing wrong`;
  } catch (fault) {
    throw withFileKey(fault);
  }
}

export const configSchema = action(
  { strategy: optionalText },
  async ({ terminal }, [kindName = 'backtest'], { strategy }) => {
    const kind = parseKind(kindName);
    const schema = z.toJSONSchema(KINDS[kind], { io: 'input' });
    if (strategy !== undefined) {
      if (kind !== 'backtest')
        throw new InputFault('--strategy', strategy, 'no strategy: only the schema of a backtest includes one');
      const paramsSchema = await loadParamsSchema(strategy, {
        folders: strategyFolders(terminal.cwd),
        baseDir: terminal.cwd,
        allowImports: 'all',
      });
      const { $schema: _, ...params } = z.toJSONSchema(paramsSchema, { io: 'input' });
      schema.properties = { ...schema.properties, params };
    }
    terminal.out.write(`${JSON.stringify(schema, null, 2)}\n`);
  },
);
