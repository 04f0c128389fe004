/** Trusted markup. The private field prevents other objects from having this type. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  get markup(): string {
    return this.#markup;
  }
}

type Piece = Html | string | number | undefined | readonly Html[];

/** Template tag. Escapes texts, keeps `Html`, joins lists and omits undefined. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return trusted(strings.map((text, index) => text + (index < pieces.length ? toMarkup(pieces[index]) : '')).join(''));
}

/** Does not escape the markup. Use this function only for generated markup, never for outside text. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Escapes a text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A column of short texts, of numbers (`num`), or of texts that may wrap (`long`). */
export type Column = string | { readonly name: string; readonly kind: 'num' | 'long' };

export function numberColumns(...names: readonly string[]): readonly Column[] {
  return names.map((name) => ({ name, kind: 'num' }));
}

export function longTextColumn(name: string): Column {
  return { name, kind: 'long' };
}

type Cells = readonly (string | Html)[];

/** The first cell is the header of the row. `sum` rows are bold with a line above, `part` rows are indented. */
export type Row = Cells | { readonly kind: 'sum' | 'part'; readonly cells: Cells };

/** Returns a table with a caption and headers, which scrolls horizontally if it is wider than the page. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Html {
  const headers = columns.map((column) => (typeof column === 'string' ? { name: column, kind: '' } : column));
  const body = rows.map((row) => {
    const { cells, kind } = 'cells' in row ? row : { cells: row, kind: '' };
    const content = cells.map((cell, index) =>
      index === 0
        ? html`<th scope="row" class="${headers[0]?.kind}">${cell}</th>`
        : html`<td class="${headers[index]?.kind}">${cell}</td>`,
    );
    return html`<tr class="${kind}">${content}</tr>
`;
  });
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
<table><caption>${caption}</caption>
<thead><tr>${headers.map(({ name, kind }) => html`<th scope="col" class="${kind}">${name}</th>`)}</tr></thead>
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

function toMarkup(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.markup;
  return typeof piece === 'object' ? piece.map(({ markup }) => markup).join('') : escapeHtml(String(piece));
}
