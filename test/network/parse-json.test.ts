import { describe, expect, it } from 'vitest';
import { NETWORK_LIMITS, parseJson, tryParseJson } from '../../src/network/index.ts';
import { decodeHttpAnswer, readMessage } from '../../src/venues/service/transport/answer-codec.ts';

const MAX_NESTING = NETWORK_LIMITS.nesting;
/** Longer than texts that are parsed without a check of their nesting. */
const LONG = 'x'.repeat(5_000);

function nested(depth: number, inside = ''): string {
  return '['.repeat(depth) + inside + ']'.repeat(depth);
}

describe('JSON from a peer', () => {
  it('may be nested up to the limit, and no deeper', () => {
    expect(parseJson(nested(MAX_NESTING, JSON.stringify(LONG)))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(MAX_NESTING + 1, JSON.stringify(LONG)))).toThrow(
      `nested more than ${MAX_NESTING} levels deep`,
    );
    expect(() => parseJson(`{"a":${nested(MAX_NESTING, JSON.stringify(LONG))}}`)).toThrow(
      `nested more than ${MAX_NESTING} levels deep`,
    );
  });

  it('may have any number of brackets in strings, and up to the limit after them', () => {
    const brackets = '['.repeat(5_000);
    for (const text of [
      brackets,
      `\\${brackets}`,
      `"${brackets}`,
      `\\"${brackets}`,
      `${brackets}\\`,
      `é${brackets}"`,
    ]) {
      expect(parseJson(JSON.stringify({ a: text }))).toEqual({ a: text });
      expect(() => parseJson(`{"a":${JSON.stringify(text)},"b":${nested(MAX_NESTING)}}`)).toThrow(
        `nested more than ${MAX_NESTING} levels deep`,
      );
    }
  });

  it('may have any number of brackets side by side', () => {
    const list = Array.from({ length: 10_000 }, () => [{}]);
    expect(parseJson(JSON.stringify(list))).toEqual(list);
  });

  it('with four million nested brackets is neither a message nor an answer', () => {
    const deep = nested(4_000_000);
    const frame = `{"type":"next","id":"1","payload":{"data":{"orderBookUpdated":${deep}}}}`;
    expect(readMessage(tryParseJson(Buffer.from(frame)))).toBeUndefined();
    const shape = { name: 'markets', selection: undefined, isOverridden: false };
    const answer = decodeHttpAnswer(
      { status: 200, retryAfterMs: undefined, text: `{"data":{"markets":${deep}}}` },
      'http://venue',
      shape,
    );
    expect(answer).toMatchObject({ type: 'blocked', status: 200, problem: expect.stringContaining('instead of JSON') });
  });
});
