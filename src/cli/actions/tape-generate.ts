import { resolve } from 'node:path';
import { z } from 'zod';
import { wallClock } from '../../clock/index.ts';
import { generateTape, TapeFile } from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { readConfiguration } from '../configuration.ts';
import { expectKind } from '../kinds.ts';
import { progressBar } from '../progress.ts';
import { manifestText } from '../quality-text.ts';
import { inFileTerms, recipeOf, recipeSchema } from '../recipe-schema.ts';
import type { Session } from '../session.ts';

const optionsSchema = z.object({ out: z.string().min(1), set: z.array(z.string()).default([]) });

/** Makes a synthetic tape from a recipe and prints what it says about itself. */
export function tapeGenerate({ terminal }: Session, recipe: string, given: unknown): void {
  const { out, set } = optionsSchema.parse(given);
  const configuration = readConfiguration(recipe, terminal.cwd, set);
  expectKind(configuration, 'synthetic');
  const clock = wallClock();
  const start = clock.now();
  const bar = progressBar('generate', '%', terminal.err);
  const path = resolve(terminal.cwd, out);
  try {
    const parsed = recipeOf(parseStrict(recipeSchema, configuration.value ?? {}, ''));
    generateTape(parsed, path, (share) => bar.update(Math.round(share * 100), 100, clock.now() - start));
  } catch (fault) {
    throw configuration.blame(inFileTerms(fault));
  } finally {
    bar.stop();
  }
  const tape = TapeFile.open(path);
  terminal.out.write(manifestText(tape.manifest, out, tape.bytes));
}
