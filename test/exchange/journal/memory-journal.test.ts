import { journalContract } from '../../contract/journal-contract.ts';
import { MemoryJournal } from './memory-journal.ts';

journalContract('in memory', async () => {
  const journal = new MemoryJournal();
  return { journal, reopen: async () => journal };
});
