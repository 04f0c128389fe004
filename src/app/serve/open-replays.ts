/** Opens the tapes that a venue replays. */
import { resolve } from 'node:path';
import type { ReplayFile } from '../../config/venue-schema.ts';
import { TapeFile } from '../../history/index.ts';
import { checkQueue, tapeStart, tradesOnlyOptions } from '../../replay/index.ts';
import type { ReplaySettings } from '../../server/index.ts';

export interface ReplayRequest extends ReplayFile {
  /** Absolute, or relative to the working folder. */
  readonly tape: string;
  /** Name of the field with the start time, for messages. */
  readonly fromField: string;
}

export function toReplayRequests(replays: readonly ReplayFile[], folder: string): readonly ReplayRequest[] {
  return replays.map((each, at) => ({ ...each, tape: resolve(folder, each.tape), fromField: `replay[${at}].from` }));
}

/** @throws FileFault for an invalid tape; InputFault for a start or a model that does not fit the tape */
export function openReplays(requests: readonly ReplayRequest[]): readonly ReplaySettings[] {
  return requests.map(({ tape: path, from, fromField, speed, category, queue, trades_only }) => {
    const file = TapeFile.open(path);
    const { manifest } = file;
    checkQueue(queue, manifest, `queue of ${path}`);
    const tradesOnly = tradesOnlyOptions(trades_only, manifest.content, `trades_only of ${path}`);
    return {
      speed,
      category,
      models: tradesOnly === undefined ? { queue } : { queue, trades_only: tradesOnly },
      tape: { path, manifest, feed: () => file.feed() },
      from: tapeStart(fromField, from, manifest),
    };
  });
}
