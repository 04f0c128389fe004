import { describe, expect, it } from 'vitest';
import { NETWORK_LIMITS, parseJson, tryParseJson } from '../../src/network/index.ts';
import { answerOfHttp, readMessage } from '../../src/venues/service/transport/answer-codec.ts';

const MOST = NETWORK_LIMITS.nesting;
/** More than is parsed without a look at its nesting. */
const LONG = 'x'.repeat(5_000);

function nested(depth: number, inside = ''): string {
  return '['.repeat(depth) + inside + ']'.repeat(depth);
}

describe('JSON from a peer', () => {
  it('may be nested as deeply as the bound, and no deeper', () => {
    expect(parseJson(nested(MOST, JSON.stringify(LONG)))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(MOST + 1, JSON.stringify(LONG)))).toThrow(`more than ${MOST} brackets`);
    expect(() => parseJson(`{"a":${nested(MOST, JSON.stringify(LONG))}}`)).toThrow(`more than ${MOST} brackets`);
  });

  it('may have any brackets in strings, and after them only as many as the bound', () => {
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
      expect(() => parseJson(`{"a":${JSON.stringify(text)},"b":${nested(MOST)}}`)).toThrow(
        `more than ${MOST} brackets`,
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
    const shape = { name: 'markets', selection: undefined, isAdapted: false };
    const answer = answerOfHttp(
      { status: 200, retryAfterMs: undefined, text: `{"data":{"markets":${deep}}}` },
      'http://venue',
      shape,
    );
    expect(answer).toMatchObject({ type: 'blocked', status: 200, problem: expect.stringContaining('instead of JSON') });
  });
});
