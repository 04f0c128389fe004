import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { counted } from '../../src/domain/index.ts';
import { ExchangeMachine, JournaledExchange, type MachineOptions, recover } from '../../src/exchange/index.ts';
import { FileJournal } from '../../src/store/index.ts';
import { move } from '../exchange/properties/moves.ts';
import { CONFIG, play } from '../exchange/properties/sequence.ts';
import { CallList } from '../exchange/twin/calls.ts';
import { CrashDisk } from './crash-disk.ts';

const options: MachineOptions = {
  config: CONFIG,
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
};

function recovered(journal: FileJournal) {
  const restore = (reader: Parameters<typeof ExchangeMachine.restore>[0]) => ExchangeMachine.restore(reader, options);
  return recover({ journal, fresh: () => new ExchangeMachine(options), restore });
}

describe('the real exchange on files', () => {
  it('is after a loss of power at some moment what it was after one of its commands, none of the acknowledged missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 10, maxLength: 60, size: 'max' }),
        fc.constantFrom(0, 9),
        fc.nat(),
        async (moves, snapshotEvery, seed) => {
          const random = seededRandom(seed);
          const disk = new CrashDisk();
          const journal = await FileJournal.open(disk, { segmentBytes: 2_000 });
          disk.isWaiting = true;
          const machine = new ExchangeMachine(options);
          const hashes = [machine.stateHash()];
          const onFault = (fault: Error): never => {
            throw fault;
          };
          // What it tells is needed at once to make the next command; what is durable is asked for.
          const exchange = new JournaledExchange({ machine, journal, onFault, snapshotEvery, awaitDurable: false });
          let acknowledged = 0;
          play(moves, {
            carryOut(command) {
              const list = new CallList();
              exchange.apply(command, list);
              const record = exchange.sequence;
              hashes[record] = machine.stateHash();
              exchange.whenDurable(() => {
                acknowledged = record;
              });
              return list.calls;
            },
            tickOf: (market) => machine.exchange.view.market(counted.market(market))?.tickBps,
          });
          for (let steps = random.int(60); steps > 0; steps--) await disk.step();
          const again = await FileJournal.open(disk.crash(() => random.uniform()));
          const back = recovered(again);
          expect(again.last).toBeGreaterThanOrEqual(acknowledged);
          expect(back.machine.stateHash()).toBe(hashes[again.last]);
          expect(back.notes).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
