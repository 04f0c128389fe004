/** Charts of a study's trials in characters. */
import {
  cellIndexes,
  computeHeatMap,
  type Dimension,
  formatCell,
  formatNumber,
  formatRangeEnd,
  fractionOfRange,
  type PlottedTrial,
  parameterLabel,
} from '../../research/index.ts';
import { columnsText } from './columns-text.ts';

/** A shade for each fifth of the range of means, lowest first. */
const SHADES = ['-', '░', '▒', '▓', '█'];
const EMPTY = '·';
/** Maximum length of a label, characters. */
const MAX_LABEL = 12;
const COLUMN_SPACING = 2;
/** Width of a parameter's range in a trial's line, characters. */
const RANGE_WIDTH = 15;

/**
 * Draws the mean of the first objective over two parameters. Columns that do not fit get narrower labels. Returns an
 * empty text if no trial has both parameters.
 * @param width characters a line; Infinity for a file or a pipe
 */
export function heatMapText(
  trials: readonly PlottedTrial[],
  [x, y]: readonly [Dimension, Dimension],
  objective: string,
  width: number,
): string {
  const { cells, low, high } = computeHeatMap(trials, x, y);
  if (cells.length === 0) return '';
  const columns = cellIndexes(x);
  const rows = cellIndexes(y).toReversed();
  const labelsWidth = (labels: readonly string[]): number =>
    Math.min(MAX_LABEL, Math.max(...labels.map(({ length }) => length)));
  const columnLabels = columns.map((cell) => formatCell(x, cell));
  const rowLabels = rows.map((cell) => formatCell(y, cell));
  const rowLabelWidth = Math.min(labelsWidth(rowLabels), Math.floor(width / 4));
  const room = Math.floor((width - rowLabelWidth) / columns.length) - COLUMN_SPACING;
  const cellWidth = Math.max(1, Math.min(labelsWidth(columnLabels), room));
  const line = (label: string, parts: readonly string[]): string =>
    [cut(label, rowLabelWidth).padStart(rowLabelWidth), ...parts]
      .join(' '.repeat(room < 1 ? 0 : COLUMN_SPACING))
      .trimEnd();
  const rowShades = (row: number): readonly string[] =>
    columns.map((column) => {
      const cell = cells.find(({ x: cellX, y: cellY }) => cellX === column && cellY === row);
      const shade = cell === undefined ? EMPTY : (SHADES[shadeIndex(cell.mean, low, high)] ?? EMPTY);
      return shade.repeat(cellWidth);
    });
  const shownLabels = columnLabels.map((label) => cut(label, cellWidth).padEnd(cellWidth));
  const lines = [
    `mean of ${objective} by ${parameterLabel(x)} (to the right) and ${parameterLabel(y)} (up)`,
    ...rows.map((row, index) => line(rowLabels[index] ?? '', rowShades(row))),
    line('', shownLabels),
    `${SHADES.join('')} from ${formatNumber(low, 3)} to ${formatNumber(high, 3)}, ${EMPTY} no trial`,
  ];
  return lines.map((text) => `${cut(text, width)}\n`).join('');
}

/** Draws a line for each trial, with the position of each parameter between its lowest and highest value. */
export function parallelCoordinatesText(
  trials: readonly Pick<PlottedTrial, 'number' | 'params'>[],
  dimensions: readonly Dimension[],
  width: number,
): string {
  const columns = dimensions.map((dimension, index) => ({
    title: parameterLabel(dimension),
    cells: [
      endsText(dimension),
      ...trials.map(({ params: { [dimension.name]: value } }) =>
        value === undefined ? '' : markedRange(fractionOfRange(dimension, value)),
      ),
    ],
    // The last parameter is omitted first; the first one is always shown.
    dropOrder: index === 0 ? undefined : dimensions.length - index,
  }));
  return columnsText([{ title: 'trial', cells: ['', ...trials.map(({ number }) => `${number}`)] }, ...columns], width);
}

function shadeIndex(mean: number, low: number, high: number): number {
  if (!(high > low)) return SHADES.length - 1;
  return Math.min(SHADES.length - 1, Math.floor((SHADES.length * (mean - low)) / (high - low)));
}

function endsText(dimension: Dimension): string {
  const [low, high] = [formatRangeEnd(dimension, 0), formatRangeEnd(dimension, 1)].map((end) => cut(end, MAX_LABEL));
  return `${low} to ${high}${dimension.kind !== 'choice' && dimension.log ? ', log' : ''}`;
}

/** @param position 0..1 */
function markedRange(position: number): string {
  const markerColumn = Math.round(position * (RANGE_WIDTH - 1));
  return `${'─'.repeat(markerColumn)}●${'─'.repeat(RANGE_WIDTH - 1 - markerColumn)}`;
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
}
