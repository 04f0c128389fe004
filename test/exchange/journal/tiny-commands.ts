/** Commands for `TinyMachine`, and helpers of journal tests. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import type { ExchangeSink } from '../../../src/exchange/sink.ts';

const START = 1_700_000_000_000;

export function open(at = 0): ExchangeCommand {
  return { type: 'openAccount', time: unchecked.time(START + at), address: '0xaa', unlimited: false };
}

export function transfer(amount: number, at = 0, account = 1): ExchangeCommand {
  const [time, to] = [unchecked.time(START + at), unchecked.account(account)];
  return { type: 'transfer', time, account: to, amount: unchecked.usd(amount) };
}

export function heartbeat(timeout: number, at = 0): ExchangeCommand {
  const [account, credential] = [unchecked.account(1), unchecked.credential(0)];
  return {
    type: 'heartbeat',
    time: unchecked.time(START + at),
    account,
    credential,
    timeout: unchecked.duration(timeout),
  };
}

export function tick(at: number): ExchangeCommand {
  return { type: 'tick', time: unchecked.time(START + at) };
}

/** Sequences of accepted and refused commands and deadlines, in ascending time. */
export const anyHistory: fc.Arbitrary<readonly ExchangeCommand[]> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 5 }),
      fc.oneof(
        fc.constant((at: number) => open(at)),
        fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 3 })).map(([amount, account]) => {
          return (at: number) => transfer(amount, at, account);
        }),
        fc.integer({ min: 1, max: 10 }).map((timeout) => (at: number) => heartbeat(timeout, at)),
        fc.constant((at: number) => tick(at)),
      ),
    ),
    { maxLength: 40 },
  )
  .map((steps) => {
    let now = 0;
    return steps.map(([after, make]) => {
      now += after;
      return make(now);
    });
  });

/** Matches a fault by code and message. */
export function faultOf(code: string, message: RegExp | string): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}

/** Returns a sink that adds each call as a line. */
export function recordingSink(lines: string[], name = ''): ExchangeSink {
  const note =
    (call: string) =>
    (...values: readonly unknown[]): void => {
      lines.push([name, call, ...values.map((value) => JSON.stringify(value))].filter((word) => word !== '').join(' '));
    };
  return {
    accepted: note('accepted'),
    traded: note('traded'),
    reduced: note('reduced'),
    closed: note('closed'),
    rareEvent: note('rareEvent'),
    refused: note('refused'),
    duplicate: note('duplicate'),
  };
}
