/**
 * Trades on a database until it is killed. It prints `a <record> <hash>` for an applied record, `d <record> <order>`
 * when all records up to it are acknowledged, with the last order, and `r <number>` for an acknowledged change of the
 * registry. At a fault it prints `f <message>` and exits with code 3. Arguments: file, seed.
 */
import { seededRandom } from '../../../src/clock/index.ts';
import { printLine } from '../print-line.ts';
import { openHarness } from './harness.ts';
import { nextCommand } from './load.ts';

const [file = '', seed = '0'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const harness = openHarness({ file, snapshotEvery: 150, hashEvery: 70 });
const { exchange, machine, store } = harness;
const { view } = machine;
let changes = Number(store.registry.find('setting', 'changes') ?? 0);

function trade(): void {
  const before = exchange.sequence;
  const isChange = random.int(4) === 0;
  if (isChange) changes += 1;
  const change = changes;
  if (isChange) store.registry.put({ table: 'setting', key: 'changes', value: change });
  exchange.apply(nextCommand(view, random, before));
  if (isChange && random.int(3) === 0) {
    store.registry.sync((fault) => {
      if (fault === undefined) printLine(`r ${change}`);
    });
  }
  if (exchange.sequence > before) printLine(`a ${exchange.sequence} ${machine.stateHash()}`);
}

function burst(): void {
  const before = exchange.sequence;
  for (let left = random.int(30); left > 0; left--) trade();
  const { sequence } = exchange;
  const orders = view.orderCount;
  exchange.commit((fault) => {
    if (fault !== undefined) {
      printLine(`f ${fault.message}`);
      process.exit(3);
    }
    if (sequence > before) printLine(`d ${sequence} ${orders}`);
    setImmediate(burst);
  });
}

burst();
