/** `halfspread/embed`: venues and backtests, which do not print, read the environment or exit the process. */
import type { z } from 'zod';
import {
  type BacktestOptions,
  type BacktestRun,
  type Machine,
  parseRunSpec,
  type RunResult,
  type RunSpec,
  runBacktest,
  runForResult,
  type runSpecSchema,
} from './backtest/index.ts';
import { BET_PRESETS_CENTS, type ExchangeConfig, type QuotePolicyName } from './exchange/index.ts';
import { STRATEGIES_FOLDER, version } from './package-files.ts';
import {
  type ChainSettings,
  type ChaosSettings,
  type GivenAccessSettings,
  type HouseSettings,
  type ListenSettings,
  type Log,
  logMailSender,
  type MailSender,
  type PayoutSettings,
  type PolymarketSettings,
  type ResolverSettings,
  startLocalVenue,
  type VenueServer,
} from './server/index.ts';
import { LOCAL_CHAIN_ID } from './signing/index.ts';
import { SqliteStore } from './store/index.ts';

export type { BacktestRun, Progress, RunDetail, RunResult, RunSpec } from './backtest/index.ts';
export {
  ImportCounts,
  type ImportStatus,
  type MarketImport,
  type MarketRules,
  type TapeHead,
  TapeImport,
  type TapeImportOptions,
  TapeWriter,
} from './history/index.ts';
export type {
  AccessSettings,
  ChainSettings,
  ChaosSettings,
  GivenAccessSettings,
  HealthReport,
  HouseSettings,
  ListenSettings,
  Log,
  MailSender,
  PayoutSettings,
  PolymarketSettings,
  ResolverSettings,
  VenueServer,
} from './server/index.ts';
export { SIDE, type TapeManifest, type TapeMarket } from './tape/index.ts';

/** Times are ms, money is micro-USD. By default, the venue listens on a free port of 127.0.0.1 for all origins. */
export interface VenueOptions extends Partial<ListenSettings> {
  /** Database file, which is created if it is missing. Default `:memory:`, which lasts as long as the venue. */
  readonly db?: string;
  /** Default 31337. */
  readonly chainId?: number;
  /** `verifyingContract` of orders, 0x and 40 hex digits. Default: the local venue's contract. */
  readonly contract?: string;
  /** Logins, keys, rates, countries, play money of new accounts. */
  readonly access?: GivenAccessSettings;
  /** Values that replace defaults of the exchange's configuration. Default: none. */
  readonly exchange?: Partial<ExchangeConfig>;
  /** Policy of retail quotes, fixed for the lifetime of the exchange. Default: additive. */
  readonly quotePolicy?: QuotePolicyName;
  /** Amounts that clients offer to users, cents. Default 100, 500, 1000, 5000. */
  readonly betPresetsCents?: readonly number[];
  /** Deploys markets and reports payouts; `manual` leaves both to operators. Default: at once, without failures. */
  readonly chain?: ChainSettings | 'manual';
  /** Delays and failures of wallets and withdrawals. Default: some seconds, without failures. */
  readonly payouts?: PayoutSettings;
  /** Decides markets. Default: operators decide. */
  readonly resolver?: ResolverSettings;
  /** Keeps a bid and an ask in every open market. Default: no house maker. */
  readonly house?: HouseSettings;
  /** Whether to create example categories and markets. Default false. */
  readonly seed?: boolean;
  /** Seed of the simulated chain and of a `panel` resolver, 0 to 2^32 - 1. Default 1. Chaos has its own seed. */
  readonly randomSeed?: number;
  /** Settings of the Polymarket dialect below `/polymarket`. Default: the venue does not serve it. */
  readonly polymarket?: Partial<PolymarketSettings>;
  /** Injected faults. Default: none. */
  readonly chaos?: ChaosSettings;
  /** Receives confirmation codes for e-mail addresses. Default: the log. */
  readonly outbox?: MailSender;
  /** Whether to start although the last event in `db` is more than 366 days ago. Default false. */
  readonly acceptPause?: boolean;
  /** Default: no log. */
  readonly log?: Log;
  /** Called when a fault has stopped the exchange. Close the venue; a new start restores acknowledged commands. */
  readonly onStop?: (cause: unknown) => void;
}

export interface EmbeddedBacktestOptions extends Pick<BacktestOptions, 'onProgress' | 'remote' | 'signal'> {
  /** Base of relative paths in the spec. Default: the working folder. */
  readonly baseDir?: string;
  /** Folders in which a bare strategy name is searched, in this order. Default: the program's own folder. */
  readonly strategyFolders?: readonly string[];
  /** Measures `peakRssMb` of the result. Default: 0. */
  readonly machine?: Machine;
}

/** The keys of a backtest's YAML file. Keys with a default are optional. */
export type RunSpecInput = z.input<typeof runSpecSchema>;

const AT_ONCE: ChainSettings = { minDelayMs: 0, maxDelayMs: 0, failure: 0, permanent: 0 };
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts a venue on play money. @throws FileFault for an unusable database; InputFault for invalid options */
export async function startVenue(options: VenueOptions = {}): Promise<VenueServer> {
  const { db = ':memory:', host = '127.0.0.1', port = 0, base = '', origins, trustedProxies = [] } = options;
  const { log = SILENT, chain } = options;
  return startLocalVenue({
    log,
    version: version(),
    chainId: options.chainId ?? LOCAL_CHAIN_ID,
    contract: options.contract,
    store: SqliteStore.open({ file: db }),
    listen: { host, port, base, trustedProxies, origins },
    access: options.access ?? {},
    config: options.exchange ?? {},
    quotePolicy: options.quotePolicy,
    betPresetsCents: options.betPresetsCents ?? BET_PRESETS_CENTS,
    chain: chain === 'manual' ? undefined : (chain ?? AT_ONCE),
    polymarket: options.polymarket,
    payouts: options.payouts,
    replays: [],
    resolver: options.resolver ?? { type: 'manual' },
    house: options.house,
    seed: options.seed ?? false,
    randomSeed: options.randomSeed ?? 1,
    chaos: options.chaos,
    mailSender: options.outbox ?? logMailSender(log),
    renewOperatorToken: false,
    acceptPause: options.acceptPause ?? false,
    onStop: options.onStop ?? (() => undefined),
  });
}

/**
 * Replays the tapes of a spec against its strategy, and writes a report if the spec names a folder for it.
 * @param spec `report_dir` defaults to null here, so no report is written
 * @throws InputFault, FileFault, StrategyFault; Fault ABORTED when the signal fires
 */
export function backtest(spec: RunSpecInput, options: EmbeddedBacktestOptions = {}): Promise<BacktestRun> {
  return runBacktest(parseSpecInput(spec), toBacktestOptions(options));
}

/** Runs a backtest without a report, which takes less time. @throws like `backtest` */
export function backtestResult(spec: RunSpecInput, options: EmbeddedBacktestOptions = {}): Promise<RunResult> {
  return runForResult(parseSpecInput(spec), toBacktestOptions(options));
}

function parseSpecInput(spec: RunSpecInput): RunSpec {
  return parseRunSpec({ report_dir: null, ...spec });
}

function toBacktestOptions(options: EmbeddedBacktestOptions): BacktestOptions {
  const { baseDir = '.', strategyFolders = [STRATEGIES_FOLDER], machine = { peakRssMb: () => 0 } } = options;
  return { ...options, baseDir, strategyFolders, machine, version: version() };
}

export { marketIdFromName } from './runtime/index.ts';
