import { copyFileSync, existsSync } from 'node:fs';
import { SqliteStore } from '../../../src/store/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { journalContract } from '../../contract/journal-contract.ts';
import { databaseFiles } from './files.ts';

const file = databaseFiles();

function openStore(options: Parameters<typeof SqliteStore.open>[0]): SqliteStore {
  const store = SqliteStore.open(options);
  afterThisTest.add(() => store.close());
  return store;
}

for (const thread of [true, false]) {
  journalContract(thread ? 'a database with a thread that writes' : 'a database', async () => {
    const name = file();
    let store = openStore({ file: name, thread });
    return {
      journal: store.journal,
      // The contract keeps reading the first one, so the second is opened on a copy like that of a killed process.
      reopen: async () => {
        await new Promise((resolve) => store.registry.sync(resolve));
        const copy = file();
        for (const part of ['', '-wal']) if (existsSync(name + part)) copyFileSync(name + part, copy + part);
        store = openStore({ file: copy, thread });
        return store.journal;
      },
    };
  });
}

journalContract('a database in memory, which ends with its process', async () => {
  const { journal } = openStore({ file: ':memory:' });
  return { journal, reopen: async () => journal };
});
