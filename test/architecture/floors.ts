/** Who may import whom: floors, doors, cycles, strategies (docs/architecture.md). */
import { type Fault, folderOf, type Import, type Source } from './source-tree.ts';

const FLOORS: readonly (readonly string[])[] = [
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
/** Loaded file by file: a command starts with what it needs and no more. */
const DOORLESS = new Set(['config', 'app', 'package-files.ts']);
/** Doors of the package: what they show ends at this floor, and no file inside imports them. */
const PACKAGE_DOORS = new Map([
  ['index.ts', 3],
  ['embed.ts', 8],
]);
/** Folders within folders that have a door: who reads one dialect loads no other, a backtest no page, a study on one machine no Redis. */
const INNER_DOORS = /^src\/(protocol\/(polymarket|kalshi)|backtest\/report|research\/queue)\/index\.ts$/;
/** Who may pass a folder's door by. */
const BEHIND_DOORS = /^src\/(index|embed)\.ts$/;
/** Beside the package itself, what tests of strategies need. */
const STRATEGY_TESTS = new Set(['halfspread', 'halfspread/embed', 'vitest', 'fast-check']);

/** The floor of a folder in `src/`; undefined for what is on none. */
export function floorOf(folder: string | undefined): number | undefined {
  const floor = FLOORS.findIndex((folders) => folder !== undefined && folders.includes(folder));
  return floor < 0 ? undefined : floor;
}

export function importFaults(tree: readonly Source[]): readonly Fault[] {
  return tree.flatMap((source) => [...homeless(source), ...source.imports.flatMap((each) => faultsOf(source, each))]);
}

/** All that is loaded with a file, itself included. */
export function loadedWith(tree: readonly Source[], path: string): ReadonlySet<string> {
  const byPath = new Map(tree.map((source) => [source.path, source]));
  const loaded = new Set([path]);
  for (const each of loaded) {
    for (const { target, isEager } of byPath.get(each)?.imports ?? [])
      if (isEager && target !== undefined) loaded.add(target);
  }
  return loaded;
}

/** Each cycle once, at its first file; imports of types count. */
export function cycleFaults(tree: readonly Source[]): readonly Fault[] {
  const faults: Fault[] = [];
  const left = new Map(tree.map((source) => [source.path, source.imports.flatMap((each) => each.target ?? [])]));
  for (;;) {
    const cycle = findCycle(left);
    if (cycle === undefined) return faults;
    for (const path of cycle) left.delete(path);
    const path = [...cycle].sort()[0] ?? '';
    faults.push({ rule: 'cycle', path, line: 1, detail: `${cycle.join(' -> ')} -> ${cycle[0]}` });
  }
}

function homeless({ path, folder }: Source): readonly Fault[] {
  if (folder === undefined || floorOf(folder) !== undefined || PACKAGE_DOORS.has(folder)) return [];
  return [{ rule: 'floor', path, line: 1, detail: `${folder} stands on no floor` }];
}

function faultsOf(source: Source, each: Import): readonly Fault[] {
  const fault = (rule: string, detail: string): Fault[] => [{ rule, path: source.path, line: each.line, detail }];
  if (source.folder === undefined) return strategyMay(source.path, each) ? [] : fault('strategy', each.specifier);
  if (/^halfspread(\/|$)/.test(each.specifier)) return fault('self', each.specifier);
  if (each.target === undefined) return [];
  const to = folderOf(each.target);
  if (to === undefined) return fault('floor', `${each.target} is not in src/`);
  if (to === source.folder) return [];
  const from = PACKAGE_DOORS.get(source.folder) ?? (floorOf(source.folder) ?? 0) - 1;
  const lower = (floorOf(to) ?? Number.POSITIVE_INFINITY) <= from;
  if (!lower && !(source.folder === 'clock' && to === 'domain'))
    return fault('floor', `${source.folder} imports ${to}`);
  const isDoor =
    each.target === `src/${to}/index.ts` ||
    INNER_DOORS.test(each.target) ||
    DOORLESS.has(to) ||
    BEHIND_DOORS.test(source.path);
  return isDoor ? [] : fault('door', each.target);
}

function strategyMay(path: string, { specifier, target }: Import): boolean {
  if (target !== undefined) return target.startsWith(`${path.split('/').slice(0, 2).join('/')}/`);
  return specifier === 'halfspread' || (path.endsWith('.test.ts') && STRATEGY_TESTS.has(specifier));
}

/** Takes away what imports nothing that is left, until the rest can only run in circles; answers one of them. */
function findCycle(left: Map<string, readonly string[]>): readonly string[] | undefined {
  const isDone = (targets: readonly string[]): boolean => !targets.some((target) => left.has(target));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [path, targets] of left) if (isDone(targets)) left.delete(path);
  }
  const trail: string[] = [];
  let at: string | undefined = left.keys().next().value;
  while (at !== undefined && !trail.includes(at)) {
    trail.push(at);
    at = left.get(at)?.find((target) => left.has(target));
  }
  return at === undefined ? undefined : trail.slice(trail.indexOf(at));
}
