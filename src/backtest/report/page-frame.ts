/** The frame of all reports: a page without external files, with styles, scripts and a bar that zooms all charts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Html, html, trusted } from './html.ts';
import { STYLE } from './style.ts';
import type { View } from './time-charts.ts';

interface PageParts {
  readonly title: string;
  readonly header: Html;
  readonly main: Html;
  readonly footer: Html;
  /** Time range of the charts; undefined for a page without charts over time, which gets no script. */
  readonly view?: View;
}

/** Renders the page. The same parts give the same bytes. */
export function pageFrame({ title, header, main, footer, view }: PageParts): string {
  const scripts = view === undefined ? [] : pageScripts();
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`).join(' ');
  const style = `${readFileSync(uplotFile('uPlot.min.css'), 'utf8')}${STYLE}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${trusted(hashes === '' ? `'none'` : hashes)}; img-src data:">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
${view === undefined ? html`<body>` : html`<body data-from="${view.from}" data-to="${view.to}" data-zoom-from="${view.zoomFrom}" data-zoom-to="${view.zoomTo}">`}
<header>
${header}
</header>
${view === undefined ? undefined : CHART_BAR}
<main>
${contents(main)}
${main}
</main>
<footer>${footer}</footer>
${scripts.map((script) => html`<script>${trusted(script)}</script>`)}
</body>
</html>
`;
  return page.markup;
}

export function card(name: string, value: string, aside: string): Html {
  return html`<li><span class="name">${name}</span><span class="value">${value}</span><span class="aside">${aside}</span></li>
`;
}

/** Returns warnings for the top of a page; empty without sentences. */
export function notes(sentences: readonly string[]): Html {
  if (sentences.length === 0) return html``;
  return html`<aside class="notes"><h2>Read this before you believe it</h2>
<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></aside>`;
}

const CHART_BAR = html`<div class="bar" role="toolbar" aria-label="Charts" hidden>
<span id="range" class="range"></span>
${button('earlier', 'Earlier', '←')}
${button('later', 'Later', '→')}
${button('in', 'Zoom in', '+')}
${button('out', 'Zoom out', '−')}
${button('whole', 'Show the whole run', 'Whole run')}
<button type="button" id="theme" aria-label="Switch between light and dark" title="Switch between light and dark">◐</button>
</div>
<noscript><p class="notes">Charts over time need scripts. All figures are in the tables.</p></noscript>`;

/** Returns links to the headings of the page, except those of single markets, which a table links to. */
function contents({ markup }: Html): Html {
  const headings = [...markup.matchAll(/<h2 id="(?!market-)([^"]+)">([^<]*)<\/h2>/g)];
  const links = headings.map(([, id = '', text = '']) => html`<li><a href="#${id}">${trusted(text)}</a></li>`);
  return html`<nav class="contents" aria-label="Contents"><ul>${links}</ul></nav>`;
}

function button(zoom: string, name: string, text: string): Html {
  return html`<button type="button" data-zoom="${zoom}" aria-label="${name}" title="${name}">${text}</button>`;
}

/** Returns the code of uPlot (MIT; credited in its first line) and of the scripts next to this module or bundle. */
function pageScripts(): readonly string[] {
  const ownScripts = ['page-numbers.js', 'page-fills.js', 'page-script.js'].map(ownFile);
  return [uplotFile('uPlot.iife.min.js'), ...ownScripts].map((file) => readFileSync(file, 'utf8'));
}

function uplotFile(name: string): string {
  return import.meta.url.endsWith('.ts') ? createRequire(import.meta.url).resolve(`uplot/dist/${name}`) : ownFile(name);
}

function ownFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
