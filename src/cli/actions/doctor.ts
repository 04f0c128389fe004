import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import pc from 'picocolors';
import { middlePrice } from '../../app/live/checks.ts';
import { openGrids } from '../../app/live/grids.ts';
import { botFiles, databaseFiles, livePaths } from '../../app/live/paths.ts';
import { openPolymarketAccess, polymarketSettings } from '../../app/live/polymarket.ts';
import {
  type ConfiguredStrategies,
  createInstancesForCheck,
  loadConfiguredStrategies,
} from '../../app/live/strategies.ts';
import { checkSignalSources } from '../../app/signal-sources.ts';
import { openOwner, openSigner, openVenue } from '../../app/venue-access.ts';
import { wallClock } from '../../clock/index.ts';
import { type LiveConfiguration, readLiveFile } from '../../config/live-file.ts';
import { errorMessage, Fault } from '../../domain/index.ts';
import { escapeControls } from '../../network/index.ts';
import {
  type CheckedStrategy,
  type Finding,
  type Machine,
  Redactor,
  runPolymarketPreflight,
  runPreflight,
  unreadSignalWarnings,
} from '../../ops/index.ts';
import { riskLimits } from '../../risk/index.ts';
import { parseParams, signalNames, strategyLine } from '../../runtime/index.ts';
import type { Signer } from '../../signing/index.ts';
import { exposedFiles, laterVersion } from '../../store/index.ts';
import { paramNumber } from '../../strategy/index.ts';
import { action, assignments, flag, optionalText } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { locatedFault, strategyFolders } from '../paths.ts';

const OPTIONS = { json: flag, set: assignments, venueDb: optionalText };

/** Prints a line for each finding, or all findings as JSON. Exits with `EXIT.usage` if a check fails. */
export const doctor = action(OPTIONS, async ({ terminal, setExitCode }, [config = ''], { json, set, venueDb }) => {
  const live = readLiveFile(config, terminal.cwd, set);
  const { file, configuration } = live;
  const redactor = new Redactor();
  const { out } = terminal;
  const paths = livePaths(configuration, file, terminal.cwd);
  const laterDatabase = laterVersion(paths.db);
  const venueFiles = venueDb === undefined ? [] : databaseFiles(resolve(terminal.cwd, venueDb));
  const localInput = {
    isPaper: file.mode === 'paper',
    settings: toSettings(live),
    strategy: await checkStrategies(live, terminal.cwd),
    machine: {
      ...describeMachine(dirname(paths.db)),
      exposedFiles: exposedFiles([...botFiles(paths), ...venueFiles]),
      laterDatabase: laterDatabase === undefined ? undefined : { path: paths.db, version: laterDatabase },
    },
  };
  const checkVenue = file.venue.polymarket === undefined ? checkService : checkPolymarket;
  const findings: Finding[] = [];
  const counts = { ok: 0, warn: 0, fail: 0 };
  for await (const finding of await checkVenue(live, localInput, redactor)) {
    findings.push(finding);
    counts[finding.status] += 1;
    if (!json) out.writeColored(redactor.text(findingLine(finding, out.colors)));
  }
  if (json) out.write(`${redactor.text(JSON.stringify({ ...counts, findings }))}\n`);
  else out.write(`${counts.ok} ok, ${counts.warn} warn, ${counts.fail} fail\n`);
  if (counts.fail > 0) setExitCode(EXIT.usage);
});

type LocalInput = Pick<Parameters<typeof runPreflight>[0], 'isPaper' | 'settings' | 'strategy' | 'machine'>;

async function checkService(live: LiveConfiguration, localInput: LocalInput, redactor: Redactor) {
  const access = await openVenue(live, redactor);
  const wsUrl = live.file.venue.ws_url ?? access.http.graphqlUrl.replace(/^http/, 'ws');
  return runPreflight({ ...access, ...openOwnerOrProblem(live, access.signer, redactor), ...localInput, wsUrl });
}

async function checkPolymarket(live: LiveConfiguration, localInput: LocalInput, redactor: Redactor) {
  const signer = await openSigner();
  const { ids, slugs, select, filter } = live.file.markets;
  const chosenFilter = select === undefined ? filter : { category: select.category, limit: select.most };
  const selection = { ids, slugs, ...(chosenFilter === undefined ? {} : { filter: chosenFilter }) };
  return runPolymarketPreflight({
    ...polymarketSettings(live.file.venue),
    ...localInput,
    ...openOwnerOrProblem(live, signer, redactor),
    clock: wallClock(),
    signer,
    selection,
    open: () => openPolymarketAccess(live, redactor),
  });
}

/** Opens the account's key. A key that cannot be read becomes a finding. */
function openOwnerOrProblem(live: LiveConfiguration, signer: Signer, redactor: Redactor) {
  try {
    return { ...openOwner(live, signer, redactor), credentialsProblem: undefined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { key: undefined, address: undefined, credentials: {}, credentialsProblem: error.message };
  }
}

/** Loads and creates strategies as `run` does. A strategy that `run` would refuse becomes a finding. */
async function checkStrategies(live: LiveConfiguration, cwd: string): Promise<CheckedStrategy> {
  const { configuration, file } = live;
  let strategies: ConfiguredStrategies;
  try {
    strategies = await loadConfiguredStrategies(file, {
      folders: strategyFolders(cwd),
      baseDir: dirname(configuration.path),
    });
  } catch (error) {
    return { names: [], problem: problemText(error, configuration, cwd) };
  }
  const { all } = strategies;
  // The size parameter that most strategies have (docs/strategies.md).
  const parsed = all.map(({ strategy, params }) => parseParams(strategy, params));
  const amounts = parsed.flatMap((params) => paramNumber(params, 'order_amount') ?? []);
  const loaded = {
    names: [...new Set(all.map(({ strategy }) => strategy.name))],
    orderAmount: amounts.length === 0 ? undefined : Math.max(...amounts),
  };
  try {
    const instances = createInstancesForCheck(strategies, file);
    if (file.signals.length === 0) return loaded;
    return { ...loaded, unreadSignals: unreadSignalWarnings(checkSignalSources(live), signalNames(instances)) };
  } catch (error) {
    const problem = problemText(error, configuration, cwd);
    const isNamed = file.markets.slugs.length + file.markets.ids.length > 0;
    return isNamed ? { ...loaded, problem } : { ...loaded, exampleProblem: problem };
  }
}

/** Returns the message that `run` would print, with the line of a strategy that threw. */
function problemText(error: unknown, configuration: LiveConfiguration['configuration'], cwd: string): string {
  if (!(error instanceof Fault)) throw error;
  const fault = locatedFault(error, configuration, cwd);
  const message = fault instanceof Error ? fault.message : error.message;
  const line = error.code === 'STRATEGY' && error.cause instanceof Error ? strategyLine(error.cause) : undefined;
  return line === undefined ? message : `${message} (${line})`;
}

function toSettings(live: LiveConfiguration) {
  const { markets, risk, heartbeat_ms, kill_switch } = live.file;
  const grids = openGrids(live);
  const { ids, slugs, select } = markets;
  // Only the category and limit of `select` apply here, because its other rules need books and tags of all markets.
  const filter = select === undefined ? markets.filter : { category: select.category, limit: select.most };
  const conditions = [
    ['categorySlug', filter?.category],
    ['topicSlug', filter?.topic],
    ['search', filter?.search],
    ['status', filter?.status ?? 'OPEN'],
  ] as const;
  return {
    ids,
    slugs,
    maxMarkets: filter?.limit ?? 0,
    hasSelection: select !== undefined,
    filter:
      filter === undefined
        ? undefined
        : Object.fromEntries(conditions.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
    priceIn: (market: Parameters<typeof grids.findGrid>[0]) => {
      const grid = grids.findGrid(market);
      return grid === undefined ? undefined : middlePrice(grid);
    },
    risk: riskLimits(risk),
    heartbeatMs: heartbeat_ms === 'none' ? undefined : heartbeat_ms,
    clockSkewMs: kill_switch.clock_skew_ms === 'none' ? Number.POSITIVE_INFINITY : kill_switch.clock_skew_ms,
  };
}

function describeMachine(folder: string): Omit<Machine, 'exposedFiles' | 'laterDatabase'> {
  const node = process.version;
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return { node, folder, diskProblem: undefined, freeBytes: bavail * bsize };
  } catch (error) {
    return { node, folder, diskProblem: errorMessage(error), freeBytes: 0 };
  }
}

const NAME_WIDTH = 15;

export function findingLine({ name, status, message, remedy }: Finding, colors: boolean): string {
  const { green, yellow, red, dim } = pc.createColors(colors);
  const paint = { ok: green, warn: yellow, fail: red }[status];
  const remedyLine =
    remedy === undefined ? '' : `${' '.repeat(5 + NAME_WIDTH)}${dim('->')} ${escapeControls(remedy)}\n`;
  return `${paint(status.padEnd(4))} ${name.padEnd(NAME_WIDTH)}${escapeControls(message)}\n${remedyLine}`;
}
