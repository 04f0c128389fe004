/**
 * Texts as bytes: a number that says twice the length in UTF-16 units, plus 1 when they are two bytes each, and the units.
 * Any text comes back as it was, also one that is no well-formed Unicode.
 */

/** Whether each of its units fits in one byte of its own (U+0000 … U+00FF). */
export function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** How many bytes its units take. */
export function textBytes(text: string, narrow: boolean): number {
  return narrow ? text.length : text.length * 2;
}

/** Writes its units, without the length. @returns where they end */
export function putText(bytes: Uint8Array, at: number, text: string, narrow: boolean): number {
  let to = at;
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    bytes[to] = code;
    to += 1;
    if (narrow) continue;
    bytes[to] = code >> 8;
    to += 1;
  }
  return to;
}

/** Reads units back. */
export function textOf(bytes: Uint8Array, narrow: boolean): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE) {
    const piece = bytes.subarray(from, from + PIECE);
    // Applied, as spreading a typed array walks its iterator: four times as slow.
    text += Reflect.apply(String.fromCharCode, undefined, narrow ? piece : wide(piece));
  }
  return text;
}

/** Even, and few enough to be arguments of one call. */
const PIECE = 8_192;

function wide(bytes: Uint8Array): readonly number[] {
  const units: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) units.push((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
  return units;
}
