/**
 * Warnings about unreliable results (docs/spec/models.md#conservation,
 * docs/spec/models.md#fees-commission-rewards, docs/spec/models.md#plausibility).
 */
import type { HalfSpreads, TagResults } from '../analytics/index.ts';
import { column, formatUsd } from '../domain/index.ts';
import { dollars } from './collect/order-counts.ts';
import type { OpenTapes } from './open-tapes.ts';
import type { RunResult } from './run-result.ts';
import type { RunSpec } from './run-spec.ts';

/** Above this share of the recorded volume, a replay neglects too much market impact. */
const MAX_VOLUME = 0.1;

export interface Evidence
  extends HalfSpreads,
    Pick<RunResult, 'pnl' | 'split' | 'fills' | 'volumeShare'>,
    Pick<OpenTapes, 'fittedHere' | 'laterFields'> {
  readonly tags: TagResults;
  /** Volume of maker fills inside the recorded touch that are not tagged `queue`, micro-shares. */
  readonly insideShares: number;
  readonly liquidityRewardsMicros: number;
  readonly queue: RunSpec['queue']['model'];
  readonly immutable: boolean;
  readonly tradesOnly: boolean;
  readonly candles: boolean;
  readonly inSample: boolean;
  readonly receiveTimeMissing: boolean;
  /** Messages with a receive time before their exchange time. */
  readonly receivedEarly: number;
  readonly unresolved: number;
  readonly markets: number;
  /** Names of signals in the file that no strategy reads. */
  readonly unreadSignals: readonly string[];
  /** Why risk stopped the run; undefined if it did not. */
  readonly killed: string | undefined;
}

export function warningsOf(evidence: Evidence): readonly string[] {
  return [
    ...killedWarning(evidence),
    ...noFillsWarning(evidence),
    ...unreadSignalsWarning(evidence),
    ...modelWarnings(evidence),
    ...volumeWarning(evidence),
    ...markoutWarning(evidence),
    ...settlementWarning(evidence),
    ...luckWarnings(evidence),
    ...rewardsWarning(evidence),
    ...assumptionWarnings(evidence),
  ];
}

/** Returns the warnings of a bot's session, without those about models. */
export function sessionWarnings(
  evidence: Pick<Evidence, 'fills' | 'pnl' | 'split' | 'markets' | 'unresolved'>,
): readonly string[] {
  const { unresolved, markets } = evidence;
  const open = markets === 1 ? 'The market is' : `${unresolved} of ${markets} markets are`;
  return [
    ...noFillsWarning(evidence),
    ...settlementWarning(evidence),
    ...luckWarnings(evidence),
    ...(unresolved === 0 ? [] : [`${open} not resolved yet: holdings are valued at the last mark, not paid out.`]),
  ];
}

function rewardsWarning({ liquidityRewardsMicros: micros }: Evidence): readonly string[] {
  if (micros === 0) return [];
  return [
    `Liquidity rewards of ${formatUsd(column.usd(micros))} are an estimate: all others count as one maker, and other makers would have reacted to these orders.`,
  ];
}

function killedWarning({ killed: why }: Evidence): readonly string[] {
  return why === undefined
    ? []
    : [
        `A risk limit ended trading before the end of the tape: ${why}. After that, only the value of the remaining position changes.`,
      ];
}

function noFillsWarning({ fills }: Pick<Evidence, 'fills'>): readonly string[] {
  return fills.count === 0 ? ['Nothing was filled: the result says nothing about the strategy.'] : [];
}

function unreadSignalsWarning({ unreadSignals }: Evidence): readonly string[] {
  if (unreadSignals.length === 0) return [];
  const names = unreadSignals.slice(0, 5).join(', ');
  return [`No strategy reads these signals of the file: ${names}. Check the spelling.`];
}

function modelWarnings({ fills, tags, insideShares, pnl, queue }: Evidence): readonly string[] {
  // The recorded order ids give exact queue positions.
  const assumed = queue === 'fifo' ? 0 : (tags.queue?.shares ?? 0);
  const resting = assumed + insideShares;
  const share = fills.shares === 0 ? 0 : resting / fills.shares;
  const sentences: string[] = [];
  if (share > 0.5) {
    const models = queue === 'fifo' ? 'quotes' : 'the queue model or on quotes';
    sentences.push(
      `${percent(share)} of the volume rests on ${models} inside the recorded touch: these fills are assumptions, not observations.`,
    );
  }
  if (resting > 0 && pnl.totalMicros > 0 && queue !== 'risk-averse' && queue !== 'fifo') {
    sentences.push(
      'A profit that vanishes with the risk-averse queue is not a profit: run it again with "queue: { model: risk-averse }" before you believe this one.',
    );
  }
  return sentences;
}

function volumeWarning({ volumeShare }: Evidence): readonly string[] {
  if (volumeShare === null || volumeShare <= MAX_VOLUME) return [];
  return [
    `Own fills are ${percent(volumeShare)} of the recorded volume (above ${percent(MAX_VOLUME)}): so much trading would have moved prices differently.`,
  ];
}

function markoutWarning({ effective, horizons }: Evidence): readonly string[] {
  const markout = horizons.find(({ label }) => label === '30 s')?.own;
  if (markout === undefined || effective.recorded === undefined || markout.bps <= Math.max(effective.recorded.bps, 0))
    return [];
  return [
    `After 30 s own fills kept ${markout.bps.toFixed(1)} bps a share, more than the recorded makers earned before prices moved (${effective.recorded.bps.toFixed(1)} bps): the replay is too optimistic.`,
  ];
}

/** Payouts above this fraction of the result are reported. */
const MAX_SETTLEMENT = 0.5;

/** Describes the effect of payouts against the last marks; undefined when it is small. */
export function settlementPart({ split, pnl }: Pick<Evidence, 'split' | 'pnl'>): string | undefined {
  const { settlementMicros: payouts } = split;
  const before = pnl.totalMicros - payouts;
  const isLarge = Math.abs(payouts) > MAX_SETTLEMENT * Math.max(Math.abs(before), Math.abs(pnl.totalMicros));
  if (payouts === 0 || !isLarge) return undefined;
  const change = payouts < 0 ? 'took' : 'added';
  return `it was ${dollars(before)} before the payouts, which ${change} ${dollars(Math.abs(payouts))} at the end`;
}

function settlementWarning(evidence: Pick<Evidence, 'split' | 'pnl'>): readonly string[] {
  const part = settlementPart(evidence);
  return part === undefined ? [] : [`The result was made or lost at settlement: ${part}.`];
}

function luckWarnings({
  markets,
  split,
  pnl,
  fills,
}: Pick<Evidence, 'markets' | 'split' | 'pnl' | 'fills'>): readonly string[] {
  if (fills.count === 0) return [];
  const luck = Math.abs(split.inventoryMicros + split.settlementMicros);
  const sentences: string[] = [];
  if (markets === 1) sentences.push('One market is a sample of one: its outcome says little about the next one.');
  if (luck > Math.abs(split.spreadMicros) && Math.abs(pnl.totalMicros) > 0) {
    sentences.push(
      'Inventory and settlement moved more money than the spread did: this is a bet on the outcome more than market making.',
    );
  }
  return sentences;
}

function assumptionWarnings(evidence: Evidence): readonly string[] {
  const sentences: string[] = [];
  if (evidence.unresolved > 0) {
    const which = evidence.markets === 1 ? 'The market' : `${evidence.unresolved} of ${evidence.markets} markets`;
    sentences.push(`${which} did not resolve within the replay: holdings are valued at the last mark, not paid out.`);
  }
  if (evidence.immutable)
    sentences.push('Liquidity is immutable: own takers remove no liquidity, so their results are too good.');
  if (evidence.candles)
    sentences.push('The tape has candles only: the mark is the last close, and makers are not filled.');
  else if (evidence.tradesOnly)
    sentences.push('The tape has no book: the mark is the last trade, and maker fills are guesses.');
  const fitted = evidence.fittedHere.slice(0, 5).join(', ');
  const others = evidence.fittedHere.length > 5 ? ` and ${evidence.fittedHere.length - 5} more` : '';
  if (fitted !== '') sentences.push(`in-sample: the parameters were fitted on ${fitted}${others}, a tape of this run.`);
  else if (evidence.inSample) sentences.push('in-sample: the parameters were fitted on the tape they are tested on.');
  if (evidence.laterFields.length > 0) {
    const fields = evidence.laterFields.join(', ');
    sentences.push(`in-sample: the tapes were chosen by ${fields}, which was not known when the run began.`);
  }
  if (evidence.receiveTimeMissing) {
    sentences.push('The tape has no receive times: the feed latency is an assumption, added to every message.');
  }
  if (evidence.receivedEarly > 0) {
    sentences.push(
      `${evidence.receivedEarly} messages of the tape were received before they happened: the clocks of the recording disagree, and the strategy received these messages without delay.`,
    );
  }
  return sentences;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
