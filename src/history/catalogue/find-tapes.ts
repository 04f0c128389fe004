import { join } from 'node:path';
import { FileFault, InputFault } from '../../domain/index.ts';
import { TapeFile } from '../tape-file.ts';
import { parseCondition } from './condition.ts';
import { LOOK_AHEAD_FIELDS, MARKET_FIELDS, MarketFacts } from './market-facts.ts';
import { openTapeFolder } from './tape-folder.ts';

export interface TapeSearch {
  readonly folder: string;
  /** Condition on the markets; undefined for all markets. */
  readonly where: string | undefined;
  /** Start of the run, epoch ms. */
  readonly from: number | undefined;
  /** Names of the settings, for error messages. */
  readonly settingNames: { readonly folder: string; readonly where: string };
}

export interface FoundTape {
  readonly tape: TapeFile;
  /** Numbers of the markets that meet the condition; undefined for all markets. */
  readonly markets: readonly number[] | undefined;
}

/**
 * Finds the tapes in a folder that have a market that meets the condition. Sorts them by file name.
 * @throws FileFault for a `.tape` file that is not a tape
 * @throws InputFault for a folder without tapes, an invalid condition, or a condition that no market meets
 */
export function findTapes({ folder, where, from, settingNames }: TapeSearch): {
  readonly tapes: readonly FoundTape[];
  /** Fields of the condition that are not known at the start of the run. */
  readonly lookAheadFields: readonly string[];
} {
  const { tapes, unusable } = openTapeFolder(folder);
  const [first] = unusable;
  if (first !== undefined) {
    const problem = `the tape cannot be used (${first.problem})`;
    throw new FileFault(join(folder, first.file), undefined, problem, 'Move it out of the folder, or make it again');
  }
  const condition = where === undefined ? undefined : parseCondition(settingNames.where, where, MARKET_FIELDS);
  const found = tapes.flatMap(({ file, manifest }): FoundTape[] => {
    const path = join(folder, file);
    if (condition === undefined) return [{ tape: TapeFile.open(path), markets: undefined }];
    const facts = new MarketFacts(path, manifest, from);
    const markets = manifest.markets.flatMap((_, market) =>
      condition.matches((name) => facts.get(market, name)) ? [market] : [],
    );
    if (markets.length === 0) return [];
    return [{ tape: TapeFile.open(path), markets: markets.length === manifest.markets.length ? undefined : markets }];
  });
  if (found.length === 0) {
    if (where === undefined) throw new InputFault(settingNames.folder, folder, 'a folder with tapes');
    throw new InputFault(settingNames.where, where, `a condition that a market on the ${tapes.length} tapes meets`);
  }
  const lookAheadFields = [...(condition?.fields ?? [])].filter((name) => LOOK_AHEAD_FIELDS.has(name));
  return { tapes: found, lookAheadFields };
}
