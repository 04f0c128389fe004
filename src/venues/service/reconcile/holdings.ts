/** Compares the account at the venue with the core's state. */
import {
  isFinal,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  unchecked,
  ZERO_SHARES,
  ZERO_USD,
} from '../../../domain/index.ts';
import { readPages } from '../../../network/index.ts';
import { OPERATIONS, parseInteger, parseMicroShares, parseSafeUint } from '../../../protocol/index.ts';
import type { AccountView } from '../../../state/index.ts';
import { marketNumber } from '../../base/index.ts';
import type { ReportedConversion } from '../orders/conversion-sender.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { readPayload } from '../orders/requests.ts';

interface HeldPosition {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
}

/** The account at the venue, without markets that are final or not in this run. */
export interface Holdings {
  /** Includes reserves. */
  readonly cash: MicroUsd;
  readonly markets: ReadonlyMap<MarketNo, HeldPosition>;
  readonly finalMarkets: ReadonlySet<MarketNo>;
}

export type Difference =
  | { readonly type: 'cash'; readonly core: MicroUsd; readonly venue: MicroUsd }
  | { readonly type: 'holding'; readonly market: MarketNo; readonly core: HeldPosition; readonly venue: HeldPosition };

const NO_POSITION: HeldPosition = { yes: ZERO_SHARES, no: ZERO_SHARES, yesCost: ZERO_USD, noCost: ZERO_USD };

/** @throws Fault as `readPayload` */
export async function readHoldings(deps: ExecutionDeps): Promise<Holdings> {
  const positions = await readPages('positions', (page) =>
    readPayload(deps, OPERATIONS.positions, { input: { ...page, openOnly: false } }),
  );
  const balance = await readPayload(deps, OPERATIONS.balance, {});
  const markets = new Map<MarketNo, HeldPosition>();
  const finalMarkets = new Set<MarketNo>();
  for (const { marketId, outcome, shares, amountMicros, market: venueMarket } of positions) {
    const market = marketNumber(deps.view, marketId);
    if (market === undefined) continue;
    if (isFinal(venueMarket.status)) {
      finalMarkets.add(market);
      continue;
    }
    const held = markets.get(market) ?? NO_POSITION;
    const heldShares = parseMicroShares('position.shares', shares);
    const cost = unchecked.usd(parseSafeUint('position.amountMicros', amountMicros));
    if (outcome === 'YES') markets.set(market, { ...held, yes: heldShares, yesCost: cost });
    else if (outcome === 'NO') markets.set(market, { ...held, no: heldShares, noCost: cost });
  }
  const cash =
    parseSafeUint('balance.availableMicros', balance.availableMicros) +
    parseSafeUint('balance.reservedMicros', balance.reservedMicros);
  return { cash: unchecked.usd(cash), markets, finalMarkets };
}

export function findDifferences(view: AccountView, { cash, markets, finalMarkets }: Holdings): readonly Difference[] {
  const differences: Difference[] = [];
  for (const { info, position, state } of view.markets) {
    const { market } = info;
    if (finalMarkets.has(market) || isFinal(state.status)) continue;
    const venue = markets.get(market) ?? NO_POSITION;
    const { yes, no, yesCost, noCost } = position;
    if (yes !== venue.yes || no !== venue.no)
      differences.push({ type: 'holding', market, core: { yes, no, yesCost, noCost }, venue });
  }
  if (view.cash !== cash) differences.push({ type: 'cash', core: view.cash, venue: cash });
  return differences;
}

/** A movement of cash that no order explains. */
export interface Movement {
  readonly kind: string;
  readonly market: MarketNo | undefined;
  readonly amount: MicroUsd;
}

const MOVEMENT_KINDS = ['DEPOSIT', 'WITHDRAWAL', 'SPLIT', 'MERGE', 'CLAIM', 'REFUND', 'REBATE', 'ADJUSTMENT'] as const;
const MAX_MOVEMENTS = 100;

/** Reads the latest movements of cash that no order explains, newest first. @throws Fault as `readPayload` */
export async function readMovements(deps: ExecutionDeps, since: string): Promise<readonly Movement[]> {
  const input = { kinds: MOVEMENT_KINDS, since, first: MAX_MOVEMENTS };
  const { edges } = await readPayload(deps, OPERATIONS.ledger, { input });
  return edges.map(({ node }) => ({
    kind: node.kind,
    market: node.marketId === null ? undefined : marketNumber(deps.view, node.marketId),
    amount: unchecked.usd(Number(parseInteger('ledger.amountMicros', node.amountMicros))),
  }));
}

/** Removes the movements of reported conversions. A claim may have several movements. */
export function withoutReported(
  movements: readonly Movement[],
  reported: readonly ReportedConversion[],
): readonly Movement[] {
  let remaining: readonly Movement[] = movements;
  for (const { kinds, market, amount } of reported.toReversed()) {
    const matches = (each: Movement): boolean => each.market === market && kinds.includes(each.kind);
    const exact = remaining.find((each) => matches(each) && each.amount === amount);
    if (exact !== undefined) remaining = remaining.filter((each) => each !== exact);
    else if (amount === remaining.filter(matches).reduce((sum, each) => sum + each.amount, 0))
      remaining = remaining.filter((each) => !matches(each));
  }
  return remaining;
}

/**
 * Returns whether the newest movements explain the differences. They do if, for some n, the sums of the newest n
 * movements equal the differences of cash and of pairs.
 */
export function areExplained(differences: readonly Difference[], movements: readonly Movement[]): boolean {
  const excess = computeExcess(differences);
  if (excess === undefined) return false;
  let cash = 0;
  const pairs = new Map<MarketNo, number>();
  for (const { kind, market, amount } of movements) {
    cash += amount;
    if (market !== undefined && (kind === 'SPLIT' || kind === 'MERGE'))
      pairs.set(market, (pairs.get(market) ?? 0) - amount);
    if (cash === excess.cash && isSame(pairs, excess.pairs)) return true;
  }
  return false;
}

/** Returns the venue's excess of cash and pairs; undefined if YES and NO of a market differ by different amounts. */
function computeExcess(differences: readonly Difference[]) {
  let cash = 0;
  const pairs = new Map<MarketNo, number>();
  for (const each of differences) {
    if (each.type === 'cash') cash = each.venue - each.core;
    else {
      const [yes, no] = [each.venue.yes - each.core.yes, each.venue.no - each.core.no];
      if (yes !== no) return undefined;
      pairs.set(each.market, yes);
    }
  }
  return { cash, pairs };
}

/** Compares amounts by market. A missing amount is 0. */
function isSame(first: ReadonlyMap<MarketNo, number>, second: ReadonlyMap<MarketNo, number>): boolean {
  const markets = [...first.keys(), ...second.keys()];
  return markets.every((market) => (first.get(market) ?? 0) === (second.get(market) ?? 0));
}
