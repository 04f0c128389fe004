/** Parses one line of a Betfair Exchange Stream recording: JSON with decimals into integers. */
import { z } from 'zod';
import { type EpochMs, epochMs } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { LAST_TIME } from '../../tape/index.ts';
import { listSchema } from '../tape-manifest.ts';

/** Maximum number of entries per field. The CLASSIC ladder has 350 odds, but other odds are accepted. */
const MAX_ENTRIES = 2_000;
const MAX_RUNNERS = 1_000;
/** A message may have several changes of one runner, with different fields. */
const MAX_CHANGES = 4 * MAX_RUNNERS;
const MAX_MARKETS = 1_000;

export interface StreamMessage {
  readonly publishedAt: EpochMs;
  readonly changes: readonly MarketChange[];
}

/** Returns undefined for a line without a market change. @throws Error that names the invalid field */
export function parseMessage(line: string): StreamMessage | undefined {
  const json = z.looseObject({ op: z.string() }).parse(parseJson(line));
  if (json.op !== 'mcm') return undefined;
  const { pt: publishedAt, mc: changes } = MESSAGE.parse(json);
  return changes === undefined ? undefined : { publishedAt: epochMs(publishedAt), changes };
}

/** Returns the schema of a decimal with at most two places, which it converts to an exact integer of hundredths. */
function hundredths(kind: string, min: number, max: number) {
  return z.number().transform((value, context) => {
    const whole = Math.round(value * 100);
    if (whole / 100 === value && whole >= min && whole <= max) return whole;
    context.addIssue(`expected ${kind} from ${min / 100} to ${max / 100} with at most two decimals, got ${value}`);
    return z.NEVER;
  });
}

const ODDS = hundredths('odds', 101, 100_000);
// The limit keeps stake times odds an exact integer.
const STAKE = hundredths('a stake', 0, 10_000_000_000);
const TOTAL = hundredths('an amount', 0, 100_000_000_000_000);
const LEVEL = z.tuple([ODDS, STAKE]);
// An emptied position has odds 0.
const POSITION = z.tuple([z.int().min(0).max(100), hundredths('odds', 0, 100_000), STAKE]);
const ENTRIES = listSchema(LEVEL, MAX_ENTRIES).optional();
const POSITIONS = listSchema(POSITION, MAX_ENTRIES).optional();

/** `[odds, stake]` in hundredths and pence: the new stake of a level, or the total traded at these odds. */
export type OddsEntry = Readonly<z.output<typeof LEVEL>>;
/** `[position, odds, stake]`: the new n-th best level; stake 0 empties the position. */
export type PositionEntry = Readonly<z.output<typeof POSITION>>;

const RUNNER = z.object({
  id: z.int(),
  atb: ENTRIES,
  atl: ENTRIES,
  bdatb: POSITIONS,
  bdatl: POSITIONS,
  trd: listSchema(z.tuple([ODDS, TOTAL]), MAX_ENTRIES).optional(),
  /** Odds of the last trade. */
  ltp: ODDS.optional(),
  /** Total traded, pence. */
  tv: TOTAL.optional(),
});
/** Changes of one runner; a missing field is unchanged. */
export type RunnerChange = Readonly<z.output<typeof RUNNER>>;

const DEFINITION = z.object({
  status: z.enum(['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED']),
  inPlay: z.boolean(),
  /** Seconds. */
  betDelay: z.int().min(0).max(86_400),
  numberOfWinners: z.int().nonnegative(),
  /** Commission on net winnings, bps. */
  marketBaseRate: hundredths('percent', 0, 10_000),
  marketType: z.string(),
  bettingType: z.literal('ODDS', 'only markets with bettingType ODDS are YES/NO markets'),
  priceLadderDefinition: z
    .object({ type: z.literal('CLASSIC', 'only the CLASSIC ladder of odds can be read') })
    .optional(),
  // PLACED is not accepted: each-way markets have a third payout.
  runners: listSchema(
    z.object({
      id: z.int(),
      /** Position in the market's list of runners. */
      sortPriority: z.int(),
      status: z.enum(['ACTIVE', 'WINNER', 'LOSER', 'REMOVED', 'REMOVED_VACANT', 'HIDDEN']),
    }),
    MAX_RUNNERS,
  ),
});
export type MarketDefinition = Readonly<z.output<typeof DEFINITION>>;

const CHANGE = z.object({
  id: z.string().regex(/^\d+\.\d+$/),
  /** Image: the change replaces the state of the market. */
  img: z.boolean().optional(),
  /** Conflated: several changes in one, because the reader was slow. */
  con: z.boolean().optional(),
  marketDefinition: DEFINITION.optional(),
  rc: listSchema(RUNNER, MAX_CHANGES).optional(),
});
export type MarketChange = Readonly<z.output<typeof CHANGE>>;

const MESSAGE = z.object({
  pt: z.int().min(0).max(LAST_TIME),
  segmentType: z.never('messages in segments cannot be read: record without segmentation').optional(),
  mc: listSchema(CHANGE, MAX_MARKETS).optional(),
});
