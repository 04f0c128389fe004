/** The markets that a venue has: which a bot may choose, and those of its earlier runs. */
import { Fault, type MarketInfo, type MarketNo, type MarketStatus } from '../../domain/index.ts';
import type { MarketCandidate } from '../../runtime/index.ts';
import type { Selected } from './ports.ts';

/** A choice by filter; all that is given must hold. */
export interface MarketSelector {
  readonly category?: string;
  readonly topic?: string;
  readonly search?: string;
  readonly status?: MarketStatus;
  /** Largest number of markets, those with the most volume first. Default 200. */
  readonly limit?: number;
}

/** Markets by id, by slug and by filter, together; each once, in that order. */
export interface Selection {
  /** Ids of ours, and what the venue itself calls its markets. */
  readonly ids?: readonly string[];
  readonly slugs?: readonly string[];
  readonly filter?: MarketSelector;
}

/** Numbers count on from `first`, but for markets that are known by another one. */
export interface SelectionNumbers {
  /** Default 0. */
  readonly first?: MarketNo;
  /** By id. */
  readonly known?: ReadonlyMap<string, MarketNo>;
}

/** A market that cannot be read. */
export interface BadMarket {
  /** Undefined where that cannot be read either. */
  readonly id: string | undefined;
  readonly problem: string;
}

export interface KnownMarkets {
  readonly found: readonly Selected[];
  readonly bad: readonly BadMarket[];
}

export interface MarketDirectory {
  /**
   * Reads the markets that are chosen, in the order of the choice, each once. What a filter finds and cannot be read is
   * left out, and logged.
   * @throws InputFault for an id or slug that the venue does not know, a market that is final, or a choice of nothing
   * @throws Fault VENUE for a market that is named and cannot be read; LINK, BLOCKED
   */
  select(selection: Selection, numbers?: SelectionNumbers): Promise<readonly Selected[]>;
  /**
   * Markets of an earlier run, with the numbers that they had. What the venue does not know is left out.
   * @throws Fault LINK, BLOCKED
   */
  known(markets: readonly MarketInfo[]): Promise<KnownMarkets>;
  /**
   * Open markets, those with the most volume first, then those of `alsoIds` that are not among them, in whatever state.
   * What cannot be read is left out.
   * @throws Fault LINK, BLOCKED
   */
  candidates(
    filter: Pick<MarketSelector, 'category' | 'topic'> & { readonly limit: number },
    alsoIds?: Iterable<string>,
  ): Promise<readonly MarketCandidate[]>;
  /** Whether a text is an id of a market (as against a slug). */
  isId(text: string): boolean;
}

/** The fault of a market that is needed. */
export function unreadable({ id, problem }: BadMarket): Fault {
  return new Fault(
    'VENUE',
    `market ${id ?? 'without an id'} is not as the contract has it: ${problem}. Run \`npx halfspread doctor <config.yaml>\` to compare the schemas, or leave the market out`,
    { retryable: true },
  );
}
