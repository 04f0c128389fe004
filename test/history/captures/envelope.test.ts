import { describe, expect, it } from 'vitest';
import { openEnvelope, parseReceiveTime, readLine } from '../../../src/history/captures/envelope.ts';

const MESSAGE = { event_type: 'book', timestamp: '1' };
const isMessage = (value: object): boolean => 'event_type' in value;
const AT = 1_700_000_000_123;

describe('the envelope of a recorded message', () => {
  it.each([
    ['nothing', JSON.stringify(MESSAGE), undefined],
    ['an object', JSON.stringify({ received_at: AT, message: MESSAGE }), AT],
    ['an object with other keys', JSON.stringify({ ts: AT / 1_000, channel: 'market', data: MESSAGE }), AT],
    ['an object with the message as text', JSON.stringify({ recv_ts: AT * 1_000, raw: JSON.stringify(MESSAGE) }), AT],
    ['a list', JSON.stringify([AT, MESSAGE]), AT],
    ['a list with the message as text', JSON.stringify(['2023-11-14T22:13:20.123Z', JSON.stringify(MESSAGE)]), AT],
    ['a time before it', `2023-11-14T22:13:20.123456Z ${JSON.stringify(MESSAGE)}`, AT],
    ['a number before it', `${AT}000000: ${JSON.stringify(MESSAGE)}`, AT],
  ])('may be %s', (_, line, receivedAt) => {
    expect(readLine(line, isMessage)).toEqual({ message: MESSAGE, receivedAt });
  });

  it('is distinguished from a list of messages', () => {
    expect(readLine(JSON.stringify([MESSAGE, MESSAGE]), isMessage)).toEqual({
      message: [MESSAGE, MESSAGE],
      receivedAt: undefined,
    });
  });

  it('may be a key that the recorder adds to the message, but not a time of the venue', () => {
    const marked = { ...MESSAGE, received_at: AT };
    expect(openEnvelope(marked, isMessage)).toEqual({ message: marked, receivedAt: AT });
    expect(openEnvelope({ ...MESSAGE, ts: 5, time: 6 }, isMessage).receivedAt).toBeUndefined();
  });

  it('has no receive time when the time cannot be read', () => {
    expect(parseReceiveTime('2026-02-08 18:00:00')).toBeNaN();
    expect(parseReceiveTime('soon')).toBeNaN();
    expect(parseReceiveTime(null)).toBeNaN();
    expect(parseReceiveTime(0)).toBeNaN();
  });

  it('may have its time in any unit and zone, which is truncated to milliseconds', () => {
    expect(
      [AT, AT / 1_000, AT * 1_000 + 999, String(AT), '2023-11-14 23:13:20.1239+01:00'].map(parseReceiveTime),
    ).toEqual([AT, AT, AT, AT, AT]);
  });

  it('is refused when the message is not JSON', () => {
    expect(() => readLine('{"a"', isMessage)).toThrow(SyntaxError);
    expect(() => readLine('{"data":"{x"}', isMessage)).toThrow(SyntaxError);
  });
});
