/** Opens a dashboard of running bots. In a checkout, builds the page first when its sources are newer. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { secureBytes, steadyClock } from '../clock/index.ts';
import { AuditLog, type BotEndpoint, Fleet, type Secrets, serveDashboard } from '../dashboard/index.ts';
import { Fault, FileFault, InputFault, thrownText } from '../domain/index.ts';
import { CODE_URL, entryUrl, PACKAGE_ROOT, version } from '../package-files.ts';
import { botPathsFromFile } from './live/paths.ts';
import type { StudyPageAnswer } from './study-page-thread.ts';
import { readStudyStatus } from './study-status.ts';

export interface DashboardSettings {
  readonly bots: readonly BotEndpoint[];
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly isBehindProxy: boolean;
  /** Accepted host names in addition to the names of the loopback. */
  readonly hostNames: readonly string[];
  readonly operatorPassword?: string | undefined;
  readonly viewerPassword?: string | undefined;
  readonly reports: string;
  readonly studies: string;
  readonly audit: string;
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);
/** A study with an older status was killed or suspended. */
const MAX_STATUS_AGE_MS = 15_000;
const WEB_SOURCES = fileURLToPath(new URL('dashboard/web/', CODE_URL));

/** @throws InputFault for a public address without a password or a TLS proxy; FileFault if the page cannot be built */
export async function openDashboard(settings: DashboardSettings) {
  const { bots, operatorPassword, viewerPassword, ...rest } = settings;
  const { host, isBehindProxy } = rest;
  const hasNoPassword = operatorPassword === undefined && viewerPassword === undefined;
  if (!LOOPBACK.has(host) && (hasNoPassword || !isBehindProxy)) {
    const expected =
      'a loopback address, unless there is a password (--password-env) and a proxy that ends TLS (--behind-proxy)';
    throw new InputFault('--host', host, expected);
  }
  const token = hasNoPassword ? Buffer.from(secureBytes(16)).toString('hex') : undefined;
  const secrets: Secrets = { token, operatorPassword, viewerPassword };
  const page = buildPage();
  const clock = steadyClock();
  const fleet = new Fleet(bots, clock);
  const pool = createStudyPagePool();
  const close = async (): Promise<void> => {
    try {
      fleet.close();
    } finally {
      await pool.destroy();
    }
  };
  try {
    const server = await serveDashboard({
      ...rest,
      fleet,
      clock,
      page,
      secrets,
      audit: new AuditLog(settings.audit),
      version: version(),
      studyRun(file) {
        const status = readStudyStatus(file);
        return status === undefined ? null : { ...status, isAlive: clock.now() - status.writtenAt < MAX_STATUS_AGE_MS };
      },
      renderStudy: (file) => renderStudyPage(pool, file),
    });
    const shownHost = host.includes(':') ? `[${host}]` : host;
    return {
      /** Contains a token that signs in when no password is set. */
      url: `http://${shownHost}:${server.port}/${token === undefined ? '' : `#token=${token}`}`,
      async close() {
        try {
          await close();
        } finally {
          await server.close();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param path configuration (.yaml), database (.db) or control socket (.sock) of a bot on this machine */
export function localBot(path: string, cwd: string): BotEndpoint {
  const id = basename(path, extname(path));
  if (path.endsWith('.sock')) return { id, address: resolve(cwd, path) };
  return { id, address: botPathsFromFile(path, cwd).socket };
}

/** Returns the folder of the built page. @throws FileFault when the page cannot be built */
function buildPage(): string {
  const packaged = fileURLToPath(new URL('web/', CODE_URL));
  if (existsSync(packaged)) return packaged;
  const built = join(WEB_SOURCES, 'dist');
  const index = join(built, 'index.html');
  if (existsSync(index) && statSync(index).mtimeMs >= newestSourceMs()) return built;
  const script = join(PACKAGE_ROOT, 'packaging/build-web.ts');
  const { status, stderr, error } = spawnSync(process.execPath, [script], { cwd: PACKAGE_ROOT, encoding: 'utf8' });
  if (status === 0) return built;
  const problem = `the page could not be built: ${error?.message ?? stderr.trim().slice(-500)}`;
  throw new FileFault(WEB_SOURCES, undefined, problem, 'Run `npm ci`, then `npm run build:web`');
}

function newestSourceMs(): number {
  const folders = [WEB_SOURCES, join(dirname(WEB_SOURCES.slice(0, -1)), 'generated')];
  const times = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('dist') && !name.includes('node_modules'))
      .map((name) => statSync(join(folder, name)).mtimeMs),
  );
  return Math.max(...times);
}

const MAX_WAITING_PAGES = 8;
const HEAP_MB = 1_024;
const THREAD_IDLE_MS = 60_000;

/** Renders study pages on a thread, so that a large study does not block the dashboard's streams. */
function createStudyPagePool(): Piscina<string, StudyPageAnswer> {
  return new Piscina({
    filename: entryUrl('study-page-thread', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MAX_WAITING_PAGES,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
}

/** @throws Fault for a file that cannot be shown, or while too many pages wait */
async function renderStudyPage(pool: Piscina<string, StudyPageAnswer>, file: string): Promise<string> {
  const answer = await pool.run(file).catch((cause: unknown) => {
    const problem = `the page of the study could not be rendered: ${thrownText(cause)}. Try again`;
    throw new Fault('FILE', problem, { cause });
  });
  if ('page' in answer) return answer.page;
  throw new Fault('FILE', answer.problem);
}
