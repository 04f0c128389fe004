import type { EpochMs } from '../domain/index.ts';
import type { S3Credentials } from '../history/index.ts';
import type { LogSource, StrategyLogLine } from '../runtime/index.ts';

export interface Machine {
  /** Largest resident memory so far, MiB. */
  peakRssMb(): number;
}

/** Progress of a run, reported tens of times a second. */
export interface Progress {
  readonly rows: number;
  readonly totalRows: number;
  /** Exchange time of the replay, epoch ms. */
  readonly time: number;
  readonly fills: number;
  /** Equity minus capital, micro-USD. */
  readonly pnlMicros: number;
  /** Wall time since the start, ms. */
  readonly wallMs: number;
}

/** Access to tapes at URLs. */
export interface RemoteAccess {
  /** Folder of the copies; created if missing. */
  readonly cacheFolder: string;
  /** Credentials for buckets. Default: requests are not signed. */
  readonly credentials?: S3Credentials;
  /** Called during a download, with received and total bytes. */
  readonly onProgress?: (url: string, done: number, total: number) => void;
}

export interface BacktestOptions {
  /** Paths of tapes and strategies in the spec are relative to this folder. */
  readonly baseDir: string;
  /** Folders of strategies, searched in this order for a bare name. */
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** Default: tapes at URLs are refused. */
  readonly remote?: RemoteAccess;
  /** Folder of the tables of `--tables`. Default: none are written. */
  readonly tables?: string;
  readonly machine: Machine;
  readonly onProgress?: (progress: Progress) => void;
  /** Receives at most 10,000 lines that strategies log, with their simulated time. */
  readonly onLog?: (line: StrategyLogLine & { readonly source: LogSource }, time: EpochMs) => void;
  /** If the signal fires, the run cancels all orders, writes no report, and rejects with a `Fault` ABORTED. */
  readonly signal?: AbortSignal;
}
