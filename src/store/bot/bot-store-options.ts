/** Whose file a bot store opens, and how it is kept. */
export interface BotStoreOptions {
  /** `:memory:` for one that lives as long as the process. */
  readonly file: string;
  /** What the file belongs to: venue and account. Another bot's file is refused. */
  readonly name: string;
  /** The configuration, to tell that it changed. */
  readonly spec: string;
  /** A snapshot after so many stored steps. Default 20,000. */
  readonly snapshotEvery?: number;
  /** Most pages of 4 KB that the file may have. Default no limit. */
  readonly mostPages?: number;
  /** Goes on with what is there, where something that was acknowledged is missing, instead of refusing. Default false. */
  readonly acceptLoss?: boolean;
  /** This start of the machine, to tell a power cut. Default: as the system tells it. */
  readonly boot?: string;
  /** Checkpoints on a thread of their own. Default true but in memory. */
  readonly thread?: boolean;
}
