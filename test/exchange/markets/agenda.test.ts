import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, marketNo } from '../../../src/domain/index.ts';
import type { MarketCommand } from '../../../src/exchange/market-command.ts';
import { Agenda } from '../../../src/exchange/markets/agenda.ts';

const command = (time: number, note: string): MarketCommand => ({
  type: 'halt',
  time: epochMs(time),
  market: marketNo(0),
  note,
});

describe('the agenda', () => {
  it('returns exactly the due commands, with the current time when they are late', () => {
    const agenda = new Agenda();
    expect([agenda.next, agenda.size, agenda.take(epochMs(100))]).toEqual([undefined, 0, undefined]);
    agenda.add([command(20, 'b'), command(10, 'a')]);
    expect([agenda.next, agenda.size, agenda.take(epochMs(9))]).toEqual([10, 2, undefined]);
    expect(agenda.take(epochMs(10))).toEqual(command(10, 'a'));
    expect([agenda.next, agenda.take(epochMs(25))]).toEqual([20, command(25, 'b')]);
    expect([agenda.next, agenda.size]).toEqual([undefined, 0]);
  });

  it('returns everything by time, then in the order in which it was added', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(9), { maxLength: 5 })), (batches) => {
        const agenda = new Agenda();
        let count = 0;
        const all = batches.map((times) => times.map((time) => command(time, String(count++))));
        for (const batch of all) agenda.add(batch);
        const taken: MarketCommand[] = [];
        for (let next = agenda.next; next !== undefined; next = agenda.next) {
          const command = agenda.take(next);
          if (command !== undefined) taken.push(command);
        }
        expect(taken).toEqual(all.flat().sort((a, b) => a.time - b.time));
      }),
    );
  });
});
