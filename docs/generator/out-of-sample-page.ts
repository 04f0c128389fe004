/** The pages of `npm run docs:out-of-sample`, and the studies that they are about. */
import { stringify } from 'yaml';
import { formatNumber, formatOutOfSample, type MeanPnl, type StudyResult } from '../../src/research/index.ts';

/** What is searched, as in the section `parameters` of a study. */
const PARAMETERS = {
  ladder: {
    'params.bid_spread': { low: 20, high: 400, log: true, whole: true },
    'params.ask_spread': { low: 20, high: 400, log: true, whole: true },
    'params.inventory_range_multiplier': { low: 0.5, high: 8, log: true },
  },
  'avellaneda-stoikov': {
    'params.max_skew_bps': { low: 20, high: 1_000, log: true },
    'params.horizon': { low: 300, high: 14_400, log: true },
    'params.min_spread': { low: 0, high: 400, whole: true },
  },
  glft: {
    'params.gamma': { low: 0.002, high: 0.2, log: true },
    'params.adj_spread': { low: 0.5, high: 4, log: true },
    'params.adj_skew': { low: 0.5, high: 4, log: true },
  },
  'logit-avellaneda-stoikov': {
    'params.max_skew_x': { low: 0.02, high: 1, log: true },
    'params.horizon': { low: 300, high: 14_400, log: true },
    'params.min_spread': { low: 0, high: 400, whole: true },
  },
  grid: {
    'params.grid_type': { choices: ['static', 'dynamic'] },
    'params.lower_price': { low: 500, high: 4_500, whole: true, when: { 'params.grid_type': ['static'] } },
    'params.grid_cells': { low: 5, high: 30, whole: true, when: { 'params.grid_type': ['static'] } },
    'params.half_spread': { low: 20, high: 400, log: true, whole: true, when: { 'params.grid_type': ['dynamic'] } },
  },
  lmsr: {
    'params.max_loss_usd': { low: 10, high: 200, log: true },
    'params.quote_spread_bps': { low: 10, high: 400, log: true, whole: true },
    'params.order_levels': { low: 1, high: 5, whole: true },
  },
  signal: {
    'params.kappa': { low: 20, high: 400, log: true },
    'params.horizon': { low: 300, high: 14_400, log: true },
    'params.kelly_fraction': { low: 0.05, high: 0.5, log: true },
  },
  'event-regime': {
    'params.jump_ticks': { low: 2, high: 30, log: true, whole: true },
    'params.sweep_multiple': { low: 2, high: 50, log: true },
    'params.pull_time': { low: 1, high: 120, log: true },
  },
} as const;
export type StrategyName = keyof typeof PARAMETERS;
export const NAMES = [
  'ladder',
  'avellaneda-stoikov',
  'glft',
  'logit-avellaneda-stoikov',
  'grid',
  'lmsr',
  'signal',
  'event-regime',
] as const satisfies readonly StrategyName[];

/** What readers of one page have to know besides. */
const NOTES: Partial<Record<StrategyName, string>> = {
  signal:
    'The synthetic markets have no signal, so the search and the test are about quotes around the mid. Only the recorded match has one, which knows nothing that the book does not know.',
  'event-regime':
    'It wraps `ladder` with the parameters of the shipped configuration; only its own parameters were searched.',
};

/** Markets of each kind: half of them for the search, half for the test. */
export const MARKETS = 8;
export const FIRST_SEED = 101;
/** Of each market. */
export const ROWS = 5_000;
const STUDY = {
  version: 1,
  backtest: 'backtest.yaml',
  search: { method: 'tpe' },
  test: { last: 0.5 },
  trials: 24,
  seed: 1,
  random_controls: 19,
} as const;

/** What a page and its line in the table of all pages are made of. */
export interface Finding {
  readonly name: StrategyName;
  readonly result: StudyResult;
  readonly regimes: readonly RegimeResult[];
  /** P&L on the recorded match, as text. */
  readonly recorded: Readonly<Record<'risk-averse' | 'power', string>>;
}

/** Mean P&L of a market of one regime, USD. */
export interface RegimeResult {
  readonly regime: string;
  readonly before: number;
  readonly test: number;
}

export function studyYaml(name: StrategyName): string {
  return stringify({ ...STUDY, parameters: PARAMETERS[name] }, { collectionStyle: 'any', flowCollectionPadding: true });
}

export function verdictOf({ result: { outOfSample } }: Finding): string {
  if (outOfSample === null) throw new Error('Invariant: a study without a test');
  return formatOutOfSample(outOfSample);
}

export function pageOf(finding: Finding): string {
  const { name, result, regimes, recorded } = finding;
  const { best, trials, dsr, pbo, tests, controls, random, warnings, outOfSample } = result;
  const [test] = tests;
  if (best === null || test === undefined) throw new Error('Invariant: a study without a best trial or a test');
  const shown = outOfSample?.passes === true ? 'The test was passed.' : 'The test was not passed.';
  const note = NOTES[name];
  return `# Out of sample: ${name}

**${shown}** ${outOfSample?.passes === true ? PASSED : NOT_PASSED}
${note === undefined ? '' : `\n${note}\n`}
[\`${name}\`](../../../strategies/${name}/README.md) started from its shipped configuration. \`halfspread optimize\` tried ${trials.done + trials.failed} choices of the parameters below on ${test.before.markets} markets, and took the best one, trial ${best.number}. Then it ran that one on ${test.test.markets} markets that end later, which no trial saw. [All strategies](../out-of-sample.md) says which markets these are.

| Parameter | Best value |
|---|---|
${Object.entries(best.params)
  .map(([key, value]) => `| \`${key}\` | ${typeof value === 'number' ? formatNumber(value) : value} |`)
  .join('\n')}

## Result

Mean P&L of a market, USD, with its standard error.

| Strategy | Before the test | In the test |
|---|---|---|
| best trial | ${meanText(test.before)} | ${meanText(test.test)} |
${controls.map((control) => `| ${control.name} | ${meanText(control)} | ${control.test === null ? '' : meanText(control.test)} |`).join('\n')}

* Out of sample: ${verdictOf(finding)}.
* [Deflated Sharpe ratio](../../spec/judging.md#deflated-sharpe-ratio): ${figure(dsr)}. It is accepted from 0.95 on.
* [Probability of overfitting](../../spec/judging.md#overfitting): ${figure(pbo)}. Above 0.5 the search finds noise.
${random === null ? '' : `* ${random.runs} runs at random distances made ${random.pnl.toFixed(2)} USD a market before the test. The chance that one of them does as well as the best trial is ${random.p.toFixed(2)}.\n`}* The recorded match, which no trial saw: ${recorded['risk-averse']} with the queue model \`risk-averse\`, ${recorded.power} with \`power\`. One market is a sample of one.

| Markets | Before the test | In the test |
|---|---|---|
${regimes.map(({ regime, before, test: after }) => `| ${regime} | ${before.toFixed(2)} | ${after.toFixed(2)} |`).join('\n')}

## What \`optimize\` warns of

${warnings.length === 0 ? 'Nothing.' : warnings.map((text) => `* ${text}`).join('\n')}

## The study

\`\`\`yaml
${studyYaml(name).trimEnd()}
\`\`\`

\`npm run docs:out-of-sample -- ${name}\` in a checkout runs it and writes this page again.
`;
}

const NOT_PASSED =
  'These markets do not show that the strategy earns, not even with parameters that were fitted to markets of the same kinds.';
const BY_CHANCE = Math.round(100 * (1 - 0.95 ** NAMES.length));
const PASSED = `That does not announce a profit. The markets are synthetic, of the same kinds as those of the search, and their takers neither react to quotes nor learn. Of ${NAMES.length} strategies without an edge, at least one passes by chance with a probability of ${BY_CHANCE} %. Read the deflated Sharpe ratio and the warnings below, too.`;

export function overviewOf(findings: readonly Finding[]): string {
  return `# Out of sample

No strategy is announced as profitable. Each page says how a shipped strategy was fitted, to what, and what it did on markets that no trial saw.

| Strategy | Before the test, $ | In the test, $ | Out of sample | Deflated Sharpe ratio | Probability of overfitting | Recorded match |
|---|---|---|---|---|---|---|
${findings.map(rowOf).join('\n')}

"Before" and "in the test" are the mean P&L of a market with its standard error. [Out of sample](../spec/judging.md#out-of-sample) is passed by a mean of more than 1.645 standard errors above 0 in the test. The recorded match ran with the queue model \`risk-averse\`.

## How it was done

* **Markets.** The [six kinds of synthetic markets](../../config/benchmark/README.md) of the benchmark set, ${MARKETS} of each and ${ROWS.toLocaleString('en-US')} rows a market, with seeds from ${FIRST_SEED} on, one every two days. The first ${MARKETS / 2} of each kind are searched, the last ${MARKETS / 2} are the test.
* **Search.** ${STUDY.trials} trials by ${STUDY.search.method.toUpperCase()} for the largest \`pnl - pnl_error\`, under the queue model \`risk-averse\`, from the shipped configuration.
* **Recorded match.** The best trial ran once on the [recorded match](../../config/tapes/README.md). It is one market, and decides nothing.
* **Controls.** Do nothing, join the best prices, one tick wide, and runs at random distances.

[Searching for parameters](../optimizing.md) explains every figure. The search and the test are of the same kinds of markets, so a test that is passed says nothing about real markets: synthetic takers do not react to quotes and do not learn. Of ${NAMES.length} strategies without an edge, at least one passes by chance with a probability of ${BY_CHANCE} %.

\`npm run docs:out-of-sample\` in a checkout makes these pages again.
`;
}

function rowOf(finding: Finding): string {
  const { name, result, recorded } = finding;
  const [test] = result.tests;
  if (test === undefined) throw new Error('Invariant: a study without a test');
  const passed = result.outOfSample?.passes === true ? 'passed' : 'not passed';
  return `| [${name}](out-of-sample/${name}.md) | ${meanText(test.before)} | ${meanText(test.test)} | ${passed} | ${figure(result.dsr)} | ${figure(result.pbo)} | ${recorded['risk-averse']} |`;
}

function meanText({ pnl, error }: Pick<MeanPnl, 'pnl' | 'error'>): string {
  return `${pnl.toFixed(2)} ± ${error.toFixed(2)}`;
}

function figure(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(2);
}
