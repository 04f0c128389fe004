/** Lookups in the rows of one message. HOT: called for prints of the recording bot and levels that own orders touch. */
import { type Block, FLAG, KIND } from '../../tape/index.ts';

/** Returns whether the message's next row is a print of the recording bot's fill, with the same market and side. */
export function isOwnPrintNext({ market, kind, side, flags }: Block, row: number): boolean {
  const next = row + 1;
  if ((flags[row]! & FLAG.last) !== 0 || kind[next] !== KIND.trade || (flags[next]! & FLAG.own) === 0) return false;
  return market[next] === market[row] && side[next] === side[row];
}

/** Returns the size ahead of the order that a level row removes or reduces; Infinity without an `ahead` row. */
export function aheadShares({ kind, shares }: Block, row: number): number {
  return kind[row - 1] === KIND.ahead ? shares[row - 1]! : Number.POSITIVE_INFINITY;
}

/** Returns the last row of a message that sets a level, or -1. */
export function findLastLevelRow(
  block: Block,
  from: number,
  to: number,
  market: number,
  side: number,
  price: number,
): number {
  for (let row = to - 1; row >= from; row -= 1) {
    const { kind } = block;
    if (kind[row] !== KIND.level || block.price[row] !== price) continue;
    if (block.side[row] === side && block.market[row] === market) return row;
  }
  return -1;
}
