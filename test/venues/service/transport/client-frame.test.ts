import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRequest,
  ClientFrame,
  jsonText,
  type Piece,
  requestHead,
  requestJson,
} from '../../../../src/venues/service/transport/client-frame.ts';

/** Decodes a frame as in RFC 6455, 5.2. */
function decode(frame: Uint8Array): { text: string; mask: string; header: number } {
  const bytes = Buffer.from(frame);
  expect(bytes[0], 'final, text').toBe(0x81);
  const second = bytes[1] ?? 0;
  expect(second & 0x80, 'masked').toBe(0x80);
  const short = second & 0x7f;
  const headEnd = { 126: 4, 127: 10 }[short] ?? 2;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const mask = bytes.subarray(headEnd, headEnd + 4);
  const masked = bytes.subarray(headEnd + 4);
  expect(masked.length).toBe(length);
  const text = Buffer.from(masked.map((byte, at) => byte ^ (mask[at % 4] ?? 0))).toString();
  return { text, mask: mask.toString('hex'), header: headEnd + 4 };
}

function encode(frame: ClientFrame, ...pieces: readonly Piece[]): Buffer {
  for (const piece of pieces) frame.add(piece);
  return frame.finish();
}

describe('a client frame', () => {
  it.each([
    [0, 6],
    [1, 6],
    [125, 6],
    [126, 8],
    [65_535, 8],
    [65_536, 14],
    [200_001, 14],
  ])('of %i bytes has a header of %i bytes', (length, header) => {
    const text = 'x'.repeat(length);
    expect(decode(encode(new ClientFrame(), text))).toMatchObject({ text, header });
    expect(decode(encode(new ClientFrame(), Buffer.from(text)))).toMatchObject({ text, header });
  });

  it('contains its pieces in order, whatever was sent before', () => {
    const frame = new ClientFrame();
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary-ascii', maxLength: 600 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => Buffer.from(text)),
      fc.integer({ min: 30_000, max: 90_000 }).map((length) => 'y'.repeat(length)),
    );
    const check = fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      expect(decode(encode(frame, ...pieces)).text).toBe(pieces.map(String).join(''));
    });
    fc.assert(check, { numRuns: 300 });
  });

  it('has a new random mask each time', () => {
    const frame = new ClientFrame();
    const masks = Array.from({ length: 3_000 }, () => decode(encode(frame, 'same')).mask);
    // Among 3,000 random masks of 32 bits, one pair is equal in about a thousand runs; ten are practically impossible.
    expect(new Set(masks).size).toBeGreaterThan(2_990);
  });

  it('keeps its bytes while the next frame is written', () => {
    const frame = new ClientFrame();
    const first = encode(frame, 'the first');
    frame.release();
    const second = encode(frame, 'the second one');
    expect([decode(first).text, decode(second).text]).toEqual(['the first', 'the second one']);
  });
});

describe('a request', () => {
  const document = 'query Q($i: Int) { a(text: "ü") }';
  const variables = ['{"i":', Buffer.from('[1]'), '}'];
  const head = requestHead(document);

  it('is one JSON text over HTTP', () => {
    expect(JSON.parse(requestJson({ head, variables }))).toEqual({ query: document, variables: { i: [1] } });
    expect(jsonText(['{', ['"a":'].join(), Buffer.from('"ü"'), '}'])).toBe('{"a":"ü"}');
    expect(JSON.parse(requestJson({ head, variables: '{"i":2}' })).variables).toEqual({ i: 2 });
  });

  it('is one message over a socket', () => {
    const frame = new ClientFrame();
    addRequest(frame, '7', { head, variables });
    const payload = { query: document, variables: { i: [1] } };
    expect(JSON.parse(decode(frame.finish()).text)).toEqual({ id: '7', type: 'subscribe', payload });
    addRequest(frame, '8', { head, variables: Buffer.from('{}') });
    expect(JSON.parse(decode(frame.finish()).text)).toMatchObject({ id: '8', payload: { variables: {} } });
  });
});
