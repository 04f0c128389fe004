/** Slugs of markets: the question as lower-case ASCII words (docs/spec/venue.md#creating-a-market). */

/** Latin letters with marks. Unicode never changes their decomposition, so slugs are stable. */
const MARKED = /[\u00c0-\u024f\u1e00-\u1eff]/g;
const MARKS = /[\u0300-\u036f]/g;
/** Latin letters without a decomposition. */
const WHOLE = /[ßæœøđłıðþ]/g;
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};

/** `Will Óscar's team win in "2027"?` is `will-oscars-team-win-in-2027`; a question without such words is `market`. */
export function slugOf(question: string): string {
  const plain = question
    .replace(MARKED, (letter) => letter.toLowerCase().normalize('NFD'))
    .replace(MARKS, '')
    .replace(WHOLE, (letter) => SPELLED[letter] ?? '')
    .replace(/['’]/g, '')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? 'market';
}
