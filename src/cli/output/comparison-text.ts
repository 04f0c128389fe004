/** Formats comparisons of runs, sensitivity tables, attributions and calibrations as text. */
import type {
  Attribution,
  Calibration,
  ComparedMetrics,
  Comparison,
  RunDifference,
  SensitivityCell,
  testCalibration,
} from '../../backtest/index.ts';
import { counted, formatMicros, formatShares, microShares, microUsd } from '../../domain/index.ts';
import { columnsText, type RowColumn, rowsText } from './columns-text.ts';

const RUN_COLUMNS: readonly RowColumn<ComparedMetrics>[] = [
  ['run', ({ name }) => name, { shrinks: true }],
  ['fills', ({ fills }) => String(fills), { dropOrder: 9 }],
  ['shares', ({ shares }) => formatShares(microShares(shares)), { dropOrder: 8 }],
  ['P&L $', ({ pnlMicros }) => dollars(pnlMicros), { dropOrder: 7 }],
  ['spread $', ({ spreadMicros }) => dollars(spreadMicros), { dropOrder: 6 }],
  ['inventory $', ({ inventoryMicros }) => dollars(inventoryMicros), { dropOrder: 5 }],
  ['settlement $', ({ settlementMicros }) => dollars(settlementMicros), { dropOrder: 4 }],
  ['fees $', ({ feesMicros }) => dollars(feesMicros), { dropOrder: 3 }],
  ['drawdown $', ({ maxDrawdownMicros }) => dollars(maxDrawdownMicros), { dropOrder: 2 }],
  ['effective bps', ({ effectiveBps }) => effectiveBps?.toFixed(1) ?? '-', { dropOrder: 1 }],
];

/** Formats a line for each run, then a line for its difference to the first run. @param width characters a line */
export function comparisonText({ runs, differences, sameTapes }: Comparison, width: number): string {
  const differenceColumns: readonly RowColumn<RunDifference>[] = [
    [`minus ${runs[0]?.name ?? ''}`, ({ name }) => name, { shrinks: true }],
    ['fills', ({ fills }) => (fills > 0 ? `+${fills}` : String(fills))],
    ['P&L $', ({ pnlMicros }) => dollars(pnlMicros)],
    ['95 % interval $', intervalText],
    ['pairs', pairsText],
  ];
  const warning = sameTapes ? '' : '\nThe runs used different tapes, which cause a part of the differences.\n';
  return `${rowsText(runs, RUN_COLUMNS, width)}\n${rowsText(differences, differenceColumns, width)}${warning}`;
}

/** @param width characters a line */
export function sensitivityText(cells: readonly SensitivityCell[], width: number): string {
  return rowsText(cells, SENSITIVITY_COLUMNS, width);
}

const SENSITIVITY_COLUMNS: readonly RowColumn<SensitivityCell>[] = [
  ['queue', ({ queue }) => queue],
  ['latency', ({ latency }) => `x ${latency}`],
  ['book', ({ reactive }) => (reactive ? 'reactive' : 'immutable')],
  ['fills', ({ fills }) => String(fills)],
  ['shares', ({ shares }) => formatShares(microShares(shares))],
  ['P&L $', ({ pnlMicros }) => dollars(pnlMicros)],
];

/** Formats the backtest, each cause of the difference, and the session, a line each. @param width characters a line */
export function attributionText({ live, backtest, parts }: Attribution, width: number): string {
  const outcomes = [backtest, ...parts, live];
  const toCells = (format: (outcome: Attribution['live']) => string): readonly string[] =>
    outcomes.map((outcome, index) => {
      const cell = format(outcome);
      return index === 0 || index === outcomes.length - 1 || cell.startsWith('-') ? cell : `+${cell}`;
    });
  return columnsText(
    [
      { title: '', cells: ['backtest', ...parts.map(({ cause }) => cause), 'live session'] },
      { title: 'fills', cells: toCells(({ fills }) => String(fills)) },
      { title: 'shares', cells: toCells(({ shares }) => formatMicros(microUsd(shares))) },
      { title: 'P&L $', cells: toCells(({ pnlMicros }) => dollars(pnlMicros)) },
      { title: 'assumption replaced', cells: ['', ...parts.map(({ change }) => change), ''], dropOrder: 1 },
    ],
    width,
  );
}

/** Formats the candidates, the delays, the errors, and the YAML of the best models. @param width characters a line */
export function calibrationText(
  { live, candidates, errorBefore, entryMs, responseMs, placingMs }: Calibration,
  tested: Awaited<ReturnType<typeof testCalibration>> | undefined,
  yaml: string,
  width: number,
): string {
  const table = columnsText(
    [
      { title: 'queue', cells: ['live session', ...candidates.map(({ queue }) => queue)] },
      { title: 'latency', cells: ['', ...candidates.map(({ latency }) => latency)] },
      { title: 'fills', cells: [live, ...candidates].map(({ fills }) => String(fills)) },
      { title: 'shares', cells: [live, ...candidates].map(({ shares }) => formatShares(microShares(shares))) },
      { title: 'error', cells: ['', ...candidates.map(({ error }) => percent(error))] },
    ],
    width,
  );
  const times = `Commands took ${entryMs.median} ms (99 %: ${entryMs.p99}), placing an order ${placingMs} ms more, responses ${responseMs.median} ms (99 %: ${responseMs.p99}).`;
  const fewFills = live.fills < 100 ? `\nThe session has only ${live.fills} fills: small differences are chance.` : '';
  const bestError = candidates[0]?.error ?? 0;
  const fitted = `Error on this session: ${percent(bestError)}, with the default models ${percent(errorBefore)}.`;
  const testNote =
    tested === undefined
      ? 'The models were fitted on this session, so this error is too low. Test them on another session: --test <recording>'
      : `Error on the other session, which was not fitted: ${percent(tested.error)}, with the default models ${percent(tested.errorBefore)}.`;
  return `${table}\n${times}${fewFills}\n${fitted}\n${testNote}\n\n${yaml}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function intervalText({ interval }: RunDifference): string {
  return interval === null ? 'too few pairs' : `${dollars(interval[0])} to ${dollars(interval[1])}`;
}

function pairsText({ pairedBy, pairs }: RunDifference): string {
  if (pairedBy === null) return 'none';
  return pairedBy === 'block' ? `${pairs} blocks of time` : counted(pairs, 'market');
}

function dollars(micros: number): string {
  return formatMicros(microUsd(micros));
}
