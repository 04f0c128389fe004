import { z } from 'zod';
import { FileFault, withReadFault } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import type { ComparedResult } from './compare-runs.ts';

const MAX_BYTES = 268_435_456;
const int = z.int();

/** The fields that a comparison reads. A result may have more fields. */
const runResultSchema = z.object({
  strategy: z.string(),
  tape: z.object({ name: z.string(), sha256: z.string(), events: int, from: z.string(), to: z.string() }),
  fills: z.object({ count: int, maker: int, taker: int, shares: int }),
  pnl: z.object({
    totalMicros: int,
    realizedMicros: int,
    unrealizedMicros: int,
    feesMicros: int,
    // Missing in older results.
    commissionMicros: int.default(0),
    settlementMicros: int,
  }),
  split: z.object({
    spreadMicros: int,
    inventoryMicros: int,
    settlementMicros: int,
    feesMicros: int,
    rewardsMicros: int,
    roundingMicros: int,
  }),
  markouts: z.custom<ComparedResult['markouts']>((value) => typeof value === 'object' && value !== null),
  maxDrawdownMicros: int,
  maxInventoryShares: int,
  markets: z.array(
    z.object({
      slug: z.string(),
      payout: z.union([int, z.literal('CANCELLED'), z.null()]),
      fills: int,
      ownShares: int,
      recordedShares: int,
      pnlMicros: int,
      maxInventoryShares: int,
    }),
  ),
});

/** Reads a result that `backtest --json` wrote. @throws FileFault that names the wrong field */
export function readResult(path: string): ComparedResult {
  const remedy = 'Name a file that `npx halfspread backtest <config> --json` wrote';
  const bytes = withReadFault(path, remedy, () => readFileAtMost(path, MAX_BYTES, 'the result of a backtest'));
  let json: unknown;
  try {
    json = parseJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new FileFault(path, undefined, 'this is not JSON', remedy, { cause });
  }
  const { data, error } = runResultSchema.safeParse(json);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new FileFault(path, issue?.path.join('.'), `this is not the result of a backtest (${issue?.message})`, remedy);
}
