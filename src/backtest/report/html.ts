/** Templates that escape inserted texts. */

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
  return trusted(strings.map((text, index) => text + (index < pieces.length ? markupOf(pieces[index]) : '')).join(''));
}

/** Returns markup without escaping. Use it for drawn charts and the style sheet only, never for outside text. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Escapes a text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function markupOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.markup;
  return typeof piece === 'object' ? piece.map(({ markup }) => markup).join('') : escapeHtml(String(piece));
}
