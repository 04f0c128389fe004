/** Markup that can be trusted, and the only way to make it: whatever is put into an `html` template is escaped. */

/** Finished markup. The private field makes the type its own: no other object passes for one. */
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

/** `html` + template: texts are escaped, `Html` stays, lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return trusted(strings.map((text, index) => text + (index < pieces.length ? markupOf(pieces[index]) : '')).join(''));
}

/** Takes markup as it is. For what this folder made itself (drawn charts, the style sheet), never for outside text. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Text as it may stand in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function markupOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.markup;
  return typeof piece === 'object' ? piece.map(({ markup }) => markup).join('') : escapeHtml(String(piece));
}
