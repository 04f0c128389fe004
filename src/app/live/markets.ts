/** Reads the markets of a run: markets of an earlier run with their numbers, then new markets of the configuration. */
import type { LiveConfiguration } from '../../config/live-file.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { InputFault, type MarketInfo, unchecked } from '../../domain/index.ts';
import type { Log } from '../../ops/index.ts';
import { type NamedMarket, type RecoveredBot, toIdOrSlug } from '../../runtime/index.ts';
import type { AccountState, MarketSetup } from '../../state/index.ts';
import {
  type MarketDirectory,
  type Selection,
  type SelectionNumbers,
  unreadableMarketFault,
} from '../../venues/base/index.ts';
import { openGrids } from './grids.ts';

export type LiveMarkets = Readonly<Awaited<ReturnType<typeof readLiveMarkets>>>;

interface MarketSource {
  readonly live: LiveConfiguration;
  readonly directory: MarketDirectory;
  readonly log: Log;
  /** Path of the database of an earlier run, for error messages. */
  readonly db?: string;
}

export function allMarkets({ present, added }: Pick<LiveMarkets, 'present' | 'added'>): readonly MarketInfo[] {
  return [...present, ...added].map(({ info }) => info);
}

/**
 * @param recovered the earlier run, if any. With `markets.select`, the earlier run's traded markets are chosen again
 * @throws FileFault for a grid's unusable tape; InputFault for an unknown market or invalid grid; Fault LINK, BLOCKED
 */
export async function readLiveMarkets(
  source: MarketSource,
  recovered: Pick<RecoveredBot, 'state' | 'assignments'> | undefined,
) {
  const { live, directory, log } = source;
  const grids = openGrids(live);
  const { ids, slugs, filter, select } = live.file.markets;
  const infos = recovered?.state.markets.map(({ info }) => info) ?? [];
  const known = new Map(infos.map(({ id, market }) => [String(id), market]));
  const named = new Set([...ids, ...slugs].map(toIdOrSlug));
  // Includes markets that have ended, as the bot may have to claim a payout.
  const earlier = recovered === undefined ? [] : await readKnown(source, recovered.state, named);
  const wanted = {
    ids: ids.filter((id) => !known.has(toIdOrSlug(id))),
    slugs: slugs.filter((slug) => !infos.some((info) => info.slug === slug)),
    ...(filter === undefined ? {} : { filter }),
  };
  const hasWanted = wanted.ids.length + wanted.slugs.length > 0 || filter !== undefined;
  const first = unchecked.market(infos.length);
  const selected = hasWanted ? await selectMarkets(directory, wanted, { first, known }) : [];
  const chosen = new Set(selected.map(({ info }) => info.market));
  if (select !== undefined)
    for (const { markets } of recovered?.assignments.entries ?? []) for (const market of markets) chosen.add(market);
  for (const { id, slug, market } of infos) if (named.has(String(id)) || named.has(slug)) chosen.add(market);
  const added: readonly MarketSetup[] = selected.filter(({ info }) => info.market >= infos.length).map(grids.apply);
  const isNew = recovered === undefined;
  const present = isNew ? added : earlier.map(grids.apply);
  const keys = unmatchedOverrides(live.file.markets, allMarkets({ present, added }));
  if (keys.length > 0)
    log.warn({ keys }, 'markets.overrides has keys that are the slug or id of no market of this bot');
  return {
    grids,
    /** Markets of the initial state, ordered by number. */
    present,
    /** New markets that the configuration chooses. Their numbers follow the numbers of `present`. */
    added: isNew ? [] : added,
    /** Numbers of all markets that the configuration chooses. */
    chosen,
  };
}

/** Returns the keys of `overrides` that match none of the markets. With `select`, returns none: others may follow. */
export function unmatchedOverrides(
  { overrides, select }: Pick<LiveFile['markets'], 'overrides' | 'select'>,
  markets: readonly NamedMarket[],
): readonly string[] {
  if (select !== undefined) return [];
  const names = new Set(markets.flatMap(({ id, slug }) => [id, slug]));
  return Object.keys(overrides).filter((key) => !names.has(toIdOrSlug(key)));
}

/** Returns an empty list if the filter finds nothing and the bot already has markets. */
async function selectMarkets(directory: MarketDirectory, wanted: Selection, numbers: Required<SelectionNumbers>) {
  try {
    return await directory.select(wanted, numbers);
  } catch (fault) {
    if (fault instanceof InputFault && fault.field === 'markets' && numbers.known.size > 0) return [];
    throw fault;
  }
}

/** Reads the markets of an earlier run. Keeps the stored state of an unreadable market without configuration. */
async function readKnown({ live, directory, log, db }: MarketSource, state: AccountState, named: ReadonlySet<string>) {
  const infos = state.markets.map(({ info }) => info);
  const { found, bad } = await directory.readKnown(infos);
  const byNumber = new Map(found.map((selected) => [selected.info.market, selected]));
  return infos.map(({ id, market: marketNo }) => {
    const selected = byNumber.get(marketNo);
    if (selected !== undefined) return selected;
    const problem = bad.find((row) => row.id === id) ?? bad.find((row) => row.id === undefined);
    const { info, limits, state: marketState } = state.market(marketNo);
    if (problem === undefined) {
      const remedy = 'name another path with --db or the key `db`, or the venue of the database with `venue.url`';
      const expected = `a database of the venue ${live.file.venue.url}, which has no market ${info.slug} (${remedy})`;
      throw new InputFault('db', db, expected);
    }
    if (named.has(id) || named.has(info.slug)) throw unreadableMarketFault({ ...problem, id });
    log.warn({ market: id, problem: problem.problem }, 'venue: a market of an earlier run cannot be read');
    return { info, limits, state: marketState };
  });
}

/** Takes limits and states from `state`, so that market data reports only later changes. */
export function toVenueMarkets(markets: readonly MarketSetup[], state: AccountState): readonly MarketSetup[] {
  return markets.map((selected) => {
    const { info } = selected;
    const { limits, state: marketState } = state.market(info.market);
    return { ...selected, limits, state: marketState };
  });
}
