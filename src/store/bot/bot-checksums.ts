import type { SummedTables } from '../sqlite/row-checksums.ts';

/**
 * Columns with checksums (see `row-checksums.ts`). Steps and snapshots have a CRC-32 of their bytes. The bytes of a step also
 * contain its key and time.
 */
export const BOT_CHECKSUMS = {
  // The long configuration changes rarely, so it has its own checksum. The rest changes with every transaction.
  bot: {
    key: ['id'],
    sums: {
      claim_crc: ['id', 'name', 'spec', 'log_salt'],
      recovery_crc: ['recovery', 'id'],
      crc: ['last_seq', 'cursor', 'epoch', 'risk', 'folded', 'id'],
    },
  },
  snapshots: { key: ['seq'], sums: { row_crc: ['seq', 'at', 'crc'] } },
  signed: {
    key: ['order_no'],
    sums: { crc: ['order_no', 'market', 'market_id', 'hash', 'signed_at', 'epoch', 'wire', 'command'] },
  },
  orders: {
    key: ['order_no'],
    sums: {
      // biome-ignore format: in the order of the table
      terms_crc: [
        'order_no', 'bot', 'market', 'outcome', 'side', 'price', 'shares', 'force', 'post_only', 'expiration', 'sent_at',
      ],
      progress_crc: ['filled', 'remaining', 'status', 'reason', 'updated_at', 'order_no'],
    },
  },
  order_tags: { key: ['order_no'], sums: { crc: ['order_no', 'tag'] } },
  fills: {
    key: ['id'],
    sums: {
      // biome-ignore format: in the order of the table
      crc: [
        'id', 'seq', 'order_no', 'market', 'outcome', 'side', 'price', 'shares', 'fee', 'liquidity', 'tag', 'at', 'venue_at',
        'trade',
      ],
    },
  },
  positions: {
    key: ['market'],
    sums: { crc: ['market', 'yes', 'no', 'yes_cost', 'no_cost', 'realized', 'net_cash', 'fees', 'updated_at'] },
  },
  balance: { key: ['id'], sums: { crc: ['id', 'cash', 'contributed', 'external', 'unexplained', 'updated_at'] } },
  adjustments: {
    key: ['id'],
    sums: { crc: ['id', 'seq', 'at', 'market', 'cash', 'yes', 'no', 'yes_cost', 'no_cost', 'trade'] },
  },
  reversals: {
    key: ['id'],
    sums: {
      // biome-ignore format: in the order of the table
      crc: [
        'id', 'seq', 'order_no', 'market', 'trade', 'outcome', 'side', 'price', 'shares', 'fee', 'at', 'venue_at',
      ],
    },
  },
  payments: { key: ['id'], sums: { crc: ['id', 'seq', 'at', 'cause', 'market', 'day', 'cash'] } },
  markets: { key: ['market'], sums: { crc: ['market', 'id', 'slug', 'question'] } },
  pruned: {
    key: ['day', 'market', 'outcome', 'side', 'liquidity'],
    sums: { crc: ['day', 'market', 'outcome', 'side', 'liquidity', 'fills', 'shares', 'amount', 'fees'] },
  },
  gaps: {
    key: ['id'],
    sums: { crc: ['id', 'cause', 'from_at', 'acknowledged_at', 'commits', 'entries', 'closed_at'] },
  },
} as const satisfies SummedTables;
