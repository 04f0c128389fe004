/** The markets of a run: those of an earlier run under their numbers, then what the configuration chooses beyond them. */

import type { LiveFile } from '../../config/live-schema.ts';
import { counted, InputFault, type MarketInfo, type MarketNo } from '../../domain/index.ts';
import type { AccountState } from '../../state/index.ts';
import {
  readMarkets,
  type Selected,
  type Selection,
  selectedOf,
  selectMarkets,
  type Transport,
  unreadable,
  type VenueTerms,
} from '../../venues/service/index.ts';
import type { Grids } from './grids.ts';

export interface LiveMarkets {
  /** In the order of their numbers: what the state begins with. */
  readonly present: readonly Selected[];
  /** Chosen by the configuration and new to the state: their numbers follow. */
  readonly added: readonly Selected[];
  /** Numbers of those, of both, that the configuration chooses. */
  readonly chosen: ReadonlySet<MarketNo>;
}

export interface ReadMarketsOptions {
  readonly transport: Transport;
  readonly terms: VenueTerms;
  readonly markets: LiveFile['markets'];
  readonly grids: Grids;
  readonly state: AccountState | undefined;
}

/** All markets of a run. */
export function allMarkets({ present, added }: LiveMarkets): readonly MarketInfo[] {
  return [...present, ...added].map(({ setup }) => setup.info);
}

/** @throws InputFault for a choice that the venue does not have, or a grid that cannot be; Fault LINK, BLOCKED */
export async function readLiveMarkets(wish: ReadMarketsOptions): Promise<LiveMarkets> {
  const { grids } = wish;
  const { present, added, chosen } = await read(wish);
  return {
    chosen,
    present: present.map((each) => grids.applied(each)),
    added: added.map((each) => grids.applied(each)),
  };
}

async function read({ transport, terms, markets, state }: ReadMarketsOptions): Promise<LiveMarkets> {
  const { ids, slugs, filter } = markets;
  const infos = state?.markets.map(({ info }) => info) ?? [];
  const known = new Map(infos.map(({ id, market }) => [String(id), market]));
  const named = new Set([...ids.map((id) => id.toLowerCase()), ...slugs]);
  // What an earlier run has may have ended meanwhile, which is no reason not to start: it may have to be claimed.
  const before = await readKnown({ transport, terms, known, named, state });
  const wanted = {
    ids: ids.filter((id) => !known.has(id.toLowerCase())),
    slugs: slugs.filter((slug) => !infos.some((info) => info.slug === slug)),
    ...(filter === undefined ? {} : { filter: given(filter) }),
  };
  const isAsked = wanted.ids.length + wanted.slugs.length > 0 || filter !== undefined;
  const first = counted.market(infos.length);
  const selected = isAsked ? await chosenBy({ transport, terms, wanted, first, known }) : [];
  const chosen = new Set(selected.map(({ setup }) => setup.info.market));
  for (const { id, slug, market } of infos) if (named.has(String(id)) || named.has(slug)) chosen.add(market);
  const added = selected.filter(({ setup }) => setup.info.market >= infos.length);
  return state === undefined ? { present: added, added: [], chosen } : { present: before, added, chosen };
}

interface Choice {
  readonly transport: Transport;
  readonly terms: VenueTerms;
  readonly wanted: Selection;
  readonly first: MarketNo;
  readonly known: ReadonlyMap<string, MarketNo>;
}

/** A filter that finds nothing new is no fault where there are markets already. */
async function chosenBy({ transport, terms, wanted, first, known }: Choice): Promise<readonly Selected[]> {
  try {
    return await selectMarkets(transport, terms, wanted, { first, known });
  } catch (fault) {
    if (fault instanceof InputFault && fault.field === 'markets' && known.size > 0) return [];
    throw fault;
  }
}

interface Known extends Pick<Choice, 'transport' | 'terms' | 'known'> {
  readonly named: ReadonlySet<string>;
  readonly state: AccountState | undefined;
}

/** One that nobody can read, and that the configuration does not name, stays as the earlier run knew it, and halts. */
async function readKnown({ transport, terms, known, named, state }: Known): Promise<readonly Selected[]> {
  const { markets, bad } = await readMarkets(transport, [...known.keys()]);
  const found = new Map(markets.map((market) => [market.id, market]));
  return [...known].map(([id, no]) => {
    const market = found.get(id);
    if (market !== undefined) return selectedOf(market, no, terms, undefined);
    const problem = bad.find((each) => each.id === id) ?? bad.find((each) => each.id === undefined);
    const world = state?.market(no);
    if (problem === undefined || world === undefined) {
      throw new InputFault(
        'db',
        id,
        'a database whose markets the venue knows; is venue.url the venue it was made for?',
      );
    }
    if (named.has(id) || named.has(world.info.slug)) throw unreadable({ ...problem, id });
    transport.log.warn({ market: id, problem: problem.problem }, 'venue: a market of an earlier run cannot be read');
    const { info, limits, state: told } = world;
    const setup = { info, limits, state: told };
    return { setup, category: undefined, topics: [], eventId: undefined, volumeCents: 0 };
  });
}

/** Markets of an earlier run as the core has them: market data tells what has changed since. */
export function toVenueMarkets(markets: readonly Selected[], state: AccountState): readonly Selected[] {
  return markets.map((selected) => {
    const { info } = selected.setup;
    const { limits, state: told } = state.market(info.market);
    return { ...selected, setup: { ...selected.setup, limits, state: told } };
  });
}

/** Without keys that are undefined. */
function given(filter: NonNullable<LiveFile['markets']['filter']>) {
  const { category, topic, search, status, limit } = filter;
  return {
    ...(category === undefined ? {} : { category }),
    ...(topic === undefined ? {} : { topic }),
    ...(search === undefined ? {} : { search }),
    ...(status === undefined ? {} : { status }),
    limit,
  };
}
