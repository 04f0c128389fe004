import { resolve } from 'node:path';
import type { ReplayFile } from '../../config/replay-schema.ts';
import { TapeFile } from '../../history/index.ts';
import { tapeStart } from '../../replay/index.ts';
import type { ReplaySettings } from '../../server/index.ts';

/** A tape to be played, and what its start is called where people gave it. */
export interface ReplayRequest extends ReplayFile {
  /** Absolute, or relative to where the process runs. */
  readonly tape: string;
  readonly fromField: string;
}

/** Tapes of a venue's file, by their place in it. @param folder that their paths are relative to */
export function replaysOfFile(replays: readonly ReplayFile[], folder: string): readonly ReplayRequest[] {
  return replays.map((each, at) => ({ ...each, tape: resolve(folder, each.tape), fromField: `replay[${at}].from` }));
}

/** @throws FileFault for what is no tape, or a damaged one; InputFault for a start that is not on it */
export function openReplays(wishes: readonly ReplayRequest[]): readonly ReplaySettings[] {
  return wishes.map(({ tape: path, from, fromField, speed, category, queue, trades_only }) => {
    const file = TapeFile.open(path);
    const { manifest } = file;
    return {
      speed,
      category,
      models: trades_only === undefined ? { queue } : { queue, trades_only },
      tape: { path, manifest, feed: () => file.feed() },
      from: tapeStart(fromField, from, manifest),
    };
  });
}
