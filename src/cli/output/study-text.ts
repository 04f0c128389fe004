/** Results of a study as columns for people. */
import {
  formatNumber,
  formatOutOfSample,
  type MeanPnl,
  parameterLabel,
  type StudyData,
  type StudyResult,
  sortByImportance,
  toPlottedTrials,
} from '../../research/index.ts';
import { columnsText } from './columns-text.ts';
import { heatMapText, parallelCoordinatesText } from './study-charts-text.ts';

type StudyTrials = Pick<StudyData, 'dimensions' | 'objectives' | 'scores'>;

/** Maximum rows of the Pareto front. `--json` prints all. */
const MAX_FRONT = 20;

/** @param width characters a line */
export function studyText(study: StudyTrials, result: StudyResult, width: number): string {
  const { trials, top, front, importance, problems, tests, controls, random, warnings, outOfSample, dsr, pbo } = result;
  const parts = [`trials           ${trials.done} done, ${trials.failed} failed\n`];
  for (const [problem, count] of Object.entries(problems).slice(0, 3)) parts.push(`  ${count} x ${problem}\n`);
  if (top.length > 0) parts.push(`\n${trialsText(top, width)}`);
  if (Object.keys(top[0]?.values ?? {}).length > 1) {
    parts.push(`\n${front.length} on the front: no other trial beats them in every objective\n`);
    parts.push(trialsText(front.slice(0, MAX_FRONT), width));
  }
  if (importance.length > 1 && trials.done > 1) {
    const bar = (share: number) => '█'.repeat(Math.round(share * 20));
    const lines = importance.map(({ name, share }) => [name, bar(share), `${Math.round(share * 100)} %`]);
    parts.push(`\n${tableText(['parameter', 'share of what parameters explain', ''], lines, width)}`);
  }
  parts.push(chartsText(study, result, width));
  if (tests.length > 0) {
    const lines = tests.map(({ from, trial, before, test }) => {
      return [from, `${trial}`, meanText(before), meanText(test), `${test.markets}`];
    });
    parts.push(`\n${tableText(['test from', 'trial', 'P&L before $', 'in the test $', 'markets'], lines, width)}`);
  }
  if (outOfSample !== null) parts.push(`\nout of sample    ${formatOutOfSample(outOfSample)}\n`);
  if (controls.length > 0) {
    const titles = ['control', 'P&L a market $', ...(outOfSample === null ? [] : ['in the tests $'])];
    const inTests = ({ test }: (typeof controls)[number]) => (test === null ? '' : meanText(test));
    const lines = controls.map((control) => [control.name, meanText(control), inTests(control)]);
    if (random !== null)
      lines.push([`random distances, ${random.runs} runs`, `${formatNumber(random.pnl)}, p = ${random.p.toFixed(3)}`]);
    parts.push(`\n${tableText(titles, lines, width)}`);
  }
  parts.push(`\ndeflated Sharpe ratio ${ratioText(dsr)}, probability of overfitting ${ratioText(pbo)}\n`);
  for (const warning of warnings) parts.push(`warning: ${warning}\n`);
  return parts.join('');
}

function chartsText({ dimensions, ...study }: StudyTrials, result: StudyResult, width: number): string {
  const trials = toPlottedTrials(study, result);
  if (dimensions.length < 2 || trials.length < 2) return '';
  const parallel = `\n${parallelCoordinatesText(result.top, dimensions, width)}`;
  const [x, y] = sortByImportance(dimensions, result);
  if (x === undefined || y === undefined) return parallel;
  const heat = heatMapText(trials, [x, y], study.objectives[0]?.text ?? '', width);
  return heat === '' ? parallel : `${parallel}\n${heat}`;
}

function trialsText(trials: StudyResult['top'], width: number): string {
  const objectives = Object.keys(trials[0]?.values ?? {});
  const names = [...new Set(trials.flatMap(({ params }) => Object.keys(params)))];
  const columns = [
    { title: 'trial', cells: trials.map(({ number }) => `${number}`) },
    ...objectives.map((title) => ({ title, cells: trials.map(({ values }) => formatNumber(values[title] ?? 0)) })),
    // The last parameter is omitted first.
    ...names.map((name, index) => ({
      title: parameterLabel({ name }),
      cells: trials.map(({ params: { [name]: value } }) =>
        value === undefined ? '-' : typeof value === 'number' ? formatNumber(value) : `${value}`,
      ),
      dropOrder: names.length - index,
    })),
  ];
  return columnsText(columns, width);
}

function tableText(titles: readonly string[], lines: readonly (readonly string[])[], width: number): string {
  return columnsText(
    titles.map((title, index) => ({ title, cells: lines.map((line) => line[index] ?? ''), shrinks: index === 0 })),
    width,
  );
}

function meanText({ pnl, error, markets }: MeanPnl): string {
  return markets < 2 ? formatNumber(pnl) : `${formatNumber(pnl)} ± ${formatNumber(error)}`;
}

function ratioText(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(3);
}
