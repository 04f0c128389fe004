/** Formats a study's trials for the HTML page and the terminal. */
import { counted } from '../../domain/index.ts';
import { meanOf } from '../judge/mean-error.ts';
import { type Dimension, fractionOfRange, type ParameterValue } from '../search/space.ts';
import type { StudyData, StudyResult } from '../study/study-result.ts';
import type { OutOfSample } from '../study/verdict.ts';

export interface PlottedTrial {
  readonly number: number;
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** Objectives with the sign of the study's configuration. */
  readonly scores: readonly number[];
  readonly isBest: boolean;
  /** 0 for the worst of all trials by the first objective, 1 for the best. */
  readonly rank: number;
}

/** Number of cells of a numeric parameter in a heat map. A choice parameter has one cell per choice. */
const CELLS_PER_RANGE = 8;

export function toPlottedTrials(
  { scores, objectives }: Pick<StudyData, 'scores' | 'objectives'>,
  { best }: StudyResult,
): readonly PlottedTrial[] {
  const done = scores.filter(({ problem }) => problem === undefined);
  const ranked = done.toSorted((a, b) => (a.objectives[0] ?? 0) - (b.objectives[0] ?? 0));
  const ranks = new Map(ranked.map(({ number }, index) => [number, done.length === 1 ? 1 : index / (done.length - 1)]));
  return done.map(({ number, values, objectives: found }) => ({
    number,
    params: values,
    scores: found.map((value, index) => (objectives[index]?.direction === 'minimise' ? -value : value)),
    isBest: number === best?.number,
    rank: ranks.get(number) ?? 0,
  }));
}

/** Sorts parameters by how much of the first objective they explain, descending. */
export function sortByImportance(dimensions: readonly Dimension[], { importance }: StudyResult): readonly Dimension[] {
  return importance.flatMap(({ name }) => dimensions.find((dimension) => dimension.name === name) ?? []);
}

export interface HeatCell {
  /** Indexes of the cell, from `cellIndexes`. */
  readonly x: number;
  readonly y: number;
  readonly mean: number;
}

/** Returns the mean of the first objective by cell of two parameters, with the lowest and the highest mean. */
export function computeHeatMap(
  trials: readonly Pick<PlottedTrial, 'params' | 'scores'>[],
  x: Dimension,
  y: Dimension,
): { readonly cells: readonly HeatCell[]; readonly low: number; readonly high: number } {
  const points = trials.flatMap(({ params, scores: [score = 0] }) => {
    const [xValue, yValue] = [params[x.name], params[y.name]];
    if (xValue === undefined || yValue === undefined) return [];
    return [{ x: findCell(x, xValue), y: findCell(y, yValue), score }];
  });
  const groups = [...Map.groupBy(points, ({ x: column, y: row }) => `${column} ${row}`).values()];
  const cells = groups.flatMap(([first, ...others]) =>
    first === undefined ? [] : { x: first.x, y: first.y, mean: meanOf([first, ...others].map(({ score }) => score)) },
  );
  const means = cells.map(({ mean }) => mean);
  return { cells, low: Math.min(...means), high: Math.max(...means) };
}

/** Returns the name of a parameter without the prefix `params.`. */
export function parameterLabel({ name }: Pick<Dimension, 'name'>): string {
  return name.replace(/^params\./, '');
}

/** @param position 0 for the lowest value or the first choice, 1 for the highest or the last */
export function formatRangeEnd(dimension: Dimension, position: number): string {
  if (dimension.kind === 'choice') return `${position === 0 ? dimension.choices[0] : dimension.choices.at(-1)}`;
  return formatNumber(position === 0 ? dimension.low : dimension.high);
}

export function cellIndexes(dimension: Dimension): readonly number[] {
  const count = dimension.kind === 'choice' ? dimension.choices.length : CELLS_PER_RANGE;
  return [...Array(count).keys()];
}

function findCell(dimension: Dimension, value: ParameterValue): number {
  if (dimension.kind === 'choice') return dimension.choices.indexOf(value);
  return Math.min(CELLS_PER_RANGE - 1, Math.floor(fractionOfRange(dimension, value) * CELLS_PER_RANGE));
}

/** Returns the choice of a cell, or the start of its range. */
export function formatCell(dimension: Dimension, cell: number): string {
  if (dimension.kind === 'choice') return `${dimension.choices[cell]}`;
  const { low, high, log } = dimension;
  const position = cell / CELLS_PER_RANGE;
  return formatNumber(log ? low * Math.exp(Math.log(high / low) * position) : low + (high - low) * position, 3);
}

/** Formats a number with at most `digits` significant digits. Whole numbers keep all digits. */
export function formatNumber(value: number, digits = 5): string {
  if (Number.isInteger(value)) return `${value}`;
  const text = value.toPrecision(digits);
  return text.replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1');
}

export function formatOutOfSample({ passes, pnl, error, interval, markets, events }: OutOfSample): string {
  const scope = `${counted(markets, 'market')} of ${counted(events, 'event')}`;
  const range = interval === null ? '' : ` (95 % interval ${interval.map((end) => end.toFixed(2)).join(' to ')})`;
  return `${passes ? 'passed' : 'not passed'}, ${pnl.toFixed(2)} ± ${error.toFixed(2)} USD a market${range} on ${scope}`;
}
