import type { Chart, Drawing } from './drawing.ts';
import { type Html, html } from './html.ts';

export function figure(drawing: Drawing, chart: Chart, caption: string, legend?: Html): Html {
  return html`<h3>${chart.title}</h3>
${legend}<figure>${drawing.draw(chart)}
<figcaption>${caption}</figcaption></figure>
`;
}
