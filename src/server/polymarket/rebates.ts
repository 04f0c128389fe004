/** Maker rebates of a day (docs/spec/polymarket.md#fees), from the fills of the exchange. */
import { column, FULL_BPS, type MicroUsd, mulDivFloor, parseTime } from '../../domain/index.ts';
import type { Archive, FillRow } from '../../exchange/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { PolymarketAccounts } from './accounts.ts';
import { badRequest } from './fault.ts';
import type { PolymarketMarkets } from './markets.ts';

export interface RebatesDeps {
  readonly queue: CommandQueue;
  readonly archive: Archive;
  readonly markets: PolymarketMarkets;
  readonly accounts: Pick<PolymarketAccounts, 'addressOf'>;
  /** Contract of the dollars. */
  readonly asset: string;
}

const DAY_MS = 86_400_000;
/** Fills of an account that are looked at for one day: requests come from anybody. */
const MOST_FILLS = 5_000;
/** Less is not paid. */
const LEAST = column.usd(1_000_000);

/**
 * What a maker gets for a day, by market: the part of the taker fees that its own fills brought. A fee falls on a fill as
 * a whole, so the share of a maker in the fees of a market is the fees of its fills. Reversed trades bring nothing.
 * @throws PolymarketRefusal for an invalid date
 */
export function rebatesOf(
  { date = '', maker_address: maker = '' }: Readonly<Record<string, string | undefined>>,
  { queue, archive, markets, accounts, asset }: RebatesDeps,
): readonly object[] {
  const begin = beginOf(date);
  const account = queue.view.accountOf(accounts.addressOf(maker.toLowerCase()));
  if (account === 0 || markets.rebateBps === 0) return [];
  const { rows } = archive.fills(account, { since: column.time(begin) }, 'oldest', {
    take: MOST_FILLS,
    direction: 'forward',
    from: undefined,
  });
  const fees = new Map<number, number>();
  for (const fill of rows) {
    if (fill.at >= begin + DAY_MS) break;
    const fee = feeBroughtBy(fill, archive);
    if (fee > 0) fees.set(fill.market, (fees.get(fill.market) ?? 0) + fee);
  }
  const rebates = [...fees].map(([market, fee]) => ({ market, rebate: mulDivFloor(fee, markets.rebateBps, FULL_BPS) }));
  if (rebates.reduce((sum, { rebate }) => sum + rebate, 0) < LEAST) return [];
  return rebates.map(({ market, rebate }) => ({
    date,
    condition_id: markets.ofNo(market).condition,
    asset_address: asset,
    maker_address: maker,
    rebated_fees_usdc: dollarsText(column.usd(rebate)),
  }));
}

/** The taker's fee of a fill in which the account was the maker. */
function feeBroughtBy({ role, seq }: FillRow, archive: Archive): number {
  if (role !== 'MAKER' || archive.reversalOf(seq) !== undefined) return 0;
  return archive.fill(2 * seq + 1)?.fee ?? 0;
}

function beginOf(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw badRequest('invalid date');
  try {
    return parseTime('date', `${date}T00:00:00Z`);
  } catch {
    throw badRequest('invalid date');
  }
}

/** Six decimals. */
function dollarsText(amount: MicroUsd): string {
  const digits = String(amount).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
