/** JSON of a peer. `JSON.parse` takes seconds for millions of nested brackets, and other messages wait meanwhile. */
import { NETWORK_LIMITS } from './limits.ts';

/** Characters up to which any nesting is parsed in no time: nearly all messages are not looked at twice. */
const SMALL = 4_096;
const QUOTE = 34;
const BACKSLASH = 92;

/** @throws SyntaxError for what is no JSON, and for a text of more than 4,096 characters that is nested too deeply */
export function parseJson(text: string): unknown {
  const { nesting } = NETWORK_LIMITS;
  if (text.length > SMALL && isNestedBeyond(text, nesting)) {
    throw new SyntaxError(`more than ${nesting} brackets in each other`);
  }
  return JSON.parse(text);
}

/** Whether more than `most` brackets are nested; those in strings do not count. */
function isNestedBeyond(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // { and [
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return false;
}

/** Index of the closing quote of the string that starts here; the text's length without one. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
