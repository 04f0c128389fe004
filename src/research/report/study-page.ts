/** The HTML page of a study, without external resources. */
import {
  figure,
  type Html,
  html,
  loadChartRenderer,
  notes,
  numberColumns,
  pageFrame,
  table,
} from '../../backtest/report/index.ts';
import { counted } from '../../domain/index.ts';
import type { ParameterValue } from '../search/space.ts';
import { computeStudyResult, type StudyData, type StudyResult } from '../study/study-result.ts';
import type { MeanPnl } from '../study/verdict.ts';
import {
  formatNumber,
  formatOutOfSample,
  type PlottedTrial,
  sortByImportance,
  toPlottedTrials,
} from './plotted-trials.ts';
import { frontChart, heatChart, MAX_LINES, parallelChart, progressChart } from './study-charts.ts';

/** Renders a page. Equal studies give equal bytes. */
export async function renderStudy(study: StudyData, name: string): Promise<string> {
  const result = computeStudyResult(study);
  return pageFrame({
    title: `${name} – halfspread study`,
    header: renderHeader(name, study, result),
    main: html`${renderWarnings(result)}
${renderBestTable(study, result)}
${renderTestTable(result)}
${renderControlTable(result)}
${await renderCharts(study, result)}`,
    footer: html`The same study with the same seed gives the same page, byte for byte.`,
  });
}

function renderHeader(name: string, { spec, training }: StudyData, { trials, best }: StudyResult): Html {
  const scores = Object.entries(best?.values ?? {}).map(([text, value]) => `${text} = ${formatNumber(value)}`);
  const markets = training.reduce((sum, tape) => sum + tape.markets.length, 0);
  return html`<h1>${name}</h1>
<p class="muted">${trials.done + trials.failed} trials by ${spec.search.method} on ${counted(markets, 'market')}, ${trials.failed} failed</p>
<p class="lead">${best === null ? 'Every trial failed.' : `The best is trial ${best.number}: ${scores.join(', ')}.`}</p>`;
}

function renderWarnings({ warnings: sentences, problems }: StudyResult): Html {
  const failures = Object.entries(problems).map(([problem, count]) => `${count} failed: ${problem}`);
  return notes([...sentences, ...failures.slice(0, 5)]);
}

function renderBestTable({ dimensions }: StudyData, { top, middle, dsr, pbo, importance }: StudyResult): Html {
  const objectives = Object.keys(top[0]?.values ?? {});
  const rows = top.map(({ number, params, values }) => [
    `${number}${number === middle?.number ? ' (middle)' : ''}`,
    ...objectives.map((text) => formatNumber(values[text] ?? 0)),
    ...dimensions.map((dimension) => formatValue(params[dimension.name])),
  ]);
  return html`<section><h2 id="best">Best trials</h2>
${table(
  'Trials by the first objective; "middle" is nearest to the medians of the best tenth',
  ['trial', ...numberColumns(...objectives, ...dimensions.map(({ name }) => name))],
  rows,
)}
<p>Deflated Sharpe ratio ${formatProbability(dsr)}, probability of overfitting ${formatProbability(pbo)}.</p>
${table(
  'What each parameter explains of the first objective',
  ['parameter', ...numberColumns('share')],
  importance.map(({ name, share }) => [name, `${Math.round(share * 100)} %`]),
)}
</section>`;
}

function renderTestTable({ tests, outOfSample }: StudyResult): Html {
  if (outOfSample === null) return html``;
  return html`<section><h2 id="tests">Tests</h2>
<p>Markets that were decided after the best trial was chosen.</p>
${table(
  'Mean P&L of a market with its standard error',
  ['from', ...numberColumns('trial', 'markets before', 'P&L before, $', 'markets in the test', 'in the test, $')],
  tests.map(({ from, trial, before, test }) => [
    from,
    `${trial}`,
    `${before.markets}`,
    formatMean(before),
    `${test.markets}`,
    formatMean(test),
  ]),
)}
<p>Out of sample: ${formatOutOfSample(outOfSample)}.</p></section>`;
}

function renderControlTable({ controls, random, outOfSample }: StudyResult): Html {
  if (controls.length === 0) return html``;
  const columns = outOfSample === null ? ['P&L a market, $'] : ['before the tests, $', 'in the tests, $'];
  return html`<section><h2 id="controls">Baseline strategies</h2>
${table(
  'Mean P&L of a market with its standard error',
  ['control', ...numberColumns(...columns)],
  controls.map((control) => [
    control.name,
    formatMean(control),
    ...(control.test === null ? [] : [formatMean(control.test)]),
  ]),
)}
${random === null ? undefined : html`<p>${random.runs} runs at random distances made ${random.pnl.toFixed(2)} USD per market on average. The probability that one of them does as well as the best trial is ${random.p.toFixed(3)}.</p>`}</section>`;
}

async function renderCharts(study: StudyData, result: StudyResult): Promise<Html> {
  const { dimensions, objectives } = study;
  const trials = toPlottedTrials(study, result);
  if (trials.length === 0) return html``;
  const renderChart = await loadChartRenderer();
  const [x, y] = sortByImportance(dimensions, result);
  const texts = objectives.map(({ text }) => text);
  const [objective = ''] = texts;
  const front = new Set(result.front.map(({ number }) => number));
  return html`<section><h2 id="trials">Trials</h2>
${figure(renderChart, progressChart(trials, objective), 'The best trial is larger.')}
${dimensions.length > 1 ? figure(renderChart, parallelChart(trials, dimensions), parallelCaption(trials)) : undefined}
${x === undefined || y === undefined ? undefined : figure(renderChart, heatChart(trials, x, y, objective), `Mean of ${objective} in each cell; a stronger colour means a higher value. Empty cells had no trial.`)}
${texts.length > 1 ? figure(renderChart, frontChart(trials, front, texts), 'Trials of the front are larger: no other trial beats them in all objectives.') : undefined}
</section>`;
}

function parallelCaption(trials: readonly PlottedTrial[]): string {
  const which = trials.length > MAX_LINES ? `The ${MAX_LINES} best of ${trials.length} trials` : 'All trials';
  return `${which}; a stronger line means a better trial. The thick line is the best trial.`;
}

function formatValue(value: ParameterValue | undefined): string {
  return typeof value === 'number' ? formatNumber(value) : value === undefined ? '–' : String(value);
}

function formatMean({ pnl, error, markets }: MeanPnl): string {
  return markets < 2 ? pnl.toFixed(2) : `${pnl.toFixed(2)} ± ${error.toFixed(2)}`;
}

function formatProbability(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(3);
}
