import { type Html, html } from './html.ts';

export interface Column {
  readonly name: string;
  /** Aligned to the right. */
  readonly numeric?: boolean;
  /** Text that may wrap. */
  readonly long?: boolean;
}

/** Makes numeric columns. */
export function numbers(...names: readonly string[]): readonly Column[] {
  return names.map((name) => ({ name, numeric: true }));
}

/** A row of a table. */
export interface Row {
  /** The first cell is the header of the row. */
  readonly cells: readonly (string | Html)[];
  /** `sum` rows are bold with a line above, `part` rows are indented. */
  readonly kind?: 'sum' | 'part';
}

/** A table with a caption and headers. It scrolls horizontally if it is wider than the page. */
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
