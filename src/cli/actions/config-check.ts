import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { parseRunSpec } from '../../backtest/index.ts';
import { checkRecipe, TapeFile } from '../../history/index.ts';
import { loadStrategy, parsedParams } from '../../runtime/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { KINDS, kindOf } from '../kinds.ts';
import { parseLive, refuseSecrets } from '../live-file.ts';
import { strategyPlans } from '../live-strategies.ts';
import { withPathHint } from '../path-hint.ts';
import { inFileTerms, recipeOf, recipeSchema } from '../recipe-schema.ts';
import type { Session } from '../session.ts';
import { strategyFolders } from '../strategy-folders.ts';

const optionsSchema = z.object({ set: z.array(z.string()).default([]) });

/** Checks all of a configuration that can be checked without running it. */
export async function configCheck({ terminal }: Session, file: string, given: unknown): Promise<void> {
  const { set } = optionsSchema.parse(given);
  refuseSecrets(file, terminal.cwd, set, false);
  const configuration = readConfiguration(file, terminal.cwd, set);
  try {
    const said = await checked(configuration, terminal.cwd);
    terminal.out.write(`${file}: ${said}\n`);
  } catch (fault) {
    throw withPathHint(configuration.blame(fault), configuration.path, terminal.cwd);
  }
}

async function checked(configuration: Configuration, cwd: string): Promise<string> {
  const kind = kindOf(configuration.value);
  switch (kind) {
    case 'synthetic':
      return checkSynthetic(configuration);
    case 'backtest':
      return checkBacktest(configuration, cwd);
    case 'venue':
      parseStrict(KINDS[kind], configuration.value, '');
      return 'a venue, nothing wrong';
    case 'chaos':
      parseStrict(KINDS[kind], configuration.value, '');
      return 'faults on purpose, nothing wrong';
    case 'live':
      return checkLive(configuration, cwd);
  }
}

async function checkBacktest({ value, path }: Configuration, cwd: string): Promise<string> {
  const spec = parseRunSpec(value);
  const baseDir = dirname(path);
  const { strategy } = await loadStrategy(spec.strategy, { folders: strategyFolders(cwd), baseDir });
  parsedParams(strategy, spec.params);
  const rows = spec.tapes.reduce((sum, tape) => sum + TapeFile.open(resolve(baseDir, tape)).manifest.rows, 0);
  return `a backtest of ${strategy.name} on ${spec.tapes.length} ${spec.tapes.length === 1 ? 'tape' : 'tapes'} with ${rows.toLocaleString('en-US')} rows, nothing wrong`;
}

/** All but the venue and the secrets: `halfspread doctor` looks at those. */
async function checkLive(configuration: Configuration, cwd: string): Promise<string> {
  const file = parseLive(configuration);
  const plans = await strategyPlans(file, { folders: strategyFolders(cwd), baseDir: dirname(configuration.path) });
  const names = [...new Set(plans.all.map(({ strategy }) => strategy.name))];
  return `a bot with ${names.join(', ')}, nothing wrong; \`halfspread doctor ${configuration.shown}\` asks the venue`;
}

function checkSynthetic({ value }: Configuration): string {
  try {
    const recipe = recipeOf(parseStrict(recipeSchema, value, ''));
    checkRecipe(recipe);
    return `a recipe of ${recipe.events.toLocaleString('en-US')} rows, nothing wrong`;
  } catch (fault) {
    throw inFileTerms(fault);
  }
}
