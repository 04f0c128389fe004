/** Tables of a venue's file, by the columns of its rows. */
import { ROW } from '../../exchange/index.ts';
import type { SummedTables } from './row-checksums.ts';

const { order, progress, fill, entry, point, bucket, holding, account, market, reversal } = ROW;
const PROGRESS: readonly string[] = progress.numbers;

/** Numbers of an order that never change. */
export const ORDER_TERMS = order.numbers.filter((name) => name === 'no' || !PROGRESS.includes(name));

/** Tables of a venue's file. An order has two checksums, as a change writes only one part of its row. */
export const VENUE_CHECKSUMS = {
  orders: {
    key: ['no'],
    sums: { terms_crc: [...ORDER_TERMS, 'id', 'client_id', 'id_key'], progress_crc: progress.numbers },
  },
  fills: { key: ['id'], sums: { crc: fill.numbers } },
  ledger: { key: ['account', 'id'], sums: { crc: entry.numbers } },
  price_points: { key: ['market', 'seq'], sums: { crc: point.numbers } },
  price_buckets: { key: ['market', 'length', 'at'], sums: { crc: bucket.numbers } },
  holdings: { key: ['account', 'market'], sums: { crc: holding.numbers } },
  accounts: { key: ['account'], sums: { crc: [...account.numbers, ...account.texts] } },
  markets: { key: ['market'], sums: { crc: [...market.numbers, ...market.texts] } },
  reversals: { key: ['trade'], sums: { crc: reversal.numbers } },
  registry: { key: ['name', 'key'], sums: { crc: ['name', 'key', 'value'] } },
} as const satisfies SummedTables;
