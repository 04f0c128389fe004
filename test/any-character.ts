import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any Unicode character. Unlike fast-check's unit `binary`, it builds no table of a million characters. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count), indexOf);

/** @throws Error when the text is not one character, so that fast-check does not shrink it */
function indexOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not a character');
  return code < SURROGATES.first ? code : code - SURROGATES.count;
}
