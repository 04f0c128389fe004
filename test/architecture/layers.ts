/** Rules of imports: layers, index files, cycles, strategies (docs/architecture.md). */
import { type Fault, folderOf, type Import, type Source } from './source-tree.ts';

/** Folders of `src/` by layer, lowest first. */
const LAYERS: readonly (readonly string[])[] = [
  ['domain', 'clock'],
  ['book', 'ledger', 'exchange', 'signing', 'protocol', 'tape'],
  ['state', 'replay', 'analytics'],
  ['strategy', 'risk', 'execution'],
  ['package-files.ts'],
  ['runtime', 'network'],
  ['venues/base'],
  ['venues/service', 'venues/sim', 'venues/polymarket', 'store', 'history', 'server'],
  ['backtest', 'ops'],
  ['research', 'dashboard'],
  ['config'],
  ['app'],
  ['cli'],
];
/** Folders without an index file. Their files are imported one by one, so that a command loads only what it needs. */
const WITHOUT_INDEX = new Set(['config', 'app', 'package-files.ts']);
/** Entry points of the package, with the highest layer that each may export. No other file of `src/` imports them. */
const PACKAGE_ENTRIES = new Map([
  ['index.ts', 3],
  ['embed.ts', 8],
]);
/**
 * Subfolders with their own index file. It separates rarely needed modules: other dialects, the report of a backtest,
 * Redis, and metrics.
 */
const INNER_INDEXES =
  /^src\/(protocol\/(polymarket|kalshi)|backtest\/report|research\/queue|network\/metrics)\/index\.ts$/;
/** Files that may import past a folder's index file. */
const MAY_BYPASS_INDEX = /^src\/(index|embed)\.ts$/;
/** Modules that tests of strategies may import. */
const STRATEGY_TESTS = new Set(['halfspread', 'halfspread/embed', 'vitest', 'fast-check']);

/** The layer of a folder in `src/`; undefined for a folder without one. */
export function layerOf(folder: string | undefined): number | undefined {
  const layer = LAYERS.findIndex((folders) => folder !== undefined && folders.includes(folder));
  return layer < 0 ? undefined : layer;
}

export function importFaults(tree: readonly Source[]): readonly Fault[] {
  return tree.flatMap((source) => [
    ...missingLayer(source),
    ...source.imports.flatMap((each) => faultsOf(source, each)),
  ]);
}

/** All files that are loaded with a file, including itself. */
export function loadedWith(tree: readonly Source[], path: string): ReadonlySet<string> {
  const byPath = new Map(tree.map((source) => [source.path, source]));
  const loaded = new Set([path]);
  for (const each of loaded) {
    for (const { target, isEager } of byPath.get(each)?.imports ?? [])
      if (isEager && target !== undefined) loaded.add(target);
  }
  return loaded;
}

/** Reports each cycle once, at its first file. Imports of types count. */
export function cycleFaults(tree: readonly Source[]): readonly Fault[] {
  const faults: Fault[] = [];
  const remaining = new Map(tree.map((source) => [source.path, source.imports.flatMap((each) => each.target ?? [])]));
  for (;;) {
    const cycle = findCycle(remaining);
    if (cycle === undefined) return faults;
    for (const path of cycle) remaining.delete(path);
    const path = [...cycle].sort()[0] ?? '';
    faults.push({ rule: 'cycle', path, line: 1, detail: `${cycle.join(' -> ')} -> ${cycle[0]}` });
  }
}

function missingLayer({ path, folder }: Source): readonly Fault[] {
  if (folder === undefined || layerOf(folder) !== undefined || PACKAGE_ENTRIES.has(folder)) return [];
  return [{ rule: 'layer', path, line: 1, detail: `${folder} has no layer` }];
}

function faultsOf(source: Source, each: Import): readonly Fault[] {
  const fault = (rule: string, detail: string): Fault[] => [{ rule, path: source.path, line: each.line, detail }];
  if (source.folder === undefined) return mayStrategyImport(source.path, each) ? [] : fault('strategy', each.specifier);
  if (/^halfspread(\/|$)/.test(each.specifier)) return fault('self', each.specifier);
  if (each.target === undefined) return [];
  const to = folderOf(each.target);
  if (to === undefined) return fault('layer', `${each.target} is not in src/`);
  if (to === source.folder) return [];
  const highest = PACKAGE_ENTRIES.get(source.folder) ?? (layerOf(source.folder) ?? 0) - 1;
  const isLower = (layerOf(to) ?? Number.POSITIVE_INFINITY) <= highest;
  if (!isLower && !(source.folder === 'clock' && to === 'domain'))
    return fault('layer', `${source.folder} imports ${to}`);
  const isAllowed =
    each.target === `src/${to}/index.ts` ||
    INNER_INDEXES.test(each.target) ||
    WITHOUT_INDEX.has(to) ||
    MAY_BYPASS_INDEX.test(source.path);
  return isAllowed ? [] : fault('index', each.target);
}

function mayStrategyImport(path: string, { specifier, target }: Import): boolean {
  if (target !== undefined) return target.startsWith(`${path.split('/').slice(0, 2).join('/')}/`);
  return specifier === 'halfspread' || (path.endsWith('.test.ts') && STRATEGY_TESTS.has(specifier));
}

/** Removes files that import no other, until only files on or before a cycle remain. Returns one cycle, if any. */
function findCycle(remaining: Map<string, readonly string[]>): readonly string[] | undefined {
  const isDone = (targets: readonly string[]): boolean => !targets.some((target) => remaining.has(target));
  for (let before = -1; before !== remaining.size; ) {
    before = remaining.size;
    for (const [path, targets] of remaining) if (isDone(targets)) remaining.delete(path);
  }
  const trail: string[] = [];
  let at: string | undefined = remaining.keys().next().value;
  while (at !== undefined && !trail.includes(at)) {
    trail.push(at);
    at = remaining.get(at)?.find((target) => remaining.has(target));
  }
  return at === undefined ? undefined : trail.slice(trail.indexOf(at));
}
