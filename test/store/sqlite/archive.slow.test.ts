import { type ArchiveAfter, archiveContract } from '../../contract/archive-contract.ts';
import { databaseFiles } from './files.ts';
import { openStage, settled } from './stage.ts';

const file = databaseFiles();

function after(name: () => string): ArchiveAfter {
  return async (commands) => {
    const stage = openStage({ file: name() });
    for (const command of commands) stage.apply(command);
    await settled(stage);
    return { archive: stage.store.archive, close: () => stage.store.close() };
  };
}

archiveContract(
  'in memory',
  after(() => ':memory:'),
);
archiveContract('a file that a thread writes', after(file));
