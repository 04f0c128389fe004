/** The markets of a tape in the exchange: created and opened once, like an operator does; then they follow the tape. */
import { column, counted, type EpochMs, Fault, InputFault, type PriceGrid, timeAfter } from '../../domain/index.ts';
import type { CreateMarket, ExchangeCommand, MarketRecord } from '../../exchange/index.ts';
import { type BookSnapshots, modelsJson, numbersOf } from '../../replay/index.ts';
import type { TapeMarket } from '../../tape/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import { serviceAccount } from '../service-accounts.ts';
import type { ReplaySettings } from './settings.ts';

/** The exchange and its categories. */
export interface RecordedMarketsDeps {
  readonly queue: CommandQueue;
  readonly catalogue: Catalogue;
}

/** Position at which a market begins to follow its tape. */
export interface FirstPlace {
  readonly recordedAt: EpochMs;
  /** Rows of the tape before it. */
  readonly row: number;
  /** The markets that were created. */
  readonly images: BookSnapshots;
}

const YEAR_MS = 365 * 86_400_000;
const NO_HASH = `0x${'0'.repeat(64)}`;
const CATEGORY_NAME = 'Recorded';

/** Markets of the tape that follow it already. @throws InputFault for a market that is something else here */
export function followers(
  queue: CommandQueue,
  { tape: { path, manifest } }: ReplaySettings,
): readonly Readonly<MarketRecord>[] {
  return manifest.markets.flatMap(({ id }) => {
    const market = queue.view.marketById(id);
    if (market === undefined) return [];
    const { following } = market;
    if (following === undefined && market.status === 'OPEN' && market.lastTrade === 0) return [];
    if (following === undefined && market.status === 'PENDING_BLOCKCHAIN') return [];
    if (following?.tape === manifest.contentHash) return [market];
    const what = following === undefined ? 'follows no tape' : `follows another tape (${following.tape})`;
    const expected = `the tape of market ${market.slug}, which is in this database and ${what}: name that tape, or another database`;
    throw new InputFault('replay', `${path} (${manifest.contentHash})`, expected);
  });
}

/**
 * Makes a market of the tape follow it from a position, unless it already does.
 * @param no on the tape
 * @returns the market
 * @throws Fault when the exchange refuses
 */
export async function followTape(
  deps: RecordedMarketsDeps,
  settings: ReplaySettings,
  no: number,
  first: () => FirstPlace,
): Promise<Readonly<MarketRecord>> {
  const { queue } = deps;
  const { manifest } = settings.tape;
  const recorded = manifest.markets[no];
  if (recorded === undefined) throw new RangeError(`Invariant: no market ${no} on ${manifest.name}`);
  const { id, grid } = recorded;
  await create(deps, settings, recorded);
  const made = found(queue, id);
  if (made.following !== undefined) return made;
  await open(queue, made);
  const account = await serviceAccount(queue, 'tape');
  const { recordedAt, row, images } = first();
  const terms = { tape: manifest.contentHash, grid, models: modelsJson(settings.models) };
  const rows = numbersOf(images.rowsOf(no));
  await carryOut(queue, recorded, () => ({
    type: 'followTape',
    time: queue.now,
    market: made.no,
    account,
    ...terms,
    recordedAt,
    row,
    rows,
  }));
  return found(queue, id);
}

async function create({ queue, catalogue }: RecordedMarketsDeps, settings: ReplaySettings, market: TapeMarket) {
  if (queue.view.marketById(market.id) !== undefined) return;
  const { category } = settings;
  if (catalogue.category(category) === undefined) {
    await catalogue.putCategory({ slug: category, name: CATEGORY_NAME, isActive: true });
  }
  const account = await serviceAccount(queue, 'operator');
  const { source, name } = settings.tape.manifest;
  const [yes, no] = market.outcomes;
  const said: Omit<CreateMarket, 'time' | 'resolutionDate'> = {
    type: 'createMarket',
    account,
    credential: counted.credential(0),
    id: market.id,
    question: market.question,
    slug: market.slug,
    rules: 'As it ends on the tape.',
    description: `YES is ${yes}, NO is ${no}. A recording that is replayed: ${name}. ${source.description}.`,
    categorySlug: category,
    topicSlugs: [],
    eventId: undefined,
    tickBps: tickOf(market.grid),
    feeRateBps: undefined,
    minOrderShares: undefined,
    initialOrder: undefined,
    restriction: undefined,
  };
  await carryOut(queue, market, () => ({
    ...said,
    time: queue.now,
    resolutionDate: dateOf(market, settings, queue.now),
  }));
}

/** The chain's step, done by hand. */
async function open(queue: CommandQueue, { id, no, status, attempts: attempt }: Readonly<MarketRecord>): Promise<void> {
  if (status !== 'PENDING_BLOCKCHAIN') return;
  const about = { market: no, note: '', step: 'DEPLOY', attempt, transactionHash: NO_HASH } as const;
  await carryOut(queue, { id }, () => ({ type: 'chainConfirmed', time: queue.now, ...about }));
}

async function carryOut(
  queue: CommandQueue,
  { id }: Pick<TapeMarket, 'id'>,
  command: () => ExchangeCommand,
): Promise<void> {
  await queue.run({
    command,
    answer: (events) => {
      const refused = events.find((event) => event.type === 'refused');
      if (refused === undefined) return;
      const why = JSON.stringify(refused.refusal);
      throw new Fault('REPLAY', `market ${id} of the tape is refused by this venue: ${why}. Change its configuration`);
    },
  });
}

function found(queue: CommandQueue, id: TapeMarket['id']): Readonly<MarketRecord> {
  const market = queue.view.marketById(id);
  if (market === undefined) throw new RangeError(`Invariant: market ${id} was made and is not there`);
  return market;
}

/**
 * The date that is shown: the recording's scheduled time at this speed. Nothing happens at that date: the tape
 * determines how a recorded market ends. Without a schedule, the date reveals nothing of the tape's end.
 */
function dateOf({ scheduledResolution }: TapeMarket, { from, speed }: ReplaySettings, now: EpochMs): EpochMs {
  if (scheduledResolution === undefined || scheduledResolution <= from) return timeAfter(now, YEAR_MS);
  return column.time(now + Math.min(Math.ceil((scheduledResolution - from) / speed), 1_000 * YEAR_MS));
}

/** A price list needs no tick: 1 allows every price in it. */
function tickOf(grid: PriceGrid): number {
  return grid.type === 'tick' ? grid.tickBps : 1;
}
