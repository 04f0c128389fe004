/** Trades of stored fills by the venue's id, as a start needs them to know one that comes again. */
import type { StoredTrade } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import type { StoredRow } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';

/** What is booked of a fill; cash alone where its market was not in the run. */
type FilledTrade = Extract<StoredTrade, { type: 'orderFilled' }>;
type CashTrade = Extract<StoredTrade, { type: 'cashAdjusted' }>;

type FillColumns = StoredRow & Omit<FilledTrade, 'type' | 'order'> & { readonly order_no: FilledTrade['order'] };
type CashColumns = StoredRow & Pick<CashTrade, 'trade'> & { readonly cash: CashTrade['amount'] };

/**
 * The latest of each kind, oldest first. @param most of each
 * @throws FileFault when a row is not as it was written
 */
export function storedTrades(connection: Connection, reads: DatabaseReads, most: number): readonly StoredTrade[] {
  const latest = <Columns>(table: string) =>
    connection.prepare<[number], Columns>(`SELECT * FROM ${table} WHERE trade IS NOT NULL ORDER BY id DESC LIMIT ?`);
  const fill = reads.rows('fills', BOT_CHECKSUMS.fills, (row: FillColumns): FilledTrade => {
    const { trade, order_no: order, market, outcome, side, price, shares, fee } = row;
    return { type: 'orderFilled', trade, order, market, outcome, side, price, shares, fee };
  });
  const cash = reads.rows('adjustments', BOT_CHECKSUMS.adjustments, (row: CashColumns): CashTrade => {
    return { type: 'cashAdjusted', trade: row.trade, amount: row.cash };
  });
  return [
    ...latest<CashColumns>('adjustments').all(most).map(cash).toReversed(),
    ...latest<FillColumns>('fills').all(most).map(fill).toReversed(),
  ];
}
