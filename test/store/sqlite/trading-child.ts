/**
 * A process that trades on a database until it is killed. It says `a <record> <hash>` when a record is applied and
 * `d <record> <order>` when it was acknowledged, with the last order of then, and `r <number>` when a change of the registry
 * was; `f <message>` at a fault, and then ends with code 3. Arguments: file, seed.
 */
import { seededRandom } from '../../../src/clock/index.ts';
import { SILENT } from '../../../src/exchange/sink.ts';
import { say } from '../saying.ts';
import { nextCommand } from './load.ts';
import { openStage } from './stage.ts';

const MOST_BACKLOG = 60;
const [file = '', seed = '0'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const stage = openStage({ file, snapshotEvery: 150, hashEvery: 70 });
const { exchange, machine, store, recovery, faults } = stage;
const { view } = recovery.machine.exchange;
let changes = Number(store.registry.find('setting', 'changes') ?? 0);

function one(): void {
  const before = exchange.sequence;
  let record = 0;
  let orders = 0;
  const isChange = random.int(4) === 0;
  if (isChange) changes += 1;
  const change = changes;
  if (isChange) store.registry.put({ table: 'setting', key: 'changes', value: change });
  exchange.apply(nextCommand(view, random, before), SILENT, () => {
    if (record > 0) say(`d ${record} ${orders}`);
  });
  if (isChange && random.int(3) === 0) {
    store.registry.sync((fault) => {
      if (fault === undefined) say(`r ${change}`);
    });
  }
  if (exchange.sequence === before) return;
  record = exchange.sequence;
  orders = view.orderCount;
  say(`a ${record} ${machine.stateHash()}`);
}

function burst(): void {
  if (faults[0] !== undefined) {
    say(`f ${faults[0]}`);
    process.exit(3);
  }
  // However slow the disk is, much of what is said is about what it has.
  const room = exchange.backlog.commands < MOST_BACKLOG ? random.int(30) : 0;
  for (let left = room; left > 0 && faults.length === 0; left--) one();
  setImmediate(burst);
}

burst();
