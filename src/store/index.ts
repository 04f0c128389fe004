export type { Disk, DiskFile } from './disk.ts';
export { FileJournal, type FileJournalOptions } from './file-journal.ts';
export type { Cut } from './journal-folder.ts';
export { NodeDisk } from './node-disk.ts';
