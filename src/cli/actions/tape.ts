import { resolve } from 'node:path';
import { z } from 'zod';
import { readConfiguration } from '../../config/configuration.ts';
import { expectKind } from '../../config/kinds.ts';
import { inFileTerms, recipeOf, recipeSchema } from '../../config/recipe-schema.ts';
import { parseTime } from '../../domain/index.ts';
import { checkTape, generateTape, TapeFile } from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { action, assignments, flag } from '../command.ts';
import { withShareBar } from '../output/progress.ts';
import { manifestText, qualityText } from '../output/quality-text.ts';
import { writeResult } from '../output/terminal.ts';

export const tapeInfo = action({ json: flag }, ({ terminal }, [file = ''], { json }) => {
  const { manifest, bytes } = TapeFile.open(resolve(terminal.cwd, file));
  writeResult(terminal, json, { path: file, bytes, manifest }, () => manifestText(manifest, file, bytes));
});

const CHECK_OPTIONS = { json: flag, from: z.string().optional() };

export const tapeCheck = action(CHECK_OPTIONS, async ({ terminal }, [file = ''], { json, from }) => {
  const tape = TapeFile.open(resolve(terminal.cwd, file));
  const quality = await withShareBar('check', terminal.err, (onProgress) =>
    checkTape(tape, { ...(from !== undefined && { from: parseTime('--from', from) }), onProgress }),
  );
  const { manifest, bytes } = tape;
  const text = (): string => manifestText(manifest, file, bytes) + qualityText(quality, manifest);
  writeResult(terminal, json, { path: file, bytes, manifest, quality }, text);
});

const GENERATE_OPTIONS = { out: z.string().min(1), set: assignments };

/** Generates a synthetic tape from a recipe and prints its manifest. */
export const tapeGenerate = action(GENERATE_OPTIONS, async ({ terminal }, [recipe = ''], { out, set }) => {
  const configuration = readConfiguration(recipe, terminal.cwd, set);
  expectKind(configuration, 'synthetic');
  const path = resolve(terminal.cwd, out);
  try {
    const parsed = recipeOf(parseStrict(recipeSchema, configuration.value ?? {}, ''));
    await withShareBar('generate', terminal.err, (onProgress) => generateTape(parsed, path, onProgress));
  } catch (fault) {
    throw configuration.locateFault(inFileTerms(fault));
  }
  const tape = TapeFile.open(path);
  terminal.out.write(manifestText(tape.manifest, out, tape.bytes));
});
