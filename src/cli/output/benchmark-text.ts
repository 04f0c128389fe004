/** The table of the benchmark set, for the terminal and as a page. */
import type { BenchmarkCell, BenchmarkRow } from '../../research/index.ts';
import { type RowColumn, rowsText } from './columns-text.ts';

/** Formats a figure of a row, or "–" if the row has a problem instead of figures. */
const figure =
  (text: (cells: NonNullable<BenchmarkRow['cells']>) => string) =>
  ({ cells }: BenchmarkRow): string =>
    cells === null ? '–' : text(cells);

const COLUMNS: readonly RowColumn<BenchmarkRow>[] = [
  ['strategy', ({ strategy }) => strategy],
  ['risk-averse $', figure((cells) => pnlText(cells['risk-averse']))],
  ['power $', figure(({ power }) => pnlText(power)), { dropOrder: 6 }],
  ['after 30 s $', figure((cells) => cells['risk-averse'].afterMarkout.toFixed(2)), { dropOrder: 3 }],
  ['fills', figure((cells) => cells['risk-averse'].fills.toFixed(0)), { dropOrder: 4 }],
  ['drawdown $', figure((cells) => cells['risk-averse'].drawdown.toFixed(2)), { dropOrder: 5 }],
  ['inventory', figure((cells) => cells['risk-averse'].inventory.toFixed(0)), { dropOrder: 1 }],
  ['both sides %', figure((cells) => shareText(cells['risk-averse'].twoSided)), { dropOrder: 2 }],
  ['verdict', ({ cells, problem, verdict }) => (cells === null ? (problem ?? '') : verdict)],
];

/** Formats a table for each regime. @param width characters a line */
export function benchmarkText(rows: readonly BenchmarkRow[], width: number): string {
  return byRegime(rows)
    .map(([regime, group]) => `${regime} (${marketsText(group)})\n${rowsText(group, COLUMNS, width)}`)
    .join('\n');
}

/** Returns the text of `docs/strategies/results.md`. */
export function benchmarkPage(rows: readonly BenchmarkRow[]): string {
  const titles = COLUMNS.map(([title]) => title).join(' | ');
  const tables = byRegime(rows).map(([regime, group]) => {
    const lines = group.map((row) => `| ${COLUMNS.map(([, cell]) => cell(row)).join(' | ')} |`);
    return `## ${regime}\n\n${marketsText(group)}.\n\n| ${titles} |\n|${'---|'.repeat(COLUMNS.length)}\n${lines.join('\n')}\n`;
  });
  return `${HEAD}\n${tables.join('\n')}`;
}

const HEAD = `# Results of the benchmark set

\`npx halfspread bench-strategies\` makes this table. It runs every strategy that comes with halfspread, and three baseline strategies, on the [benchmark set](../../config/benchmark/README.md): the recorded match and six kinds of synthetic markets. Parameters are those of the shipped configurations. Nothing was fitted to these markets.

Figures are means of a market. P&L is after fees and settlement, under two queue models, with its standard error. "After 30 s" is what maker fills earned against the mid 30 seconds later (risk-averse queue). Drawdown and inventory are those of the risk-averse queue; inventory is the largest of all markets, in shares. "Both sides" is the [two-sided uptime](../spec/models.md#two-sided-uptime), likewise risk-averse.

The verdict is that of the worse queue model: **earned** or **lost** needs a mean of more than 1.645 standard errors under both. Everything else is **no result**, and so is a single market. Synthetic takers do not react to quotes and do not learn, so what earns here has not been shown to earn anywhere else. No strategy is announced as profitable.
`;

function byRegime(rows: readonly BenchmarkRow[]): readonly (readonly [string, readonly BenchmarkRow[]])[] {
  return [...Map.groupBy(rows, ({ regime }) => regime)];
}

function marketsText(rows: readonly BenchmarkRow[]): string {
  const markets = rows[0]?.markets ?? 0;
  return markets === 1 ? 'One market' : `${markets} markets`;
}

function shareText(share: number | null): string {
  return share === null ? '–' : (share * 100).toFixed(0);
}

function pnlText({ pnl, error }: BenchmarkCell): string {
  return error === 0 ? pnl.toFixed(2) : `${pnl.toFixed(2)} ± ${error.toFixed(2)}`;
}
