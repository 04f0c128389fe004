/**
 * A process that appends until it is killed. It says `a <record> <hash>` when a record is applied and `d <record>` when
 * it was acknowledged. Arguments: folder, seed.
 */
import { writeSync } from 'node:fs';
import { seededRandom } from '../../src/clock/index.ts';
import { JournaledExchange, recover } from '../../src/exchange/index.ts';
import { SILENT } from '../../src/exchange/sink.ts';
import { FileJournal, NodeDisk } from '../../src/store/index.ts';
import { TinyMachine } from '../exchange/journal/tiny-machine.ts';
import { heartbeat, open, tick, transfer } from '../exchange/journal/words.ts';

const MOST_BACKLOG = 50;
const [folder = '', seed = '0'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const journal = await FileJournal.open(new NodeDisk(folder), { segmentBytes: 20_000 });
const { machine } = recover({ journal, fresh: () => new TinyMachine(), restore: TinyMachine.restore });
const exchange = new JournaledExchange({
  machine,
  journal,
  snapshotEvery: 700,
  hashEvery: 300,
  onFault: (fault) => {
    throw fault;
  },
});
let time = journal.last;

function next(): Parameters<JournaledExchange['apply']>[0] {
  time += random.int(3);
  const kind = random.int(20);
  if (kind === 0) return open(time);
  if (kind === 1) return heartbeat(1 + random.int(5), time);
  return kind === 2 ? tick(time) : transfer(random.int(100) - 30, time, 1 + random.int(3));
}

function burst(): void {
  // However slow the disk is, much of what is said is about what it has.
  const room = exchange.backlog.commands < MOST_BACKLOG ? random.int(40) : 0;
  for (let left = room; left > 0; left--) {
    const before = exchange.sequence;
    let record = 0;
    exchange.apply(next(), SILENT, () => {
      if (record > 0) writeSync(1, `d ${record}\n`);
    });
    if (exchange.sequence > before) {
      record = exchange.sequence;
      writeSync(1, `a ${record} ${machine.stateHash()}\n`);
    }
  }
  setImmediate(burst);
}

burst();
