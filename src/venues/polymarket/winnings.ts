/** Computes the payouts of ended markets, and detects the payouts that a person has redeemed. */
import {
  addUsd,
  costAt,
  Fault,
  FULL_BPS,
  LOT,
  type MarketNo,
  type MarketStatus,
  type MicroUsd,
  type Outcome,
  unchecked,
  ZERO_USD,
} from '../../domain/index.ts';
import type { MarketView } from '../../state/index.ts';
import type { Balances } from './balances.ts';
import type { PolymarketDeps } from './deps.ts';

export interface Redeemed {
  /** Micro-USD at the venue. */
  readonly cash: number;
  /** Markets whose winning tokens are all redeemed. */
  readonly redeemed: readonly MarketNo[];
  /** Remaining micro-shares in markets that were redeemed in part. */
  readonly partlyRedeemed: ReadonlyMap<MarketNo, TokensLeft>;
}

type TokensLeft = Readonly<Record<Outcome, number>>;

const PAYOUTS: Readonly<Partial<Record<MarketStatus, number>>> = {
  RESOLVED_YES: FULL_BPS,
  RESOLVED_NO: 0,
  RESOLVED_UNCERTAIN: FULL_BPS / 2,
};
const MAX_READINGS = 5;

/** Computes the payout for redeeming the holdings of a market; 0 before its end. */
export function computeWinnings({ position: { yes, no }, state }: MarketView): MicroUsd {
  const yesPrice = PAYOUTS[state.status];
  if (yesPrice === undefined) return ZERO_USD;
  return addUsd(costAt(yes, unchecked.price(yesPrice)), costAt(no, unchecked.price(FULL_BPS - yesPrice)));
}

/**
 * Reads which of the markets with winnings were redeemed, and the cash at the same time.
 * @throws Fault VENUE if the balances keep changing; the faults of `RestClient.read`
 */
export async function readRedeemed(
  won: readonly MarketView[],
  deps: Pick<PolymarketDeps, 'view' | 'markets'>,
  balances: Balances,
): Promise<Redeemed> {
  let cash = await balances.refreshAndRead();
  for (let count = 0; count < MAX_READINGS; count += 1) {
    const redeemed: MarketNo[] = [];
    const partlyRedeemed = new Map<MarketNo, TokensLeft>();
    for (const each of won) {
      const { market } = each.info;
      const left = await readTokensLeft(each, cash, deps, balances);
      const { yes, no } = each.position;
      if (left === undefined) redeemed.push(market);
      else if (yes - left.YES >= LOT || no - left.NO >= LOT) partlyRedeemed.set(market, left);
    }
    const current = await balances.refreshAndRead();
    if (current === cash) return { cash, redeemed, partlyRedeemed };
    cash = current;
  }
  throw new Fault('VENUE', 'the balances at Polymarket keep changing', { retryable: true });
}

/**
 * Reads the remaining tokens; undefined if all winning tokens are redeemed.
 * @param cash the venue's cash. The tokens of an unlisted market are unknown, so only the cash shows their redemption.
 */
async function readTokensLeft(
  won: MarketView,
  cash: number,
  { view, markets }: Pick<PolymarketDeps, 'view' | 'markets'>,
  balances: Balances,
): Promise<TokensLeft | undefined> {
  const { info, state, position } = won;
  const held = { YES: position.yes, NO: position.no };
  const known = markets.find(info.id);
  if (known === undefined) return cash - view.cash === computeWinnings(won) ? undefined : held;
  const [yes, no] = known.tokens;
  const hasWon = { YES: state.status !== 'RESOLVED_NO', NO: state.status !== 'RESOLVED_YES' };
  const left = {
    YES: hasWon.YES ? await balances.refreshAndRead(yes) : held.YES,
    NO: hasWon.NO ? await balances.refreshAndRead(no) : held.NO,
  };
  return (hasWon.YES ? left.YES : 0) + (hasWon.NO ? left.NO : 0) < LOT ? undefined : left;
}
