/** Depth of brackets in a document that nobody has parsed yet. */

const QUOTE = 34;
const HASH = 35;
const BACKSLASH = 92;

/** Whether more than `most` brackets of any kind stand within each other, strings and comments left out. */
export function isNestedBeyond(text: string, most: number): boolean {
  // Nearly every document: too short to hold so many.
  if (text.length <= most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === HASH) at = endOfLine(text, at);
    else if (isOpening(code)) {
      depth += 1;
      if (depth > most) return true;
    } else if (isClosing(code)) depth -= 1;
  }
  return false;
}

function isOpening(code: number): boolean {
  return code === 123 || code === 91 || code === 40;
}

function isClosing(code: number): boolean {
  return code === 125 || code === 93 || code === 41;
}

/** Index of the last quote of the string that begins here; past the end where it has none. */
function endOfString(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    let end = text.indexOf('"""', start + 3);
    while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end = text.indexOf('"""', end + 3);
    return end < 0 ? text.length : end + 2;
  }
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    // A string may not pass the line's end; the parser says so, here it only must not hide what follows.
    else if (code === QUOTE || code === 10 || code === 13) return at;
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}
