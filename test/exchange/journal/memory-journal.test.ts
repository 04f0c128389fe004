import { MemoryJournal } from '../../../src/exchange/journal/memory-journal.ts';
import { journalContract } from '../../contract/journal-contract.ts';

journalContract('in memory', async () => {
  const journal = new MemoryJournal();
  return { journal, reopened: async () => journal };
});
