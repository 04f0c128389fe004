/** Converts rows of the tables to rows of the archive. */
import { unchecked } from '../../domain/index.ts';
import {
  type AccountRow,
  forceOfCode,
  type HoldingRow,
  type LedgerRow,
  ledgerKindOf,
  type MarketRow,
  marketStatusOf,
  ORDER_KINDS,
  type OrderRow,
  progressOf,
  statisticsIn,
  valueOfCode,
} from '../../exchange/index.ts';
import { idText, textOf } from './column-values.ts';
import type { VENUE_CHECKSUMS } from './venue-checksums.ts';

type Sums<Table extends keyof typeof VENUE_CHECKSUMS> = (typeof VENUE_CHECKSUMS)[Table]['sums'];

/** Columns of a table that are under a checksum: `Others`, and numbers. */
type TableColumns<Table extends keyof typeof VENUE_CHECKSUMS, Others extends object = object> = Others & {
  readonly [Name in Exclude<
    Sums<Table>[keyof Sums<Table>] extends readonly (infer Column extends string)[] ? Column : never,
    keyof Others
  >]: number;
};

export type OrderColumns = TableColumns<
  'orders',
  { readonly id: Uint8Array | string; readonly client_id: string | null }
>;

export function orderRow(of: OrderColumns): OrderRow {
  return {
    ...progressOf(of.shares, of.filled, of.amount, of.fee, of),
    ...valueOfCode(ORDER_KINDS, of.kind),
    order: of.no,
    id: idText(of.id),
    account: of.account,
    market: of.market,
    price: of.price,
    timeInForce: forceOfCode(of.force),
    postOnly: of.post_only === 1,
    expiration: of.expiration === 0 ? 0 : unchecked.time(of.expiration),
    group: of.group_no,
    clientOrderId: of.client_id === null ? undefined : textOf(of.client_id),
    seq: of.seq,
    createdAt: unchecked.time(of.created_at),
    updatedAt: unchecked.time(of.updated_at),
  };
}

export type EntryColumns = TableColumns<
  'ledger',
  { readonly market: number | null; readonly order_no: number | null; readonly fill: number | null }
>;

/** Converts columns of `ledger`, which has the movements of cash, to a row. */
export function ledgerRow(of: EntryColumns): LedgerRow {
  return {
    id: of.id,
    account: of.account,
    kind: ledgerKindOf(of.kind),
    amount: of.amount,
    market: of.market ?? undefined,
    order: of.order_no ?? undefined,
    fill: of.fill ?? undefined,
    at: unchecked.time(of.at),
  };
}

export type HoldingColumns = TableColumns<'holdings'>;

/** Converts columns of `holdings`, the times at which the two positions last changed, to a row. */
export function holdingRow(of: HoldingColumns): HoldingRow {
  const { account, market, yes_seq: yesSeq, no_seq: noSeq } = of;
  return { account, market, yesSeq, yesAt: unchecked.time(of.yes_at), noSeq, noAt: unchecked.time(of.no_at) };
}

export type AccountColumns = TableColumns<'accounts', { readonly address: string }>;

export function accountRow(of: AccountColumns): AccountRow {
  const { account, orders, fills, entries, last_event: lastEvent } = of;
  const [address, unlimited, openedAt] = [textOf(of.address), of.unlimited === 1, unchecked.time(of.opened_at)];
  return { account, address, unlimited, openedAt, orders, fills, entries, lastEvent };
}

export type MarketColumns = TableColumns<
  'markets',
  { readonly id: string; readonly slug: string; readonly question: string }
>;

export function marketRow(of: MarketColumns): MarketRow {
  return {
    market: of.market,
    volume: of.volume,
    statistics: statisticsIn(of),
    id: textOf(of.id),
    slug: textOf(of.slug),
    question: textOf(of.question),
    status: marketStatusOf(of.status),
    createdAt: unchecked.time(of.created_at),
    updatedAt: unchecked.time(of.updated_at),
  };
}
