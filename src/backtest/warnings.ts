/**
 * Warnings about unreliable results (docs/spec/models.md#conservation, docs/spec/models.md#fees-commission-rewards,
 * docs/spec/models.md#plausibility).
 */
import type { HalfSpreads } from '../analytics/index.ts';
import { counted } from '../domain/index.ts';
import { LIMIT_KEYS, LIMITS } from '../risk/index.ts';
import type { CollectedDetail } from './collect/detail-collector.ts';
import { formatDollars } from './collect/order-tally.ts';
import type { CollectedResult } from './collect/result-collector.ts';
import type { OpenTapes } from './open-tapes.ts';
import { type RunResult, splitOrderReasons } from './run-result.ts';
import type { RunSpec } from './run-spec.ts';

/** Above this share of the recorded volume, a replay neglects too much market impact. */
const MAX_VOLUME_SHARE = 0.1;

export interface WarningInput
  extends HalfSpreads,
    Pick<RunResult, 'orders' | 'orderReasons' | 'pnl' | 'split' | 'fills' | 'fillsByTag' | 'volumeShare' | 'rewards'>,
    Pick<OpenTapes, 'fittedTapes' | 'lookAheadFields' | 'content' | 'receiveTime'>,
    Pick<CollectedResult, 'endedBy'>,
    Pick<CollectedDetail, 'insideShares'> {
  readonly queue: RunSpec['queue']['model'];
  readonly immutable: boolean;
  readonly tradesOnly: boolean;
  readonly inSample: boolean;
  /** Messages with a receive time before their exchange time. */
  readonly earlyMessageCount: number;
  readonly unresolved: number;
  readonly markets: number;
  readonly unreadSignals: readonly string[];
}

function withoutFalse(...sentences: readonly (string | false)[]): readonly string[] {
  return sentences.filter((sentence) => sentence !== false);
}

export function listWarnings(input: WarningInput): readonly string[] {
  const { endedBy, fills, unreadSignals, volumeShare, effective, horizons, rewards } = input;
  const { recorded } = effective;
  const markout = horizons.find(({ label }) => label === '30 s')?.own;
  return withoutFalse(
    endedBy !== undefined &&
      `A risk limit ended trading before the end of the tape: ${endedBy}. After that, only the value of the remaining position changes.`,
    ...refusalWarnings(input),
    input.tradesOnly &&
      input.orders.placed === 0 &&
      'No order was placed: the tape has no book, around which the included strategies quote. Quote in onTrade, or import a tape with a book.',
    fills.count === 0 && NO_FILLS,
    unreadSignals.length > 0 &&
      `No strategy reads these signals of the file: ${unreadSignals.slice(0, 5).join(', ')}. Check the spelling.`,
    ...modelWarnings(input),
    volumeShare !== null &&
      volumeShare > MAX_VOLUME_SHARE &&
      `Own fills are ${percent(volumeShare)} of the recorded volume (above ${percent(MAX_VOLUME_SHARE)}): so much trading would have moved prices differently.`,
    markout !== undefined &&
      recorded !== undefined &&
      markout.bps > Math.max(recorded.bps, 0) &&
      `After 30 s own fills kept ${markout.bps.toFixed(1)} bps a share, more than the recorded makers earned before prices moved (${recorded.bps.toFixed(1)} bps): the replay is too optimistic.`,
    ...outcomeWarnings(input),
    rewards.liquidityMicros !== 0 &&
      `Liquidity rewards of ${formatDollars(rewards.liquidityMicros)} are an estimate, which treats all other makers as one maker. Other makers would have reacted to these orders.`,
    ...assumptionWarnings(input),
  );
}

/** Names the most frequent refusal and its limit, unless an order was placed or no limit refused one. */
function refusalWarnings({ orders, orderReasons }: Pick<WarningInput, 'orders' | 'orderReasons'>): readonly string[] {
  const [mostFrequent] = Object.entries(splitOrderReasons({ orderReasons }).refused);
  if (orders.placed > 0 || mostFrequent === undefined) return [];
  const [code, count] = mostFrequent;
  const key = code === 'FEE_ABOVE_MAX' ? 'max_fee_bps' : LIMIT_KEYS.find((each) => LIMITS[each].code === code);
  const limit = key === undefined ? '' : `, by the limit \`risk.${key}\``;
  return [`No order was placed. The most frequent refusal is ${code}, ${counted(count, 'time')}${limit}.`];
}

const NO_FILLS = 'Nothing was filled: the result says nothing about the strategy.';

/** Returns the warnings of a bot's session, which has no warnings about models. */
export function sessionWarnings(
  input: Pick<WarningInput, 'fills' | 'pnl' | 'split' | 'markets' | 'unresolved'>,
): readonly string[] {
  const { fills, unresolved, markets } = input;
  const open = markets === 1 ? 'The market is' : `${unresolved} of ${markets} markets are`;
  return withoutFalse(
    fills.count === 0 && NO_FILLS,
    ...outcomeWarnings(input),
    unresolved > 0 && `${open} not resolved yet: holdings are valued at the last mark, not paid out.`,
  );
}

function modelWarnings({ fills, fillsByTag, insideShares, pnl, queue }: WarningInput): readonly string[] {
  // The recorded order ids give exact queue positions.
  const queueShares = queue === 'fifo' ? 0 : (fillsByTag.queue?.shares ?? 0);
  const assumedShares = queueShares + insideShares;
  const share = fills.shares === 0 ? 0 : assumedShares / fills.shares;
  const assumptions = queue === 'fifo' ? 'quotes' : 'the queue model or on quotes';
  return withoutFalse(
    share > 0.5 &&
      `${percent(share)} of the volume rests on ${assumptions} inside the recorded touch: these fills are assumptions, not observations.`,
    assumedShares > 0 &&
      pnl.totalMicros > 0 &&
      queue !== 'risk-averse' &&
      queue !== 'fifo' &&
      'A profit that vanishes with the risk-averse queue is not a profit: run it again with "queue: { model: risk-averse }" before you believe this one.',
  );
}

/** Fraction of the result above which payouts are reported. */
const MAX_SETTLEMENT = 0.5;

/** Describes the effect of payouts against the last marks; undefined if the effect is small. */
export function describeSettlement({ split, pnl }: Pick<WarningInput, 'split' | 'pnl'>): string | undefined {
  const { settlementMicros: payouts } = split;
  const pnlBeforePayouts = pnl.totalMicros - payouts;
  const isLarge = Math.abs(payouts) > MAX_SETTLEMENT * Math.max(Math.abs(pnlBeforePayouts), Math.abs(pnl.totalMicros));
  if (payouts === 0 || !isLarge) return undefined;
  const change = payouts < 0 ? 'took' : 'added';
  return `it was ${formatDollars(pnlBeforePayouts)} before the payouts, which ${change} ${formatDollars(Math.abs(payouts))} at the end`;
}

function outcomeWarnings(input: Pick<WarningInput, 'markets' | 'split' | 'pnl' | 'fills'>): readonly string[] {
  const { markets, split, pnl, fills } = input;
  const payouts = describeSettlement(input);
  const directional = Math.abs(split.inventoryMicros + split.settlementMicros);
  return withoutFalse(
    payouts !== undefined && `The result was made or lost at settlement: ${payouts}.`,
    fills.count > 0 && markets === 1 && 'One market is a sample of one: its outcome says little about the next market.',
    fills.count > 0 &&
      directional > Math.abs(split.spreadMicros) &&
      pnl.totalMicros !== 0 &&
      'Inventory and settlement moved more money than the spread did: this is a bet on the outcome more than market making.',
  );
}

function assumptionWarnings(input: WarningInput): readonly string[] {
  const { unresolved, markets, fittedTapes, lookAheadFields, earlyMessageCount } = input;
  const open = markets === 1 ? 'The market' : `${unresolved} of ${markets} markets`;
  const others = fittedTapes.length > 5 ? ` and ${fittedTapes.length - 5} more` : '';
  const fitted = `in-sample: the parameters were fitted on ${fittedTapes.slice(0, 5).join(', ')}${others}, which this run uses.`;
  return withoutFalse(
    unresolved > 0 && `${open} did not resolve within the replay: holdings are valued at the last mark, not paid out.`,
    input.immutable && 'Liquidity is immutable: own takers remove no liquidity, so their results are too good.',
    input.content === 'candles'
      ? 'The tape has candles only: the mark is the last close, and makers are not filled.'
      : input.tradesOnly && 'The tape has no book: the mark is the last trade, and maker fills are guesses.',
    fittedTapes.length > 0
      ? fitted
      : input.inSample && 'in-sample: the parameters were fitted on the tape they are tested on.',
    lookAheadFields.length > 0 &&
      `in-sample: the tapes were chosen by ${lookAheadFields.join(', ')}, which was not known when the run began.`,
    input.receiveTime === 'missing' &&
      'The tape has no receive times: the feed latency is an assumption, added to every message.',
    earlyMessageCount > 0 &&
      `${earlyMessageCount} messages of the tape were received before their exchange time: the clocks of the recording disagree, and the strategy received these messages without delay.`,
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
