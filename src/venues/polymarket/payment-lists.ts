/** Reads the maker rebates and rewards that the venue lists for an account (docs/spec/polymarket.md#fees). */
import { type EpochMs, formatDay, type MakerPaid } from '../../domain/index.ts';
import {
  type PolymarketPaymentRecord,
  readPolymarketRebate,
  readPolymarketReward,
} from '../../protocol/polymarket/index.ts';
import { listFault, readList, readRow } from './account-poller.ts';
import type { PolymarketDeps } from './deps.ts';
import { toFault } from './rest-client.ts';

/** Part of a rebate or reward that one market earned on one day. */
export interface ListedPayment {
  readonly cause: MakerPaid['cause'];
  readonly day: EpochMs;
  readonly condition: string;
  /** Micro-USD, above 0. */
  readonly amount: number;
}

export interface PaidAccount {
  /** Maker address of the account's orders, lower case. */
  readonly maker: string;
  readonly signatureType: number;
}

const MAX_ROWS = 20_000;

/** Reads a day's payments, an entry per cause and market. @throws Fault LINK, VENUE; as `RestClient.read` */
export async function readListedPayments(
  deps: Pick<PolymarketDeps, 'rest' | 'clock'>,
  { maker, signatureType }: PaidAccount,
  day: EpochMs,
): Promise<readonly ListedPayment[]> {
  const date = formatDay(day);
  const outcome = await deps.rest.sendPublic({ path: '/rebates/current', query: { date, maker_address: maker } });
  if (outcome.type !== 'done') throw toFault('/rebates/current', outcome);
  const { json } = outcome;
  if (!Array.isArray(json) || json.length > MAX_ROWS) throw listFault('/rebates/current', 'no list of rebates');
  const rebates = json.map((row) => readRow('/rebates/current', row, readPolymarketRebate));
  const query = { date, signature_type: String(signatureType) };
  const rewards = await readList(deps, '/rewards/user', query, readPolymarketReward);
  const expected = { date, maker };
  return [...sumByMarket('rebate', day, rebates, expected), ...sumByMarket('reward', day, rewards, expected)];
}

/** Sums rows by market. @throws Fault VENUE for a row of another day or account, or a duplicate */
function sumByMarket(
  cause: MakerPaid['cause'],
  day: EpochMs,
  rows: readonly PolymarketPaymentRecord[],
  { date, maker }: { readonly date: string; readonly maker: string },
): readonly ListedPayment[] {
  const sums = new Map<string, number>();
  const seen = new Set<string>();
  for (const row of rows) {
    const key = `${row.market} ${row.asset}`;
    const problem = `duplicate row, or row of ${row.date} and ${row.maker} for ${date} and ${maker}`;
    if (row.date !== date || row.maker !== maker || seen.has(key)) throw listFault(`of ${cause}s`, problem);
    seen.add(key);
    sums.set(row.market, (sums.get(row.market) ?? 0) + row.amount);
  }
  return [...sums].flatMap(([condition, amount]) => (amount === 0 ? [] : [{ cause, day, condition, amount }]));
}
