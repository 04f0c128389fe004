import { type Html, html } from './html.ts';

/** A column of a table: numbers stand to the right, sentences may be broken into lines. */
export interface Column {
  readonly name: string;
  readonly numeric?: boolean;
  readonly long?: boolean;
}

/** Columns of numbers by their names. */
export function numbers(...names: readonly string[]): readonly Column[] {
  return names.map((name) => ({ name, numeric: true }));
}

/** A row: its first cell is its header. `kind` sums are set off, parts are indented. */
export interface Row {
  readonly cells: readonly (string | Html)[];
  readonly kind?: 'sum' | 'part';
}

/** A table with caption and headers, in a box that scrolls sideways by itself where it is too wide. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Html {
  const classOf = (index: number): string => {
    const column = columns[index];
    return column?.numeric === true ? 'num' : column?.long === true ? 'long' : '';
  };
  const head = columns.map((column, index) => html`<th scope="col" class="${classOf(index)}">${column.name}</th>`);
  const body = rows.map(
    ({ cells, kind }) =>
      html`<tr class="${kind ?? ''}">${cells.map((cell, index) =>
        index === 0
          ? html`<th scope="row" class="${columns[0]?.long === true ? 'long' : ''}">${cell}</th>`
          : html`<td class="${classOf(index)}">${cell}</td>`,
      )}</tr>
`,
  );
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
<table><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
`;
}

export function facts(rows: readonly { readonly name: string; readonly value: string | Html }[]): Html {
  return html`<dl>
${rows.map(
  ({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>
`,
)}</dl>
`;
}
