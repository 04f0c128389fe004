import { type ArchiveAfter, archiveContract } from '../../contract/archive-contract.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';

const file = databaseFiles();

function archiveOf(name: () => string): ArchiveAfter {
  return async (commands) => {
    const harness = openHarness({ file: name() });
    for (const command of commands) harness.apply(command);
    await settled(harness);
    return { archive: harness.store.archive, close: () => harness.store.close() };
  };
}

archiveContract(
  'in memory',
  archiveOf(() => ':memory:'),
);
archiveContract('a file that a thread writes', archiveOf(file));
