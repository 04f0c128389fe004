/** The table of the benchmark set, for the terminal and as a page. */
import type { BenchmarkCell, BenchmarkRow } from '../../research/index.ts';
import { columnsText } from './columns-text.ts';

const TITLES = [
  'strategy',
  'risk-averse $',
  'power $',
  'after 30 s $',
  'fills',
  'drawdown $',
  'inventory',
  'both sides %',
  'verdict',
];

/** Order in which columns are dropped if a line is too narrow; 0 for never. */
const DROP_ORDERS = [0, 0, 6, 3, 4, 5, 1, 2, 0];

/** A table for each regime. @param width characters a line */
export function benchmarkText(rows: readonly BenchmarkRow[], width: number): string {
  return byRegime(rows)
    .map(([regime, own]) => {
      const lines = own.map(cellsOf);
      const columns = TITLES.map((title, at) => ({
        title,
        cells: lines.map((line) => line[at] ?? ''),
        dropOrder: DROP_ORDERS[at] ?? 0,
      }));
      return `${regime} (${marketsText(own)})\n${columnsText(columns, width)}`;
    })
    .join('\n');
}

/** The page `docs/strategies/results.md`. */
export function benchmarkPage(rows: readonly BenchmarkRow[]): string {
  const tables = byRegime(rows).map(([regime, own]) => {
    const lines = own.map((row) => `| ${cellsOf(row).join(' | ')} |`);
    return `## ${regime}\n\n${marketsText(own)}.\n\n| ${TITLES.join(' | ')} |\n|${'---|'.repeat(TITLES.length)}\n${lines.join('\n')}\n`;
  });
  return `${HEAD}\n${tables.join('\n')}`;
}

const HEAD = `# Results of the benchmark set

\`npx halfspread bench-strategies\` makes this table. It runs every strategy that comes with halfspread, and three baseline strategies, on the [benchmark set](../../config/benchmark/README.md): the recorded match and six kinds of synthetic markets. Parameters are those of the shipped configurations. Nothing was fitted to these markets.

Figures are means of a market. P&L is after fees and settlement, under two queue models, with its standard error. "After 30 s" is what maker fills earned against the mid 30 seconds later (risk-averse queue). Drawdown and inventory are those of the risk-averse queue; inventory is the largest of all markets, in shares. "Both sides" is the [two-sided uptime](../spec/models.md#two-sided-uptime), likewise risk-averse.

The verdict is that of the worse queue model: **earned** or **lost** needs a mean of more than 1.645 standard errors under both. Everything else is **no result**, and so is a single market. Synthetic takers do not react to quotes and do not learn, so what earns here has not been shown to earn anywhere else. No strategy is announced as profitable.
`;

function byRegime(rows: readonly BenchmarkRow[]): readonly (readonly [string, readonly BenchmarkRow[]])[] {
  return [...new Set(rows.map(({ regime }) => regime))].map((regime) => [
    regime,
    rows.filter((row) => row.regime === regime),
  ]);
}

function marketsText(rows: readonly BenchmarkRow[]): string {
  const markets = rows[0]?.markets ?? 0;
  return markets === 1 ? 'One market' : `${markets} markets`;
}

function cellsOf({ strategy, cells, problem, verdict }: BenchmarkRow): readonly string[] {
  if (cells === null) return [strategy, ...Array.from({ length: TITLES.length - 2 }, () => '–'), problem ?? ''];
  const { 'risk-averse': strict, power } = cells;
  return [
    strategy,
    pnlText(strict),
    pnlText(power),
    strict.afterMarkout.toFixed(2),
    strict.fills.toFixed(0),
    strict.drawdown.toFixed(2),
    strict.inventory.toFixed(0),
    strict.twoSided === null ? '–' : (strict.twoSided * 100).toFixed(0),
    verdict,
  ];
}

function pnlText({ pnl, error }: BenchmarkCell): string {
  return error === 0 ? pnl.toFixed(2) : `${pnl.toFixed(2)} ± ${error.toFixed(2)}`;
}
