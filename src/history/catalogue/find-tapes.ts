import { join } from 'node:path';
import { FileFault, InputFault } from '../../domain/index.ts';
import { TapeFile } from '../tape-file.ts';
import { LATER_FIELDS, MARKET_FIELDS, MarketFacts } from './market-facts.ts';
import { openTapeFolder } from './tape-folder.ts';
import { parseCondition } from './where.ts';

export interface TapeSearch {
  readonly folder: string;
  /** Condition on the markets; undefined for all. */
  readonly where: string | undefined;
  /** Start of the run, epoch ms. */
  readonly from: number | undefined;
  /** Names of the settings, for faults. */
  readonly fields: { readonly folder: string; readonly where: string };
}

export interface FoundTape {
  readonly tape: TapeFile;
  /** Numbers of the markets that were found; undefined for all. */
  readonly markets: readonly number[] | undefined;
}

export interface FoundTapes {
  /** By file name. */
  readonly tapes: readonly FoundTape[];
  /** Fields of the condition that were not known when the run begins. */
  readonly laterFields: readonly string[];
}

/**
 * The tapes of a folder with a market for which the condition holds.
 * @throws FileFault for a file that is named as a tape and is none
 * @throws InputFault for a condition that cannot be read, or that no market fulfils
 */
export function findTapes({ folder, where, from, fields }: TapeSearch): FoundTapes {
  const { tapes, unusable } = openTapeFolder(folder);
  const [first] = unusable;
  if (first !== undefined) {
    throw new FileFault(
      join(folder, first.file),
      undefined,
      `it cannot be used (${first.problem})`,
      'Move it out of the folder, or make it again',
    );
  }
  const condition = where === undefined ? undefined : parseCondition(fields.where, where, MARKET_FIELDS);
  const found = tapes.flatMap(({ file, manifest }): FoundTape[] => {
    const path = join(folder, file);
    if (condition === undefined) return [{ tape: TapeFile.open(path), markets: undefined }];
    const facts = new MarketFacts(path, manifest, from);
    const markets = manifest.markets.flatMap((_, market) =>
      condition.holds((name) => facts.get(market, name)) ? [market] : [],
    );
    if (markets.length === 0) return [];
    return [{ tape: TapeFile.open(path), markets: markets.length === manifest.markets.length ? undefined : markets }];
  });
  if (found.length === 0) {
    if (where === undefined) throw new InputFault(fields.folder, folder, 'a folder with tapes');
    throw new InputFault(fields.where, where, `a condition that one of the markets on ${tapes.length} tapes fulfils`);
  }
  return { tapes: found, laterFields: [...(condition?.fields ?? [])].filter((name) => LATER_FIELDS.has(name)) };
}
