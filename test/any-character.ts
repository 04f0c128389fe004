import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any Unicode character. The unit `binary` of fast-check is the same, but makes a table of a million characters first. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count), placeOf);

/** @throws Error when it is not one character: fast-check then knows that it cannot shorten it */
function placeOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not a character');
  return code < SURROGATES.first ? code : code - SURROGATES.count;
}
