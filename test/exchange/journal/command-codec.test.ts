import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../../src/domain/byte-reader.ts';
import { ByteWriter } from '../../../src/domain/byte-writer.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { COMMAND_CODES, decodeCommand, encodeCommand } from '../../../src/exchange/journal/command-codec.ts';
import { decodeTerms } from '../../../src/exchange/journal/terms-codec.ts';
import { anyCommand, anyCommandOf, COMMAND_TYPES } from './any-command.ts';
import { faultOf } from './tiny-commands.ts';

function encoded(...commands: readonly ExchangeCommand[]): Uint8Array {
  const writer = new ByteWriter(1);
  for (const command of commands) encodeCommand(command, writer);
  return writer.written().slice();
}

function decoded(bytes: Uint8Array): readonly ExchangeCommand[] {
  const reader = new ByteReader(bytes);
  const commands: ExchangeCommand[] = [];
  while (!reader.isAtEnd) commands.push(decodeCommand(reader.byte(), reader));
  return commands;
}

describe('an encoded command', () => {
  it.each(COMMAND_TYPES)('%s is decoded unchanged, invalid fields included', (type) => {
    fc.assert(
      fc.property(anyCommandOf(type), (command) => {
        expect(decoded(encoded(command))).toEqual([command]);
      }),
      { numRuns: 500 },
    );
  });

  it('is decoded after other commands', () => {
    fc.assert(
      fc.property(fc.array(anyCommand), (commands) => {
        expect(decoded(encoded(...commands))).toEqual(commands);
      }),
    );
  });

  it('is refused when it is cut short', () => {
    fc.assert(
      fc.property(anyCommand, fc.nat(), (command, cut) => {
        const bytes = encoded(command);
        expect(() => decoded(bytes.subarray(0, 1 + (cut % (bytes.length - 1))))).toThrow(/^expected/);
      }),
      { numRuns: 500 },
    );
  });

  it.each([0, 8, 255])('with code %i is refused as a later version', (code) => {
    expect(() => decodeCommand(code, new ByteReader(new Uint8Array(100)))).toThrow(
      faultOf('JOURNAL_BYTES', `no command has the code ${code}`),
    );
  });

  it.each(['null', '{}', '{"type":7}', '[]', '{'])('is refused when its JSON is %s', (text) => {
    const writer = new ByteWriter();
    writer.text(text);
    const reader = new ByteReader(writer.written());
    expect(() => decodeCommand(COMMAND_CODES.other, reader)).toThrow(
      faultOf('JOURNAL_BYTES', /^expected (a command|JSON), got/),
    );
  });

  it.each([
    ['place', 'timeInForce', 'DAY'],
    ['place', 'outcome', 'MAYBE'],
    ['place', 'side', 'HOLD'],
    ['place', 'selfTrade', ''],
    ['place', 'restriction', 'NONE'],
    ['place', 'postOnly', 1],
    ['place', 'market', '0'],
    ['place', 'price', '5250'],
    ['place', 'shares', null],
    ['place', 'expiration', false],
    ['place', 'timestampMs', undefined],
    ['place', 'epoch', '0'],
    ['place', 'maxFeeBps', {}],
    ['place', 'replaces', '0x00'],
    ['place', 'group', ''],
    ['place', 'hash', 7],
    ['place', 'clientOrderId', null],
    ['place', 'account', '1'],
    ['cancel', 'orders', ['1']],
    ['cancel', 'orders', 7],
    ['reduce', 'by', null],
    ['replace', 'cancel', 'some'],
    ['replace', 'mustReplace', 'yes'],
    ['placeBatch', 'orders', [{ outcome: 'MAYBE' }]],
  ] as const)('%s with an invalid %s is decoded unchanged', (type, key, value) => {
    const [command] = fc.sample(anyCommandOf(type), 1);
    const invalid = { ...command, [key]: value } as unknown as ExchangeCommand;
    expect(decoded(encoded(invalid))).toEqual([invalid]);
    expect(encoded(invalid)[0]).toBe(COMMAND_CODES.other);
  });

  it('has 25 bytes for an order, 57 for an order with a signed digest, 15 for a cancel, and 17 for a reduce', () => {
    const place = {
      type: 'place',
      time: 1_790_000_000_000,
      account: 77,
      credential: 3,
      market: 12,
      outcome: 'NO',
      side: 'BUY',
      price: 5250,
      shares: 100_000_000,
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
      timestampMs: 1_789_999_999_900,
      epoch: 0,
      maxFeeBps: 200,
      replaces: 0,
      selfTrade: 'CANCEL_TAKER',
      group: 0,
      restriction: undefined,
      hash: undefined,
      clientOrderId: undefined,
    } as unknown as ExchangeCommand;
    const signed = { ...place, hash: `0x${'0f'.repeat(32)}` } as ExchangeCommand;
    const cancel = { type: 'cancel', time: 1_790_000_000_000, account: 77, credential: 3, orders: [1e6] };
    expect(encoded(place)).toHaveLength(25);
    expect(encoded(signed)).toHaveLength(57);
    const reduce = { type: 'reduce', time: 1_790_000_000_000, account: 77, credential: 3, order: 1e6, by: 10_000 };
    expect(encoded(cancel as unknown as ExchangeCommand)).toHaveLength(15);
    expect(encoded(reduce as unknown as ExchangeCommand)).toHaveLength(17);
  });

  it('is refused when its code of a self-trade mode is unknown', () => {
    const unknownMode = 3 << 5;
    const terms = new ByteReader(Uint8Array.of(unknownMode, 0, 0, 0, 0, 0, 0, 0));
    expect(() => decodeTerms(0, terms)).toThrow(
      faultOf('JOURNAL_BYTES', '3 is not an index of CANCEL_TAKER, CANCEL_MAKER, CANCEL_BOTH'),
    );
  });

  it('cannot contain a value that JSON lacks', () => {
    const command = { type: 'split', time: 1, account: 1, market: 0, shares: 1n } as unknown as ExchangeCommand;
    expect(() => encoded(command)).toThrow('Invariant: a bigint cannot be journalled');
  });
});
