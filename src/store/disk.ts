/**
 * What a journal asks of a disk: a port, so that tests can lose power between any two steps. What was written is there
 * after a crash only from the `sync` of its file on, and a new, renamed or removed name only from `syncFolder` on.
 */

/** A file that only grows. */
export interface DiskFile {
  /** Adds all of the parts at its end, in one go. @throws FileFault when it could not: some of it may be there */
  write(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<void>;
  /** Makes everything written durable. @throws FileFault: nothing is known then about what was written since the last one */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The files of one folder, which nobody else writes to. All throw `FileFault`. */
export interface Disk {
  /** For messages. */
  readonly folder: string;
  /** Names of its files. */
  list(): readonly string[];
  /** The first bytes of a file; all of them when `bytes` is left out. */
  read(name: string, bytes?: number): Uint8Array<ArrayBuffer>;
  /** A new file; there is none of that name. */
  create(name: string): Promise<DiskFile>;
  /** Shortens a file, or leaves it as long as it is; all that is in it is durable then. */
  cut(name: string, bytes: number): void;
  /** Gives a file another name; what had that name is gone. */
  rename(from: string, to: string): void;
  remove(name: string): void;
  /** Makes names durable. */
  syncFolder(): Promise<void>;
  /** Lets others write to the folder. */
  close(): void;
}
