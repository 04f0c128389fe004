/** Creates and opens the markets of a tape in the exchange, and makes them follow the tape. */
import type { Clock } from '../../clock/index.ts';
import { DAY_MS, type EpochMs, Fault, InputFault, type MarketId, timeAfter, unchecked } from '../../domain/index.ts';
import type { CreateMarket, ExchangeCommand, MarketRecord } from '../../exchange/index.ts';
import { type BookSnapshots, encodeRows, type ModelOptions, modelsJson } from '../../replay/index.ts';
import type { Feed, TapeManifest, TapeMarket } from '../../tape/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import { openServiceAccount } from '../service-accounts.ts';

export interface ReplayDeps {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly catalogue: Catalogue;
  readonly log: Log;
}

/** A tape that can be read repeatedly. */
export interface RecordedTape {
  /** Path for messages. */
  readonly path: string;
  readonly manifest: TapeManifest;
  /** Opens the rows in order. The caller closes the feed. `feed` and the feed's `fill` throw FileFault. */
  feed(): Feed;
}

export interface ReplaySettings {
  readonly tape: RecordedTape;
  /** Time on the tape at which new markets begin. */
  readonly from: EpochMs;
  /** Milliseconds on the tape per millisecond of the clock, above 0. */
  readonly speed: number;
  /** Slug of the markets' category, which is created if it does not exist. */
  readonly category: string;
  readonly models: ModelOptions;
}

const YEAR_MS = 365 * DAY_MS;
const NO_HASH = `0x${'0'.repeat(64)}`;

/** Returns the markets that already follow the tape. @throws InputFault for a market that cannot follow this tape */
export function getFollowingMarkets(
  queue: CommandQueue,
  { tape: { path, manifest } }: ReplaySettings,
): readonly Readonly<MarketRecord>[] {
  return manifest.markets.flatMap(({ id }) => {
    const market = queue.view.marketById(id);
    if (market === undefined) return [];
    const { following } = market;
    // An earlier start ended before it had opened this market or let it follow the tape. `followTape` continues.
    if (following === undefined && market.status === 'OPEN' && market.lastTrade === 0) return [];
    if (following === undefined && market.status === 'PENDING_BLOCKCHAIN') return [];
    if (following?.tape === manifest.contentHash) return [market];
    const state = following === undefined ? 'follows no tape' : `follows another tape (${following.tape})`;
    const expected = `the tape of market ${market.slug}, because this database contains the market and it ${state}. Use that tape, or another database`;
    throw new InputFault('replay', `${path} (${manifest.contentHash})`, expected);
  });
}

/**
 * Makes market `number` of the tape follow the tape, unless the market already does.
 * @param start returns the position to follow from, with the number of earlier rows and the books at the position
 * @throws Fault on a refusal
 */
export async function followTape(
  deps: ReplayDeps,
  settings: ReplaySettings,
  number: number,
  start: () => { readonly recordedAt: EpochMs; readonly row: number; readonly snapshots: BookSnapshots },
): Promise<Readonly<MarketRecord>> {
  const { queue } = deps;
  const { manifest } = settings.tape;
  const recorded = manifest.markets[number];
  if (recorded === undefined) throw new RangeError(`Invariant: no market ${number} on ${manifest.name}`);
  const { id, grid } = recorded;
  await createMarket(deps, settings, recorded);
  const created = requireMarket(queue, id);
  if (created.following !== undefined) return created;
  await openMarket(queue, created);
  const account = await openServiceAccount(queue, 'tape');
  const { recordedAt, row, snapshots } = start();
  const terms = { tape: manifest.contentHash, grid, models: modelsJson(settings.models) };
  const rows = encodeRows(snapshots.toRows(number));
  const position = { recordedAt, row, rows };
  const market = created.number;
  await execute(queue, id, () => ({ type: 'followTape', time: queue.now, market, account, ...terms, ...position }));
  return requireMarket(queue, id);
}

async function createMarket({ queue, catalogue }: ReplayDeps, settings: ReplaySettings, market: TapeMarket) {
  if (queue.view.marketById(market.id) !== undefined) return;
  const { category } = settings;
  if (catalogue.category(category) === undefined)
    await catalogue.putCategory({ slug: category, name: 'Recorded', isActive: true });
  const account = await openServiceAccount(queue, 'operator');
  const { source, name } = settings.tape.manifest;
  const [yes, no] = market.outcomes;
  const fields: Omit<CreateMarket, 'time' | 'resolutionDate'> = {
    type: 'createMarket',
    account,
    credential: unchecked.credential(0),
    id: market.id,
    question: market.question,
    slug: market.slug,
    rules: 'As it ends on the tape.',
    description: `YES is ${yes}, NO is ${no}. A recording that is replayed: ${name}. ${source.description}.`,
    categorySlug: category,
    topicSlugs: [],
    eventId: undefined,
    // The prices of a price list are multiples of 1 bps.
    tickBps: market.grid.type === 'tick' ? market.grid.tickBps : 1,
    feeRateBps: undefined,
    minOrderShares: undefined,
    initialOrder: undefined,
    restriction: undefined,
  };
  await execute(queue, market.id, () => {
    return { ...fields, time: queue.now, resolutionDate: toDisplayedDate(market, settings, queue.now) };
  });
}

/** Confirms a new market's deployment in place of the chain, which opens the market. */
async function openMarket(queue: CommandQueue, { id, number, status, attempts: attempt }: Readonly<MarketRecord>) {
  if (status !== 'PENDING_BLOCKCHAIN') return;
  const confirmation = { market: number, note: '', step: 'DEPLOY', attempt, transactionHash: NO_HASH } as const;
  await execute(queue, id, () => ({ type: 'chainConfirmed', time: queue.now, ...confirmation }));
}

async function execute(queue: CommandQueue, id: MarketId, command: () => ExchangeCommand): Promise<void> {
  await queue.run({
    command,
    answer: (events) => {
      const refused = events.find((event) => event.type === 'refused');
      if (refused === undefined) return;
      const problem = `market ${id} of the tape is refused by this venue: ${JSON.stringify(refused.refusal)}`;
      throw new Fault('REPLAY', `${problem}. Change its configuration`);
    },
  });
}

function requireMarket(queue: CommandQueue, id: MarketId): Readonly<MarketRecord> {
  const market = queue.view.marketById(id);
  if (market === undefined) throw new RangeError(`Invariant: market ${id} was created but does not exist`);
  return market;
}

/**
 * Returns the displayed resolution date: the recording's scheduled time at this speed. Nothing happens at that date,
 * because the tape ends the market. Without a schedule, the date is a year ahead and does not reveal the tape's end.
 */
function toDisplayedDate({ scheduledResolution }: TapeMarket, { from, speed }: ReplaySettings, now: EpochMs): EpochMs {
  if (scheduledResolution === undefined || scheduledResolution <= from) return timeAfter(now, YEAR_MS);
  return unchecked.time(now + Math.min(Math.ceil((scheduledResolution - from) / speed), 1_000 * YEAR_MS));
}
