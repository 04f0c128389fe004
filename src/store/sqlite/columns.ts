/** Columns of a venue's tables and their checksums. Converts rows of the tables to rows of the archive. */
import { unchecked } from '../../domain/index.ts';
import {
  type AccountRow,
  fromCode,
  type HoldingRow,
  type LedgerRow,
  ledgerKindOfCode,
  type MarketRow,
  marketStatusOfCode,
  ORDER_KINDS,
  type OrderRow,
  ROW,
  statisticsIn,
  timeInForceOfCode,
  toOrderProgress,
} from '../../exchange/index.ts';
import { decodeId, decodeText } from './column-values.ts';
import type { ChecksummedTables } from './row-checksums.ts';

const { order, progress, fill, entry, point, bucket, holding, account, market, reversal } = ROW;
const PROGRESS: readonly string[] = progress.numbers;

/** Numeric columns of an order that never change. */
export const ORDER_TERMS = order.numbers.filter((name) => name === 'no' || !PROGRESS.includes(name));

/** Tables of a venue's file. An order has two checksums, because a change writes only one part of its row. */
export const VENUE_CHECKSUMS = {
  orders: {
    key: ['no'],
    checksums: { terms_crc: [...ORDER_TERMS, 'id', 'client_id', 'id_key'], progress_crc: progress.numbers },
  },
  fills: { key: ['id'], checksums: { crc: fill.numbers } },
  ledger: { key: ['account', 'id'], checksums: { crc: entry.numbers } },
  price_points: { key: ['market', 'seq'], checksums: { crc: point.numbers } },
  price_buckets: { key: ['market', 'length', 'at'], checksums: { crc: bucket.numbers } },
  holdings: { key: ['account', 'market'], checksums: { crc: holding.numbers } },
  accounts: { key: ['account'], checksums: { crc: [...account.numbers, ...account.texts] } },
  markets: { key: ['market'], checksums: { crc: [...market.numbers, ...market.texts] } },
  reversals: { key: ['trade'], checksums: { crc: reversal.numbers } },
  registry: { key: ['name', 'key'], checksums: { crc: ['name', 'key', 'value'] } },
} as const satisfies ChecksummedTables;

type Checksums<Table extends keyof typeof VENUE_CHECKSUMS> = (typeof VENUE_CHECKSUMS)[Table]['checksums'];

/** A table's columns that have a checksum. All are numbers, except `Others`. */
type TableColumns<Table extends keyof typeof VENUE_CHECKSUMS, Others extends object = object> = Others & {
  readonly [Name in Exclude<
    Checksums<Table>[keyof Checksums<Table>] extends readonly (infer Column extends string)[] ? Column : never,
    keyof Others
  >]: number;
};

export type OrderColumns = TableColumns<
  'orders',
  { readonly id: Uint8Array | string; readonly client_id: string | null }
>;

export function toOrderRow(row: OrderColumns): OrderRow {
  return {
    ...toOrderProgress(row),
    ...fromCode(ORDER_KINDS, row.kind),
    order: row.no,
    id: decodeId(row.id),
    account: row.account,
    market: row.market,
    price: row.price,
    timeInForce: timeInForceOfCode(row.force),
    postOnly: row.post_only === 1,
    expiration: row.expiration === 0 ? 0 : unchecked.time(row.expiration),
    group: row.group_no,
    clientOrderId: row.client_id === null ? undefined : decodeText(row.client_id),
    seq: row.seq,
    createdAt: unchecked.time(row.created_at),
    updatedAt: unchecked.time(row.updated_at),
  };
}

export type EntryColumns = TableColumns<
  'ledger',
  { readonly market: number | null; readonly order_no: number | null; readonly fill: number | null }
>;

export function toLedgerRow(row: EntryColumns): LedgerRow {
  return {
    id: row.id,
    account: row.account,
    kind: ledgerKindOfCode(row.kind),
    amount: row.amount,
    market: row.market ?? undefined,
    order: row.order_no ?? undefined,
    fill: row.fill ?? undefined,
    at: unchecked.time(row.at),
  };
}

export type HoldingColumns = TableColumns<'holdings'>;

export function toHoldingRow(row: HoldingColumns): HoldingRow {
  const { account, market, yes_seq: yesSeq, no_seq: noSeq } = row;
  return { account, market, yesSeq, yesAt: unchecked.time(row.yes_at), noSeq, noAt: unchecked.time(row.no_at) };
}

export type AccountColumns = TableColumns<'accounts', { readonly address: string }>;

export function toAccountRow(row: AccountColumns): AccountRow {
  const { account, orders, fills, entries, last_event: lastEvent } = row;
  const [address, unlimited, openedAt] = [decodeText(row.address), row.unlimited === 1, unchecked.time(row.opened_at)];
  return { account, address, unlimited, openedAt, orders, fills, entries, lastEvent };
}

export type MarketColumns = TableColumns<
  'markets',
  { readonly id: string; readonly slug: string; readonly question: string }
>;

export function toMarketRow(row: MarketColumns): MarketRow {
  return {
    market: row.market,
    volume: row.volume,
    statistics: statisticsIn(row),
    id: decodeText(row.id),
    slug: decodeText(row.slug),
    question: decodeText(row.question),
    status: marketStatusOfCode(row.status),
    createdAt: unchecked.time(row.created_at),
    updatedAt: unchecked.time(row.updated_at),
  };
}
