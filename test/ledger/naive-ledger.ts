/**
 * The naive twin of the ledger for one market, in BigInt. It recomputes everything from the list of moves in exchange
 * order. `2 * cash + lots * mark` avoids half micro-USD.
 */
export type Move =
  | {
      readonly type: 'fill';
      readonly outcome: 'YES' | 'NO';
      readonly side: 'BUY' | 'SELL';
      readonly price: number;
      readonly lots: number;
      readonly fee: number;
    }
  | { readonly type: 'split' | 'merge'; readonly lots: number }
  | { readonly type: 'mark'; readonly mark: number }
  | { readonly type: 'reward'; readonly amount: number };

export interface NaiveState {
  readonly yes: bigint;
  readonly no: bigint;
  readonly cash: bigint;
  readonly netCash: bigint;
  readonly fees: bigint;
  readonly spread: bigint;
  readonly inventory: bigint;
  readonly rewards: bigint;
  /** Undefined before the first mark or fill. */
  readonly mark: bigint | undefined;
  /** 2 * cash + value at the mark. */
  readonly equity: bigint;
}

/** Computes the state after the moves of one market. No move may sell or merge more than the held shares. */
export function naiveState(moves: readonly Move[]): NaiveState {
  let [yes, no, netCash, fees, rewards, spread, inventory] = [0n, 0n, 0n, 0n, 0n, 0n, 0n];
  let mark: bigint | undefined;
  let isMarked = false;
  const setMark = (to: bigint): void => {
    if (mark !== undefined) inventory += (yes - no) * (to - mark);
    mark = to;
  };
  for (const move of moves) {
    if (move.type === 'mark') {
      setMark(BigInt(move.mark));
      isMarked = true;
    } else if (move.type === 'reward') rewards += BigInt(move.amount);
    else if (move.type === 'fill') {
      const [lots, price] = [BigInt(move.lots), BigInt(move.price)];
      const yesPrice = move.outcome === 'YES' ? price : 10_000n - price;
      if (!isMarked) setMark(2n * yesPrice);
      const buys = move.side === 'BUY' ? 1n : -1n;
      const sign = move.outcome === 'YES' ? buys : -buys;
      spread += sign * lots * ((mark ?? 0n) - 2n * yesPrice);
      if (move.outcome === 'YES') yes += buys * lots;
      else no += buys * lots;
      netCash -= buys * lots * price;
      fees += BigInt(move.fee);
    } else {
      const pairs = BigInt(move.type === 'split' ? move.lots : -move.lots);
      yes += pairs;
      no += pairs;
      netCash -= pairs * 10_000n;
    }
  }
  const cash = netCash - fees + rewards;
  const equity = 2n * cash + (yes - no) * (mark ?? 0n) + no * 20_000n;
  return { yes, no, cash, netCash, fees, spread, inventory, rewards, mark, equity };
}
