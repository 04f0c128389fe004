/** What a run is given beside its spec. */
import type { EpochMs } from '../domain/index.ts';
import type { S3Credentials } from '../history/index.ts';
import type { LogSource, StrategyLogLine } from '../runtime/index.ts';

/** What only the process knows. */
export interface Machine {
  /** Largest resident memory so far, MiB. */
  peakRssMb(): number;
}

/** Progress of a run, reported between slices, at most a few times a second. */
export interface Progress {
  readonly rows: number;
  readonly totalRows: number;
  /** Exchange time of the replay, epoch ms. */
  readonly time: number;
  readonly fills: number;
  /** Equity less capital, micro-USD. */
  readonly pnlMicros: number;
  /** Wall time since the start, ms. */
  readonly wallMs: number;
}

/** What is needed for tapes at URLs. */
export interface RemoteAccess {
  /** Folder of the copies; made where it is not there. */
  readonly cacheFolder: string;
  /** For buckets. Default: requests are not signed. */
  readonly credentials?: S3Credentials;
  /** Which tape is coming, with bytes that came and bytes of it. */
  readonly onProgress?: (url: string, done: number, total: number) => void;
}

export interface BacktestOptions {
  /** Paths of tapes and strategies in the spec are relative to this folder. */
  readonly baseDir: string;
  /** Folders of strategies, searched in this order for a bare name. */
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** For tapes at URLs. Default: they are refused. */
  readonly remote?: RemoteAccess;
  /** Folder of the tables of `--tables`. Default: none are written. */
  readonly tables?: string;
  readonly machine: Machine;
  readonly onProgress?: (progress: Progress) => void;
  /** Takes each line that the strategy logs, at its simulated time; at most 10,000. */
  readonly onLog?: (line: StrategyLogLine & { readonly source: LogSource }, time: EpochMs) => void;
  /** When it fires, everything is cancelled, no report is written, and the promise rejects with a `Fault` ABORTED. */
  readonly signal?: AbortSignal;
}
