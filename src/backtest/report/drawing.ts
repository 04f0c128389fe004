/**
 * Observable Plot in a DOM of its own: charts as SVG text. Loaded only when a report is made (jsdom takes half a
 * second).
 */
import { createRequire } from 'node:module';
import type * as Plot from '@observablehq/plot';
import { type Html, html, trusted } from './html.ts';

/** The little of jsdom that drawing needs; its own types would bring all browser globals into the project. */
interface DomModule {
  readonly JSDOM: new () => { readonly window: { readonly document: DomDocument } };
}

type DomDocument = NonNullable<Plot.PlotOptions['document']>;

/** Width and what follows from it: every chart is drawn for a desk and for a phone, style picks one. */
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
  /** What is seen, for those who cannot see it. */
  readonly description: string;
  options(plot: typeof Plot, format: Format): Plot.PlotOptions;
}

export interface Drawing {
  draw(chart: Chart): Html;
}

export async function openDrawing(): Promise<Drawing> {
  const dom: DomModule = createRequire(import.meta.url)('jsdom');
  const plot = await import('@observablehq/plot');
  const { document } = new dom.JSDOM().window;
  return { draw: (chart) => html`${FORMATS.map((format) => drawn(plot, document, chart, format))}` };
}

function drawn(plot: typeof Plot, document: DomDocument, chart: Chart, format: Format): Html {
  const { width, marginLeft, marginRight } = format;
  const own = chart.options(plot, format);
  const svg = plot.plot({ document, className: 'plot', width, marginLeft, marginRight, ...own });
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${chart.title}. ${chart.description}`);
  return html`<div class="${format.name}">${trusted(shortened(svg.outerHTML))}</div>`;
}

/** A chart with its title and a caption that explains it. */
export function figure(drawing: Drawing, chart: Chart, caption: string, legend?: Html): Html {
  return html`<h3>${chart.title}</h3>
${legend}<figure>${drawing.draw(chart)}
<figcaption>${caption}</figcaption></figure>
`;
}

/** Coordinates to a tenth of a pixel, and without Plot's own style sheet: the page has one for all charts. */
function shortened(svg: string): string {
  return (
    svg
      .replace(/<style>.*?<\/style>/s, '')
      // A group has no role, so it may have no label.
      .replaceAll('<g aria-label=', '<g data-part=')
      .replace(/ (?:d|transform|points)="[^"]*"/g, (attribute) =>
        attribute.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10)),
      )
  );
}
