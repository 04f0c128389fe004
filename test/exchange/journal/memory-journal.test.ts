import { expect, it } from 'vitest';
import { journalContract } from '../../contract/journal-contract.ts';
import { MemoryJournal } from './memory-journal.ts';
import { faultOf } from './tiny-commands.ts';

journalContract('in memory', async () => {
  const journal = new MemoryJournal();
  return { journal, reopen: async () => journal };
});

it('a journal in memory throws for a missing snapshot', () => {
  expect(() => new MemoryJournal().readSnapshot(3)).toThrow(faultOf('JOURNAL_GONE', 'no snapshot after record 3'));
});
