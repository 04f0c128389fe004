/** Significance and warnings about a study's best trial. */
import { seededRandom } from '../../clock/index.ts';
import {
  deflatedSharpe,
  eventsNeeded,
  independentTrials,
  meanCorrelation,
  sharpeStatistics,
} from '../judge/deflated-sharpe.ts';
import {
  type MarketPnl,
  MIN_EVENTS,
  meanError,
  meanInterval,
  meanOf,
  PASSING_ERRORS,
  pnlByEvent,
} from '../judge/mean-error.ts';
import { overfittingProbability } from '../judge/overfitting.ts';
import { type Dimension, fractionOfRange, type Values } from '../search/space.ts';

const MIN_DSR = 0.95;
const MAX_PBO = 0.5;
const MAX_P = 0.05;
/** Width of each end of a range, as a fraction of the range on its scale. */
const EDGE_MARGIN = 0.01;

export interface Significance {
  /** Deflated Sharpe ratio of the best trial over events, 0..1; null with fewer than three events or two trials. */
  readonly dsr: number | null;
  /** Probability of backtest overfitting, 0..1; null with fewer than four events or two trials. */
  readonly pbo: number | null;
  /** Number of events at which the deflated ratio is 0.95, all else equal; null if no number is enough. */
  readonly eventsNeeded: number | null;
}

/** @param trials P&L by market of each trial; the same markets in time order @param best index in `trials`, or -1 */
export function computeSignificance(trials: readonly (readonly MarketPnl[])[], best: number): Significance {
  const byTrial = trials.map(pnlByEvent);
  const pbo = overfittingProbability(byTrial) ?? null;
  const statistics = sharpeStatistics(byTrial[best] ?? []);
  const ratios = byTrial.flatMap((values) => sharpeStatistics(values)?.sharpe ?? []);
  if (statistics === undefined || ratios.length < 2) return { dsr: null, pbo, eventsNeeded: null };
  const mean = meanOf(ratios);
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) * (ratio - mean), 0) / (ratios.length - 1);
  const searched = { trials: independentTrials(trials.length, meanCorrelation(byTrial)), variance };
  const needed = eventsNeeded(statistics, searched);
  const events = needed === undefined ? null : Math.ceil(needed);
  return { dsr: deflatedSharpe(statistics, searched), pbo, eventsNeeded: events };
}

/** Mean P&L of a market, USD, or a difference of two such means. */
export interface MeanPnl {
  readonly name: string;
  readonly markets: number;
  readonly pnl: number;
  /** Standard error of `pnl`. */
  readonly error: number;
}

/** Returns the mean of the trial's P&L minus the control's P&L. Both lists have the same markets in the same order. */
export function computeDifference(name: string, trial: readonly MarketPnl[], control: readonly MarketPnl[]): MeanPnl {
  const differences = trial.map((market, index) => ({ ...market, pnl: market.pnl - (control[index]?.pnl ?? 0) }));
  return meanPnl(name, differences);
}

export function meanPnl(name: string, markets: readonly MarketPnl[]): MeanPnl {
  return { name, markets: markets.length, pnl: meanOf(markets.map(({ pnl }) => pnl)), error: meanError(markets) };
}

/** Result over the markets of all tests of a study (docs/spec/judging.md#out-of-sample). */
export interface OutOfSample extends Omit<MeanPnl, 'name'> {
  readonly events: number;
  /** 95 % interval of `pnl`, from `meanInterval`; null with fewer than 20 events. */
  readonly interval: readonly [number, number] | null;
  /** True with at least 20 events and a `pnl` of more than 1.645 standard errors above 0. */
  readonly passes: boolean;
}

/** @param markets at least one */
export function computeOutOfSample(markets: readonly MarketPnl[]): OutOfSample {
  const events = new Set(markets.map(({ event }) => event)).size;
  const [pnl, error] = [meanOf(markets.map((market) => market.pnl)), meanError(markets)];
  // The seed is fixed, so that the same markets always give the same interval.
  const interval = meanInterval(markets, seededRandom(1)) ?? null;
  const passes = events >= MIN_EVENTS && pnl > PASSING_ERRORS * error;
  return { markets: markets.length, events, pnl, error, interval, passes };
}

export interface JudgedStudy extends Significance {
  readonly done: number;
  readonly failed: number;
  readonly events: number;
  readonly best: Values;
  readonly dimensions: readonly Dimension[];
  readonly random: { readonly runs: number; readonly p: number } | null;
  /** Mean P&L before and in each test. */
  readonly tests: readonly { readonly before: number; readonly test: number }[];
  /** Null without tests. */
  readonly outOfSample: OutOfSample | null;
  /** P&L of the best trial minus the P&L of each control. */
  readonly differences: readonly MeanPnl[];
  /** P&L in the tests minus the P&L of each control. Each test runs the trial that was best before it. */
  readonly testDifferences: readonly MeanPnl[];
}

export function listWarnings(judged: JudgedStudy): readonly string[] {
  const { done, failed, events, dsr, pbo, eventsNeeded: needed, tests, outOfSample, random } = judged;
  const eventsText = `About ${needed} events like these would be needed.`;
  const neededText = needed === null ? 'No number of markets like these would change that.' : eventsText;
  const worse = tests.filter(({ before, test }) => before > 0 && test <= 0).length;
  const testsText = tests.length === 1 ? 'in the test' : `in ${worse} of ${tests.length} tests`;
  const warnings: readonly (string | false)[] = [
    failed > (done + failed) / 10 && `${failed} of ${done + failed} trials failed.`,
    events < MIN_EVENTS &&
      `There ${events === 1 ? 'is 1 event' : `are ${events} events`}. With fewer than ${MIN_EVENTS}, nothing is known about other markets, however many trials there are.`,
    dsr !== null &&
      dsr < MIN_DSR &&
      `The best of ${done} trials may be chance: the deflated Sharpe ratio is ${dsr.toFixed(2)}, below ${MIN_DSR}. ${neededText}`,
    pbo !== null &&
      pbo > MAX_PBO &&
      `In ${Math.round(pbo * 100)} % of the ways to halve the markets, the best trial of one half is below the median in the other half: the search finds noise.`,
    tests.length === 0 &&
      'Nothing was tested on markets that no trial saw. Add a test to the study, such as test: { last: 0.3 }.',
    worse > 0 && `The best trial before a test earned money, but lost money ${testsText}.`,
    outOfSample?.passes === false && describeFailedTests(outOfSample),
    ...listNotBetter('The best trial', judged.differences),
    ...listNotBetter('In the tests, the best trial', judged.testDifferences),
    random !== null &&
      random.p > MAX_P &&
      `${Math.round(random.p * (random.runs + 1)) - 1} of ${random.runs} runs at random distances earned as much as the best trial.`,
    ...findParametersAtEdge(judged).map(
      (name) => `${name} of the best trial is at the end of its range: better values may lie beyond it.`,
    ),
  ];
  return warnings.filter((warning) => warning !== false);
}

function listNotBetter(subject: string, differences: readonly MeanPnl[]): readonly string[] {
  return differences
    .filter(({ pnl, error }) => !(pnl > PASSING_ERRORS * error))
    .map((each) => `${subject} is not better than "${each.name}": the difference is ${formatMean(each)}.`);
}

function formatMean({ pnl, error }: Omit<MeanPnl, 'name'>): string {
  return `${pnl.toFixed(2)} ± ${error.toFixed(2)} USD a market`;
}

function describeFailedTests(outOfSample: OutOfSample): string {
  const { events } = outOfSample;
  if (events < MIN_EVENTS) {
    const count = events === 1 ? 'is 1 event' : `are ${events} events`;
    return `In the tests there ${count}. With fewer than ${MIN_EVENTS}, they do not show that the best trial earns.`;
  }
  return `The tests do not show that the best trial earns: it made ${formatMean(outOfSample)} there.`;
}

function findParametersAtEdge({ dimensions, best }: JudgedStudy): readonly string[] {
  return dimensions.flatMap((dimension) => {
    const value = best[dimension.name];
    if (dimension.kind === 'choice' || typeof value !== 'number') return [];
    const { low, high } = dimension;
    const margin = dimension.kind === 'integer' ? 0 : EDGE_MARGIN;
    // Most values of a shorter integer range are at an end.
    const isWide = dimension.kind === 'number' || high - low > 3;
    const position = fractionOfRange(dimension, value);
    return isWide && (position <= margin || position >= 1 - margin) ? [dimension.name] : [];
  });
}
