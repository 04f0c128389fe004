/** One line of a Betfair Exchange Stream recording: JSON in, integers out. Nothing of what follows sees a decimal. */
import { z } from 'zod';
import { type EpochMs, epochMs } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { LAST_TIME } from '../../tape/index.ts';
import { listOf } from '../tape-manifest.ts';

/** Odds of the CLASSIC ladder are 350; others are kept, off the tape's grid. */
const MAX_ENTRIES = 2_000;
const MAX_RUNNERS = 1_000;
/** A runner may come more than once in a message, with other fields. */
const MAX_CHANGES = 4 * MAX_RUNNERS;
const MAX_MARKETS = 1_000;

export interface StreamMessage {
  readonly publishedAt: EpochMs;
  readonly changes: readonly MarketChange[];
}

/** Undefined for lines without a market change. @throws Error that names the field and what it should be */
export function parseMessage(line: string): StreamMessage | undefined {
  const json = z.looseObject({ op: z.string() }).parse(parseJson(line));
  if (json.op !== 'mcm') return undefined;
  const { pt, mc } = MESSAGE.parse(json);
  return mc === undefined ? undefined : { publishedAt: epochMs(pt), changes: mc };
}

/** A decimal of at most two places as an exact integer of hundredths. */
function hundredths(what: string, least: number, most: number) {
  return z.number().transform((value, context) => {
    const whole = Math.round(value * 100);
    if (whole / 100 === value && whole >= least && whole <= most) return whole;
    context.addIssue(`expected ${what} from ${least / 100} to ${most / 100} with at most two decimals, got ${value}`);
    return z.NEVER;
  });
}

const ODDS = hundredths('odds', 101, 100_000);
// A stake times its odds stays an exact integer.
const STAKE = hundredths('a stake', 0, 10_000_000_000);
const TOTAL = hundredths('an amount', 0, 100_000_000_000_000);
const LEVEL = z.tuple([ODDS, STAKE]);
// An emptied position has odds 0.
const POSITION = z.tuple([z.int().min(0).max(100), hundredths('odds', 0, 100_000), STAKE]);
const ENTRIES = listOf(LEVEL, MAX_ENTRIES).optional();
const POSITIONS = listOf(POSITION, MAX_ENTRIES).optional();

/** `[odds, stake]` in hundredths and pence: of a level from now on, or traded at these odds in all. */
export type OddsEntry = Readonly<z.output<typeof LEVEL>>;
/** `[position, odds, stake]`: the n-th best level from now on; stake 0 empties the position. */
export type PositionEntry = Readonly<z.output<typeof POSITION>>;

const RUNNER = z.object({
  id: z.int(),
  atb: ENTRIES,
  atl: ENTRIES,
  bdatb: POSITIONS,
  bdatl: POSITIONS,
  trd: listOf(z.tuple([ODDS, TOTAL]), MAX_ENTRIES).optional(),
  /** Odds of the last trade. */
  ltp: ODDS.optional(),
  /** Traded in all, pence. */
  tv: TOTAL.optional(),
});
/** What a message says about one runner. A field that is missing says nothing. */
export type RunnerChange = Readonly<z.output<typeof RUNNER>>;

const DEFINITION = z.object({
  status: z.enum(['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED']),
  inPlay: z.boolean(),
  /** Seconds. */
  betDelay: z.int().min(0).max(86_400),
  numberOfWinners: z.int().nonnegative(),
  /** Commission on net winnings in hundredths of a percent, so bps. */
  marketBaseRate: hundredths('percent', 0, 10_000),
  marketType: z.string(),
  bettingType: z.literal('ODDS', 'only markets with bettingType ODDS are YES/NO markets'),
  priceLadderDefinition: z
    .object({ type: z.literal('CLASSIC', 'only the CLASSIC ladder of odds can be read') })
    .optional(),
  // PLACED pays a third way: each-way markets are no YES/NO markets.
  runners: listOf(
    z.object({
      id: z.int(),
      /** The market's own order of its runners. */
      sortPriority: z.int(),
      status: z.enum(['ACTIVE', 'WINNER', 'LOSER', 'REMOVED', 'REMOVED_VACANT', 'HIDDEN']),
    }),
    MAX_RUNNERS,
  ),
});
export type MarketDefinition = Readonly<z.output<typeof DEFINITION>>;

const CHANGE = z.object({
  id: z.string().regex(/^\d+\.\d+$/),
  /** The change replaces everything known of the market. */
  img: z.boolean().optional(),
  /** Several changes in one, because the reader was slow. */
  con: z.boolean().optional(),
  marketDefinition: DEFINITION.optional(),
  rc: listOf(RUNNER, MAX_CHANGES).optional(),
});
export type MarketChange = Readonly<z.output<typeof CHANGE>>;

const MESSAGE = z.object({
  pt: z.int().min(0).max(LAST_TIME),
  segmentType: z.never('messages in segments cannot be read: record without segmentation').optional(),
  mc: listOf(CHANGE, MAX_MARKETS).optional(),
});
