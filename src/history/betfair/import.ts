import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { FileFault, InputFault } from '../../domain/index.ts';
import type { BlockWriter, TapeManifest } from '../../tape/index.ts';
import { linesOf, newTrace } from '../lines.ts';
import { type TapeHead, TapeWriter } from '../tape-writer.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { type BetfairCounts, roundedOff } from './counts.ts';
import { conversions, describeMarket, tapeName } from './describe.ts';
import { BetfairMarket, byMarket } from './market.ts';
import { parseMessage, type StreamMessage } from './message.ts';
import type { TapePlan } from './outcome-tape.ts';

const PROGRESS_EVERY = 1000;

export interface BetfairImportOptions {
  /** A recording of the Exchange Stream, one JSON message a line, plain or gzip. */
  readonly recording: string;
  /** Folder for the tapes; made when it is not there. */
  readonly folder: string;
  /** File with the answer of `listMarketCatalogue`, for names. Default: ids are the names. */
  readonly catalogue?: string;
  /** Who recorded it, for the manifest. Default: "Betfair Exchange Stream recording". */
  readonly description?: string;
  /** Licence of the recording, for the manifest. Default: "unknown". */
  readonly licence?: string;
  /** False gives each runner of a two-runner market a tape of its own. Default true. */
  readonly merge?: boolean;
  /** Called now and then with the share of the file that was read, 0..1. */
  readonly onProgress?: (share: number) => void;
}

export interface BetfairTape {
  readonly path: string;
  readonly manifest: TapeManifest;
  readonly counts: BetfairCounts;
  /** False when the recording ends before the market does. */
  readonly resolved: boolean;
}

/**
 * Turns a recording into tapes, exactly by docs/spec/models.md#betfair-in-yes-terms: one for a market of two runners
 * and one winner, else one a runner. Leaves no tape of this recording behind when it fails.
 * @throws FileFault that names file and line
 * @throws Error when what was traded does not add up to prints and what was dropped
 */
export async function importBetfair(options: BetfairImportOptions): Promise<BetfairTape[]> {
  const catalogue = options.catalogue === undefined ? [] : readCatalogue(options.catalogue);
  const markets = new Map<string, BetfairMarket>();
  const writers = new Map<TapePlan, TapeWriter>();
  const open = (plan: TapePlan): BlockWriter => {
    const writer = new TapeWriter(join(options.folder, `${tapeName(plan)}.tape`));
    writers.set(plan, writer);
    return writer.messages;
  };
  try {
    const sha256 = await readRecording(options, (message, number) => {
      for (const change of byMarket(message.changes)) {
        const market = markets.get(change.id) ?? new BetfairMarket(change.id, open, options.merge);
        markets.set(change.id, market);
        market.apply(change, number, message.publishedAt);
      }
    });
    if (markets.size === 0) {
      throw new FileFault(
        options.recording,
        undefined,
        'there is no market in it',
        'Give it an Exchange Stream recording',
      );
    }
    return [...markets.values()].flatMap(({ tapes }) =>
      tapes.map(({ plan, counts, resolved }) => {
        const writer = writers.get(plan);
        if (writer === undefined) throw new Error('Invariant: every tape has a writer');
        roundedOff(counts);
        const names = catalogue.find(({ marketId }) => marketId === plan.market);
        const manifest = writer.finish(headOf(plan, options, sha256, names));
        return { path: writer.path, manifest, counts, resolved };
      }),
    );
  } finally {
    for (const writer of writers.values()) writer.abandon();
  }
}

/** Hands each message with its number, from 0, to `each`, in order of time; answers the file's sha256. */
async function readRecording(
  { recording, onProgress }: BetfairImportOptions,
  each: (message: StreamMessage, number: number) => void,
): Promise<string> {
  const trace = newTrace();
  let size: number | undefined;
  let number = 0;
  let time = 0;
  for await (const line of linesOf(recording, trace)) {
    if (line.text.trim() === '') continue;
    try {
      const message = parseMessage(line.text);
      if (message === undefined) continue;
      if (message.publishedAt < time)
        throw new InputFault('pt', message.publishedAt, `no earlier time than the ${time} before`);
      time = message.publishedAt;
      each(message, number);
    } catch (cause) {
      const problem = problemOf(cause);
      if (problem === undefined) throw cause;
      const remedy = 'Fetch the recording again, or cut it off before this line';
      throw new FileFault(recording, `line ${line.number}`, problem, remedy, { cause });
    }
    number += 1;
    if (onProgress !== undefined && number % PROGRESS_EVERY === 0) {
      size ??= statSync(recording).size;
      onProgress(trace.bytes / size);
    }
  }
  return trace.sha256;
}

/** What is wrong with a line, when the line is what is wrong. */
function problemOf(cause: unknown): string | undefined {
  if (cause instanceof z.ZodError) {
    const [issue] = cause.issues;
    return `${issue?.path.join('.')}: ${issue?.message}`;
  }
  return cause instanceof SyntaxError || cause instanceof InputFault ? cause.message : undefined;
}

function headOf(plan: TapePlan, options: BetfairImportOptions, sha256: string, names: Catalogue | undefined): TapeHead {
  return {
    name: tapeName(plan),
    source: {
      description: options.description ?? 'Betfair Exchange Stream recording',
      licence: options.licence ?? 'unknown',
      files: [{ name: basename(options.recording), sha256 }],
    },
    units: conversions(plan),
    receiveTime: 'missing',
    markets: [describeMarket(plan, names)],
  };
}
