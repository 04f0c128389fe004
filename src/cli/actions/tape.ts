import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { readConfigurationOfKind } from '../../config/kinds.ts';
import { recipeSchema, toRecipe, withFileKey } from '../../config/recipe-schema.ts';
import { InputFault, parseTime } from '../../domain/index.ts';
import {
  checkTape,
  cutTape,
  exportCsv,
  exportParquet,
  generateTape,
  joinTapes,
  restoreFromCsv,
  restoreFromParquet,
  TapeFile,
} from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { action, assignments, flag, textList } from '../command.ts';
import { withPercentProgress } from '../output/progress.ts';
import { manifestText, qualityJson, qualityText } from '../output/quality-text.ts';
import { type Terminal, writeResult } from '../output/terminal.ts';
import { tapePaths } from './tape-folder.ts';

export const tapeInfo = action({ json: flag }, ({ terminal }, [file = ''], { json }) => {
  const { manifest, bytes } = TapeFile.open(resolve(terminal.cwd, file));
  writeResult(terminal, json, { path: file, bytes, manifest }, () => manifestText(manifest, file, bytes));
});

const CHECK_OPTIONS = { json: flag, from: z.string().optional() };

export const tapeCheck = action(CHECK_OPTIONS, async ({ terminal }, [file = ''], { json, from }) => {
  const tape = TapeFile.open(resolve(terminal.cwd, file));
  const quality = await withPercentProgress('check', terminal.err, (onProgress) =>
    checkTape(tape, { ...(from !== undefined && { from: parseTime('--from', from) }), onProgress }),
  );
  const { manifest, bytes } = tape;
  const text = (): string => manifestText(manifest, file, bytes) + qualityText(quality, manifest);
  writeResult(terminal, json, { path: file, bytes, manifest, quality: qualityJson(quality) }, text);
});

const GENERATE_OPTIONS = { out: z.string().min(1), force: flag, set: assignments };

export const tapeGenerate = action(GENERATE_OPTIONS, async ({ terminal }, [recipe = ''], { out, force, set }) => {
  const configuration = readConfigurationOfKind('synthetic', recipe, terminal.cwd, set);
  const path = newPath(terminal, out, { force, sources: [] });
  try {
    const parsed = toRecipe(parseStrict(recipeSchema, configuration.value ?? {}, ''));
    await withPercentProgress('generate', terminal.err, (onProgress) => generateTape(parsed, path, onProgress));
  } catch (fault) {
    throw configuration.locateFault(withFileKey(fault));
  }
  showTape(terminal, path, out);
});

const TIMES = { from: z.string().optional(), to: z.string().optional() };
const CUT_OPTIONS = { out: z.string().min(1), force: flag, ...TIMES, market: textList };

export const tapeCut = action(CUT_OPTIONS, async ({ terminal }, [file = ''], { out, force, from, to, market }) => {
  const source = resolve(terminal.cwd, file);
  const path = newPath(terminal, out, { force, sources: [source] });
  await withPercentProgress('cut', terminal.err, (onProgress) =>
    cutTape(TapeFile.open(source), path, {
      ...(from !== undefined && { from: parseTime('--from', from) }),
      ...(to !== undefined && { to: parseTime('--to', to) }),
      ...(market.length > 0 && { markets: market }),
      onProgress,
    }),
  );
  showTape(terminal, path, out);
});

const JOIN_OPTIONS = { out: z.string().min(1), force: flag, json: flag };

export const tapeJoin = action(JOIN_OPTIONS, async ({ terminal }, inputs, { out, force, json }) => {
  const paths = tapePaths(terminal, inputs);
  const path = newPath(terminal, out, { force, sources: paths });
  const tapes = paths.map((input) => TapeFile.open(input));
  const { manifest, counts } = await withPercentProgress('join', terminal.err, (onShare) =>
    joinTapes(tapes, path, onShare),
  );
  if (json) return terminal.out.write(`${JSON.stringify({ path: out, manifest, seams: counts })}\n`);
  showTape(terminal, path, out);
  const { seams, gaps, repeated, differing, opening } = counts;
  terminal.out.write(
    `seams           ${seams}, of them ${gaps} with a gap; left out ${repeated} repeated, ${differing} differing and ${opening} opening rows\n`,
  );
});

const EXPORT_OPTIONS = { out: z.string().min(1), force: flag, format: z.enum(['parquet', 'csv']) };

export const tapeExport = action(EXPORT_OPTIONS, async ({ terminal }, inputs, { out, force, format }) => {
  const names = outputNames(tapePaths(terminal, inputs), out, /\.tape$/, `.${format}`);
  for (const name of names.values()) newPath(terminal, name, { force, sources: [] });
  for (const [path, name] of names) {
    const write = format === 'csv' ? exportCsv : exportParquet;
    await withPercentProgress(basename(path), terminal.err, (onProgress) =>
      write(TapeFile.open(path), resolve(terminal.cwd, name), onProgress),
    );
    terminal.out.write(`${name}\n`);
  }
});

export const tapeRestore = action(
  { out: z.string().min(1), force: flag },
  async ({ terminal }, files, { out, force }) => {
    for (const [file, name] of outputNames(files, out, /\.(parquet|csv)$/, '.tape')) {
      const restore = file.endsWith('.csv') ? restoreFromCsv : restoreFromParquet;
      await restore(resolve(terminal.cwd, file), newPath(terminal, name, { force, sources: [] }));
      terminal.out.write(`${name}\n`);
    }
  },
);

/**
 * Returns the output file of each input: its name in the folder `out`, with another extension.
 * @throws InputFault if two inputs have the same output, because the second would replace the first
 */
function outputNames(
  inputs: readonly string[],
  out: string,
  extension: RegExp,
  newExtension: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const inputOf = new Map<string, string>();
  for (const input of inputs) {
    const name = join(out, `${basename(input).replace(extension, '')}${newExtension}`);
    const other = inputOf.get(name);
    if (other !== undefined && other !== input)
      throw new InputFault('inputs', input, `a file whose name differs from that of ${other}`);
    inputOf.set(name, input);
    names.set(input, name);
  }
  return names;
}

/** @throws InputFault if the target is an input tape, or exists and `force` is not set */
function newPath(
  { cwd }: Terminal,
  out: string,
  { force, sources }: { readonly force: boolean; readonly sources: readonly string[] },
): string {
  const path = resolve(cwd, out);
  if (sources.includes(path)) throw new InputFault('--out', path, 'a path that is not one of the input tapes');
  if (!force && existsSync(path))
    throw new InputFault('--out', path, 'a file that does not exist; --force replaces an existing one');
  return path;
}

function showTape(terminal: Terminal, path: string, name: string): void {
  const { manifest, bytes } = TapeFile.open(path);
  terminal.out.write(manifestText(manifest, name, bytes));
}
