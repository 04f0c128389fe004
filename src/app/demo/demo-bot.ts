/** The bot of a demo. Works like `halfspread run`, with a random key that exists only in memory. */
import { secureBytes } from '../../clock/index.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { FileFault } from '../../domain/index.ts';
import {
  AccountClient,
  createLog,
  type Log,
  LogFile,
  logOut,
  RecentLog,
  Redactor,
  serveControl,
} from '../../ops/index.ts';
import { PACKAGE_ROOT, STRATEGIES_FOLDER } from '../../package-files.ts';
import type { Signer } from '../../signing/index.ts';
import { openKey } from '../../venues/service/index.ts';
import { openLive } from '../live/open-live.ts';
import type { OpenedLive } from '../live/opened-live.ts';
import { livePaths } from '../live/paths.ts';
import { loadConfiguredStrategies } from '../live/strategies.ts';
import { Closers } from '../startup.ts';
import { compileEarly } from '../v8-flags.ts';
import { logInAndRedact, type Owner, openVenue } from '../venue-access.ts';

export type DemoBot = Readonly<Awaited<ReturnType<typeof openDemoBot>>>;
const CONFIG = 'config/demo-bot.yaml';
const KEY_BYTES = 32;

/** @param folder folder of the bot's database, log and control socket. @throws as `openLive` */
export async function openDemoBot(folder: string, url: string) {
  compileEarly();
  const live = readLiveFile(CONFIG, PACKAGE_ROOT, [`venue.url=${url}`]);
  const { configuration, file } = live;
  const paths = livePaths(configuration, file, folder, 'bot.db');
  const redactor = new Redactor();
  // Drops lines that a full disk refuses, because an error would appear on the demo's screen.
  const logFile = new LogFile(`${folder}/bot.log`, () => {});
  const recentLog = new RecentLog();
  const write = (line: string): void => {
    recentLog.add(line);
    logFile.write(line);
  };
  const log = createLog({ level: 'info', redactor, write });
  const closers = new Closers(log);
  const close = async (): Promise<void> => {
    await closers.close();
    await logFile.close();
  };
  try {
    const strategies = await loadConfiguredStrategies(file, { folders: [STRATEGIES_FOLDER], baseDir: PACKAGE_ROOT });
    const access = await openVenue(live, redactor);
    const owner = createRandomOwner(access.signer, redactor);
    const opened = await openLive({
      live,
      paths,
      strategies,
      adopt: false,
      log,
      recentLog,
      isDemo: true,
      redactor,
      owner,
    });
    closers.add(() => opened.close());
    const token = await logInAndRedact(access, owner, redactor);
    const control = await listenIfPossible(paths.socket, opened, log);
    closers.add(() => control?.close());
    return {
      opened,
      db: paths.db,
      /** Reads the account at the venue independently of the bot, even after the bot has ended. */
      client: new AccountClient(access.http),
      /** Control socket, for `halfspread status --db …`; undefined when the socket could not be created. */
      socket: control === undefined ? undefined : paths.socket,
      /** Closes the bot, but not its log. A second call does nothing. Never rejects. */
      closeBot: () => closers.close(),
      /** Ends the session of `client`. Logs a failure. */
      async logOutClient() {
        const problem = await logOut(access.http, owner.credentials, token);
        if (problem !== undefined) log.warn({ problem }, 'a session could not be ended and will expire');
      },
      /** Closes the bot and its log. A second call does nothing. Never rejects. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns undefined when the socket cannot be created, for example because the folder's path is too long. */
async function listenIfPossible(path: string, { bot, clock }: OpenedLive, log: Log) {
  try {
    return await serveControl({ path, bot, clock, log });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    log.warn({ problem: error.message }, 'operators cannot reach this bot');
    return undefined;
  }
}

/** Creates a random key. About one key in 2^128 is invalid and refused. */
function createRandomOwner(signer: Signer, redactor: Redactor): Owner {
  const text = Buffer.from(secureBytes(KEY_BYTES)).toString('hex');
  redactor.addSecret(text);
  const key = openKey({ type: 'text', text, from: 'the key of the demo' }, signer);
  return { key, address: key.address, credentials: { key, address: key.address } };
}
