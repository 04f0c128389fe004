/**
 * A process that trades on a database until it is killed. It says `a <record> <hash>` when a record is applied and
 * `d <record> <order>` when all up to it was acknowledged, with the last order of then, and `r <number>` when a change of the registry
 * was; `f <message>` at a fault, and then ends with code 3. Arguments: file, seed.
 */
import { seededRandom } from '../../../src/clock/index.ts';
import { say } from '../saying.ts';
import { openHarness } from './harness.ts';
import { nextCommand } from './load.ts';

const [file = '', seed = '0'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const harness = openHarness({ file, snapshotEvery: 150, hashEvery: 70 });
const { exchange, machine, store } = harness;
const { view } = machine;
let changes = Number(store.registry.find('setting', 'changes') ?? 0);

function one(): void {
  const before = exchange.sequence;
  const isChange = random.int(4) === 0;
  if (isChange) changes += 1;
  const change = changes;
  if (isChange) store.registry.put({ table: 'setting', key: 'changes', value: change });
  exchange.apply(nextCommand(view, random, before));
  if (isChange && random.int(3) === 0) {
    store.registry.sync((fault) => {
      if (fault === undefined) say(`r ${change}`);
    });
  }
  if (exchange.sequence > before) say(`a ${exchange.sequence} ${machine.stateHash()}`);
}

function burst(): void {
  const before = exchange.sequence;
  for (let left = random.int(30); left > 0; left--) one();
  const { sequence } = exchange;
  const orders = view.orderCount;
  exchange.commit((fault) => {
    if (fault !== undefined) {
      say(`f ${fault.message}`);
      process.exit(3);
    }
    if (sequence > before) say(`d ${sequence} ${orders}`);
    setImmediate(burst);
  });
}

burst();
