/** The identity of a study. A study may continue only with the same identity. */
import { z } from 'zod';
import type { RunSpec } from '../../backtest/index.ts';
import { FileFault } from '../../domain/index.ts';
import { loadPlans } from '../../runtime/index.ts';
import type { StudyStore } from '../../store/index.ts';
import type { StudySpec } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';

const VERSION = 'version of halfspread';

/** Parts by name, as text or JSON. */
export type StudyIdentity = Readonly<Record<string, string>>;

export async function identityOf(
  { parameters, objectives, search, seed, together, test }: StudySpec,
  base: RunSpec,
  tapes: readonly StudyTape[],
  places: { readonly baseDir: string; readonly strategyFolders: readonly string[]; readonly version: string },
): Promise<StudyIdentity> {
  const plans = await loadPlans(base, { folders: places.strategyFolders, baseDir: places.baseDir });
  const { tapes: _names, report_dir: _report, ...backtest } = base;
  return {
    [VERSION]: places.version,
    'source of the strategy': plans.map(({ loaded }) => loaded.sha256).join(' '),
    tapes: tapes.map(({ id }) => id).join('\n'),
    backtest: JSON.stringify(backtest),
    parameters: JSON.stringify(parameters),
    objectives: JSON.stringify(objectives),
    search: JSON.stringify({ search, seed, together }),
    test: JSON.stringify(test ?? null),
  };
}

/** Stores the identity in a new file. @throws FileFault that names what differs from the study in the file */
export function assertSameStudy(store: StudyStore, identity: StudyIdentity): void {
  const stored = store.identity();
  if (stored === undefined) {
    store.storeIdentity(identity);
    return;
  }
  const known = z.record(z.string(), z.string()).safeParse(stored);
  const differing = Object.keys(identity).filter((name) => known.data?.[name] !== identity[name]);
  if (differing.length === 0) return;
  throw new FileFault(
    store.file,
    undefined,
    `it contains a study that differs in ${differing.map((name) => shown(name, known.data?.[name], identity[name])).join(', ')}`,
    'Restore these to continue it, start again with --new, or name another `file`',
  );
}

function shown(name: string, stored: string | undefined, now: string | undefined): string {
  return name === VERSION && stored !== undefined ? `${name} (${stored} there, ${now} here)` : name;
}
