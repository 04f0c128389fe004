/** Finds the markets that a bot selects, and the markets of its earlier runs. */
import { Fault, type MarketInfo, type MarketNo, type MarketStatus } from '../../domain/index.ts';
import type { MarketCandidate } from '../../runtime/index.ts';
import type { MarketSetup } from '../../state/index.ts';

/** Selects the markets that meet all given conditions. */
export interface MarketSelector {
  readonly category?: string | undefined;
  readonly topic?: string | undefined;
  readonly search?: string | undefined;
  readonly status?: MarketStatus | undefined;
  /** Maximum number of markets, by descending volume. Default 200. */
  readonly limit?: number;
}

/** Selects markets by id, then by slug, then by filter, each market once. */
export interface Selection {
  /** Internal ids, or the venue's own names of its markets. */
  readonly ids?: readonly string[];
  readonly slugs?: readonly string[];
  readonly filter?: MarketSelector;
}

/** Known markets keep their numbers. Other selected markets get numbers from `first` up. */
export interface SelectionNumbers {
  /** Default 0. */
  readonly first?: MarketNo;
  /** Numbers by market id. */
  readonly known?: ReadonlyMap<string, MarketNo>;
}

/** A market that cannot be read. */
export interface BadMarket {
  /** Undefined if the id cannot be read either. */
  readonly id: string | undefined;
  readonly problem: string;
}

export interface KnownMarkets {
  readonly found: readonly MarketSetup[];
  readonly bad: readonly BadMarket[];
}

export interface MarketDirectory {
  /**
   * Reads the selected markets, each once, in the order of the selection. Logs and skips unreadable markets of a
   * filter.
   * @throws InputFault for an unknown id or slug, a final market, or a selection that matches nothing
   * @throws Fault VENUE for an unreadable market that is named; LINK, BLOCKED
   */
  select(selection: Selection, numbers?: SelectionNumbers): Promise<readonly MarketSetup[]>;
  /**
   * Reads the markets of an earlier run, with their numbers. Skips markets that the venue does not know.
   * @throws Fault LINK, BLOCKED
   */
  readKnown(markets: readonly MarketInfo[]): Promise<KnownMarkets>;
  /**
   * Reads the open markets by descending volume, then the other markets of `alsoIds` in any state. Logs and skips
   * unreadable markets.
   * @throws Fault LINK, BLOCKED
   */
  candidates(
    filter: Pick<MarketSelector, 'category' | 'topic'> & { readonly limit: number },
    alsoIds?: Iterable<string>,
  ): Promise<readonly MarketCandidate[]>;
  /** Returns whether a text is a market's id, not a slug. */
  isId(text: string): boolean;
}

export function unreadableMarketFault({ id, problem }: BadMarket): Fault {
  const text = `market ${id ?? 'without an id'} does not match the API contract: ${problem}`;
  const remedy = 'Run `npx halfspread doctor <config.yaml>` to compare the schemas, or leave the market out';
  return new Fault('VENUE', `${text}. ${remedy}`, { retryable: true });
}
