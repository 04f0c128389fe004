import { expect, it } from 'vitest';
import type { Page, PageRequest } from '../../../src/exchange/archive/archive.ts';
import type { FillRow } from '../../../src/exchange/index.ts';
import { createMakerPayments } from '../../../src/server/polymarket/payments.ts';
import type { PolymarketShared } from '../../../src/server/polymarket/shared.ts';

const DAY = '2026-11-20';
const BEGIN = Date.parse(DAY);
const DAY_MS = 86_400_000;

/** Answers `/rebates/current` for a maker with these fills. The taker of each fill paid $0.001. */
function rebatesAfter(fills: readonly Pick<FillRow, 'id' | 'seq' | 'at'>[]): Promise<readonly object[]> {
  const rows = fills.map((fill) => ({ ...fill, role: 'MAKER', market: 4 }) as FillRow);
  const deps: Partial<Record<keyof PolymarketShared, unknown>> = {
    accounts: { ownerAddress: (address: string) => address },
    contracts: { collateral: '0xc0' },
    markets: { rebateBps: 2_500, getMarket: () => ({ condition: '0xab' }) },
    queue: { view: { accountOf: () => 7 }, read: (query: () => unknown) => query() },
    registry: { load: () => [] },
    archive: {
      reversalSeqOf: () => undefined,
      fill: () => ({ fee: 1_000 }),
      fills(
        _account: number,
        _filter: object,
        _order: string,
        { maxRows, from = 0 }: PageRequest<number>,
      ): Page<FillRow> {
        const next = rows.filter(({ id }) => id > from);
        const hasNext = next.length > maxRows;
        return { rows: next.slice(0, maxRows), totalCount: rows.length, hasPrevious: from > 0, hasNext };
      },
    },
  };
  return createMakerPayments(deps as PolymarketShared).rebates({ date: DAY, maker_address: '0x07' });
}

it('the rebate of a day with 12,345 fills is a share of the fees of all of them', async () => {
  const fills = Array.from({ length: 12_345 }, (_, at) => ({ id: 2 * (at + 1), seq: at + 1, at: BEGIN + at }));
  const nextDay = { id: 50_000, seq: 25_000, at: BEGIN + DAY_MS };
  expect(await rebatesAfter([...fills, nextDay] as never)).toMatchObject([{ rebated_fees_usdc: '3.086250' }]);
});
