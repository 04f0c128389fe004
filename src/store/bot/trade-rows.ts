/** Trades of stored fills by the venue's id, as a start needs them to know one that comes again. */
import type { StoredTrade } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';

/** What is booked of a fill; cash alone where its market was not in the run. */
type FilledTrade = Extract<StoredTrade, { type: 'orderFilled' }>;
type CashTrade = Extract<StoredTrade, { type: 'cashAdjusted' }>;

const FILLS = `SELECT 'orderFilled' AS type, trade, order_no AS "order", market, outcome, side, price, shares, fee
  FROM fills WHERE trade IS NOT NULL ORDER BY id DESC LIMIT ?`;
const CASH = `SELECT 'cashAdjusted' AS type, trade, cash AS amount
  FROM adjustments WHERE trade IS NOT NULL ORDER BY id DESC LIMIT ?`;

/** The latest of each kind, oldest first. @param most of each */
export function storedTrades(connection: Connection, most: number): readonly StoredTrade[] {
  const fills = connection.prepare<[number], FilledTrade>(FILLS).all(most);
  const cash = connection.prepare<[number], CashTrade>(CASH).all(most);
  return [...cash.toReversed(), ...fills.toReversed()];
}
