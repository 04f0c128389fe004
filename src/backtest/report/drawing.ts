/** Draws charts as SVG text with Observable Plot and jsdom. Loading jsdom takes half a second. */
import { createRequire } from 'node:module';
import type * as Plot from '@observablehq/plot';
import { type Html, html, trusted } from './html.ts';

/** The part of jsdom that this file uses. The types of jsdom would add all browser globals to the project. */
interface DomModule {
  readonly JSDOM: new () => { readonly window: { readonly document: DomDocument } };
}

type DomDocument = NonNullable<Plot.PlotOptions['document']>;

/** Width and margins. Each chart is drawn in all formats, and the style sheet shows the format that fits the screen. */
interface Format {
  readonly name: 'wide' | 'narrow';
  readonly width: number;
  readonly marginLeft: number;
  readonly marginRight: number;
}

const FORMATS: readonly Format[] = [
  { name: 'wide', width: 1040, marginLeft: 64, marginRight: 16 },
  { name: 'narrow', width: 350, marginLeft: 50, marginRight: 12 },
];

export interface Chart {
  readonly title: string;
  /** Description for screen readers. */
  readonly description: string;
  options(plot: typeof Plot, format: Format): Plot.PlotOptions;
}

export type ChartRenderer = (chart: Chart) => Html;

export async function loadChartRenderer(): Promise<ChartRenderer> {
  const dom: DomModule = createRequire(import.meta.url)('jsdom');
  const plot = await import('@observablehq/plot');
  const { document } = new dom.JSDOM().window;
  return (chart) => html`${FORMATS.map((format) => drawFormat(plot, document, chart, format))}`;
}

function drawFormat(plot: typeof Plot, document: DomDocument, chart: Chart, format: Format): Html {
  const { width, marginLeft, marginRight } = format;
  const options = chart.options(plot, format);
  const svg = plot.plot({ document, className: 'plot', width, marginLeft, marginRight, ...options });
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${chart.title}. ${chart.description}`);
  return html`<div class="${format.name}">${trusted(compactSvg(svg.outerHTML))}</div>`;
}

export function figure(renderChart: ChartRenderer, chart: Chart, caption: string, legend?: Html): Html {
  return html`<h3>${chart.title}</h3>
${legend}<figure>${renderChart(chart)}
<figcaption>${caption}</figcaption></figure>
`;
}

/** Rounds coordinates to 0.1 pixel. Removes Plot's style sheet, because the page has one style sheet for all charts. */
function compactSvg(svg: string): string {
  return (
    svg
      .replace(/<style>.*?<\/style>/s, '')
      // An element without a role must not have an `aria-label`.
      .replaceAll('<g aria-label=', '<g data-part=')
      .replace(/ (?:d|transform|points)="[^"]*"/g, (attribute) =>
        attribute.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10)),
      )
  );
}
