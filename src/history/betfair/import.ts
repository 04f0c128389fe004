import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { FileFault, InputFault } from '../../domain/index.ts';
import { marketIdFromName } from '../../runtime/index.ts';
import type { BlockWriter, TapeManifest, TapeMarket } from '../../tape/index.ts';
import { newReadProgress, readLines } from '../lines.ts';
import { type TapeHead, TapeWriter } from '../tape-writer.ts';
import { type CatalogueMarket, readCatalogue } from './catalogue.ts';
import { type BetfairCounts, computeRoundingLoss } from './counts.ts';
import { BetfairMarket, mergeByMarket } from './market.ts';
import { parseMessage, type StreamMessage } from './message.ts';
import { classicOdds, oddsGrid } from './odds.ts';
import type { TapePlan } from './outcome-tape.ts';

const MESSAGES_PER_PROGRESS_REPORT = 1000;

export interface BetfairImportOptions {
  /** A recording of the Exchange Stream: one JSON message per line, plain or gzip. */
  readonly recording: string;
  /** Folder for the tapes; created if missing. */
  readonly folder: string;
  /** File with a response of `listMarketCatalogue`, for names. Default: ids as names. */
  readonly catalogue?: string;
  /** Origin of the recording, for the manifest. Default: "Betfair Exchange Stream recording". */
  readonly description?: string;
  /** Licence of the recording, for the manifest. Default: "unknown". */
  readonly licence?: string;
  /** Whether the runners of a two-runner market share one tape. Default: true. */
  readonly merge?: boolean;
  /** Called with the read fraction of the file, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface BetfairTape {
  readonly path: string;
  readonly manifest: TapeManifest;
  readonly counts: BetfairCounts;
  /** False if the recording ends before the market. */
  readonly isResolved: boolean;
}

/**
 * Turns a recording into tapes (docs/spec/models.md#betfair-in-yes-terms): one for a market of two runners and one
 * winner, otherwise one per runner. A failed import leaves no tape.
 * @throws FileFault that names file and line
 * @throws Error when the traded totals do not add up to the prints and dropped sizes
 */
export async function importBetfair(options: BetfairImportOptions): Promise<BetfairTape[]> {
  const catalogue = options.catalogue === undefined ? [] : readCatalogue(options.catalogue);
  const markets = new Map<string, BetfairMarket>();
  const writers = new Map<TapePlan, TapeWriter>();
  const openWriter = (plan: TapePlan): BlockWriter => {
    const writer = new TapeWriter(join(options.folder, `${makeTapeName(plan)}.tape`));
    writers.set(plan, writer);
    return writer.messages;
  };
  try {
    const sha256 = await readRecording(options, (message, number) => {
      for (const change of mergeByMarket(message.changes)) {
        const market = markets.get(change.id) ?? new BetfairMarket(change.id, openWriter, options.merge);
        markets.set(change.id, market);
        market.apply(change, number, message.publishedAt);
      }
    });
    if (markets.size === 0) {
      const remedy = 'Use a recording of the Exchange Stream';
      throw new FileFault(options.recording, undefined, 'the recording contains no market', remedy);
    }
    return [...markets.values()].flatMap(({ tapes }) =>
      tapes.map(({ plan, counts, isResolved }) => {
        const writer = writers.get(plan);
        if (writer === undefined) throw new Error('Invariant: every tape has a writer');
        // Throws if the counts do not add up.
        computeRoundingLoss(counts);
        const names = catalogue.find(({ marketId }) => marketId === plan.market);
        const manifest = writer.finish(makeHead(plan, options, sha256, names));
        return { path: writer.path, manifest, counts, isResolved };
      }),
    );
  } finally {
    for (const writer of writers.values()) writer.abandon();
  }
}

/** Calls `onMessage` for each message in order of time, with its number from 0. Returns the file's sha256. */
async function readRecording(
  { recording, onProgress }: BetfairImportOptions,
  onMessage: (message: StreamMessage, number: number) => void,
): Promise<string> {
  const progress = newReadProgress();
  let size: number | undefined;
  let number = 0;
  let time = 0;
  for await (const line of readLines(recording, progress)) {
    if (line.text.trim() === '') continue;
    try {
      const message = parseMessage(line.text);
      if (message === undefined) continue;
      if (message.publishedAt < time)
        throw new InputFault('pt', message.publishedAt, `a time at or after ${time}, the time of the previous message`);
      time = message.publishedAt;
      onMessage(message, number);
    } catch (cause) {
      const problem = describeInvalidLine(cause);
      if (problem === undefined) throw cause;
      const remedy = 'Download the recording again, or remove the lines from this one on';
      throw new FileFault(recording, `line ${line.number}`, problem, remedy, { cause });
    }
    number += 1;
    if (onProgress !== undefined && number % MESSAGES_PER_PROGRESS_REPORT === 0) {
      size ??= statSync(recording).size;
      onProgress(progress.bytes / size);
    }
  }
  return progress.sha256;
}

/** Describes an error that an invalid line caused; undefined for any other error. */
function describeInvalidLine(cause: unknown): string | undefined {
  if (cause instanceof z.ZodError) {
    const [issue] = cause.issues;
    return `${issue?.path.join('.')}: ${issue?.message}`;
  }
  return cause instanceof SyntaxError || cause instanceof InputFault ? cause.message : undefined;
}

function makeHead(
  plan: TapePlan,
  options: BetfairImportOptions,
  sha256: string,
  names: CatalogueMarket | undefined,
): TapeHead {
  return {
    name: makeTapeName(plan),
    source: {
      description: options.description ?? 'Betfair Exchange Stream recording',
      licence: options.licence ?? 'unknown',
      files: [{ name: basename(options.recording), sha256 }],
    },
    units: describeUnits(plan),
    receiveTime: 'missing',
    markets: [describeMarket(plan, names)],
  };
}

/** Returns the name of a tape and its file. A merged market has one tape; otherwise each runner has a tape. */
function makeTapeName({ market, yes, no }: TapePlan): string {
  return no === undefined ? `betfair-${market}-${yes}` : `betfair-${market}`;
}

function describeMarket(plan: TapePlan, names: CatalogueMarket | undefined): TapeMarket {
  const { definition, market } = plan;
  const isMerged = plan.no !== undefined;
  const name = (runner: number): string => names?.runners.get(runner) ?? `runner ${runner}`;
  const where = [names?.event, names?.market ?? `Betfair ${definition.marketType} ${market}`]
    .filter(Boolean)
    .join(', ');
  const wins = definition.numberOfWinners === 1 ? 'win' : `be one of the ${definition.numberOfWinners} winners`;
  return {
    id: marketIdFromName(makeTapeName(plan)),
    slug: toSlug(`${where} ${name(plan.yes)}`),
    question: `${where}: will ${name(plan.yes)} ${wins}?`,
    outcomes: [name(plan.yes), plan.no === undefined ? `not ${name(plan.yes)}` : name(plan.no)],
    grid: oddsGrid(classicOdds(), isMerged ? 'merged' : 'separate'),
    // `marketTime` is the start of the event, not the time of the decision.
    scheduledResolution: undefined,
    commissionBps: definition.marketBaseRate,
  };
}

function describeUnits({ no }: TapePlan): string[] {
  return [
    'price = 10^6 / (100 x decimal odds) bps; what can be backed (atb) is the ask side and rounds up, what can be laid (atl) is the bid side and rounds down',
    'shares = stake x odds, one share pays 1 GBP, shown as 1 USD; sizes that fall on one price add up exactly and round down to 0.01 share',
    no === undefined
      ? "trades: growth of the traded totals, halved unless the runner's own level shows the whole decrease; none in messages with a falling total"
      : "both runners' books are one: the second runner's offers are the other side at 10000 - price; trades: growth of the traded totals, halved inside a runner, whole for cross-matches; none in messages with a falling total",
    "SUSPENDED is a halt, betDelay the delay of places, the runner's status at CLOSED the resolution",
    'receive times are missing: rx = tx = publish time',
  ];
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
