/** Parts of pages for other modules. Separate from the index of backtests, so that runs do not load these parts. */
export { renderComparison, renderSensitivity } from './comparison-page.ts';
export { type Chart, figure, loadChartRenderer } from './drawing.ts';
export { type Html, html, numberColumns, table } from './html.ts';
export { notes, pageFrame } from './page-frame.ts';
export { writeAtomically } from './write-report.ts';
