/** The control socket of a running bot: a Unix socket that only its owner can open. */
import { type BigIntStats, chmodSync, existsSync, linkSync, lstatSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { errorMessage, Fault, FileFault } from '../../domain/index.ts';
import { checkFolder } from '../../runtime/index.ts';
import { connectTo } from './control-client.ts';
import { ControlConnections } from './control-connections.ts';
import type { ControlClient } from './execute-command.ts';

/** Maximum length of a Unix socket's path, without the zero at its end. */
const MAX_PATH_BYTES = 107;
/** Bytes that the temporary path `/.XXXXXX/s` adds to its folder. */
const TEMPORARY_BYTES = 10;
const OWNER_ONLY = 0o600;
const PATH_REMEDY = 'Set `control.socket` to a path in a folder that this user may write to';

export interface ControlServer {
  /**
   * Deletes the socket file, unless another process replaced it. Does not wait for clients that read no answers. Never
   * rejects, because the bot must still cancel its orders.
   */
  close(): Promise<void>;
}

type ControlOptions = Pick<ControlClient, 'bot' | 'clock' | 'log'> & { readonly path: string };

/** @throws FileFault if another process listens at `path`, or the path is not usable for a socket */
export async function serveControl({ path, ...client }: ControlOptions): Promise<ControlServer> {
  await clearControlPath(path);
  const connections = new ControlConnections();
  const server = createServer((socket) => connections.serve(socket.setEncoding('utf8'), client));
  const identity = await listenAt(server, path);
  return {
    async close() {
      try {
        // While the server is open, no other file can have the socket's inode.
        deleteSocket(path, identity);
      } catch (error) {
        client.log.warn({ err: error }, 'control: the socket file cannot be deleted');
      }
      await connections.close(server);
    },
  };
}

/** Deletes a dead process's socket. @throws FileFault if another process listens there, or the file is not a socket */
export async function clearControlPath(path: string): Promise<void> {
  const stat = checkControlPath(path);
  if (stat === undefined) return;
  try {
    (await connectTo(path)).destroy();
  } catch (cause) {
    // Other faults come from a bot that still runs, but hangs.
    if (!(cause instanceof Fault && cause.code === 'NO_BOT')) throw alreadyBoundFault(path, cause);
    deleteSocket(path, stat);
    return;
  }
  throw alreadyBoundFault(path);
}

/** Returns the socket at a path, or undefined if a socket can be created there. @throws FileFault for any other path */
export function checkControlPath(path: string): BigIntStats | undefined {
  assertPathLength(path);
  if (!existsSync(dirname(path))) throw new FileFault(path, undefined, 'its folder is not there', PATH_REMEDY);
  checkFolder(dirname(path), PATH_REMEDY);
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || stat.isSocket()) return stat;
  const remedy = 'Set `control.socket` to a path of its own, such as /tmp/halfspread.sock';
  throw new FileFault(path, undefined, 'this file is not a socket and is not replaced', remedy);
}

function alreadyBoundFault(path: string, cause?: unknown): FileFault {
  const remedy = 'Stop that bot first, or give this bot its own database';
  return new FileFault(path, undefined, 'another bot listens there', remedy, { cause });
}

function assertPathLength(path: string): void {
  const folder = Buffer.byteLength(dirname(path));
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES && folder + TEMPORARY_BYTES <= MAX_PATH_BYTES) return;
  const problem = `a socket's path has at most ${MAX_PATH_BYTES} bytes, and its folder ${MAX_PATH_BYTES - TEMPORARY_BYTES}`;
  throw new FileFault(path, undefined, problem, 'Set `control.socket` to a shorter path, such as /tmp/halfspread.sock');
}

/**
 * Creates the socket in a private folder and links it to its path, because a link never replaces a file. When the
 * server closes, Node deletes any file at the path it listened on. Only this user can write to the private folder.
 * @returns the file's identity
 */
async function listenAt(server: Server, path: string): Promise<BigIntStats> {
  let folder: string | undefined;
  try {
    // `join` would remove the final dot.
    folder = mkdtempSync(`${dirname(path)}/.`);
    const temporaryPath = join(folder, 's');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(temporaryPath, () => resolve());
    });
    chmodSync(temporaryPath, OWNER_ONLY);
    linkSync(temporaryPath, path);
    return lstatSync(temporaryPath, { bigint: true });
  } catch (cause) {
    server.close();
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (isTaken) throw new FileFault(path, undefined, 'another process just made this file', 'Start again', { cause });
    const reason = errorMessage(cause);
    throw new FileFault(path, undefined, `no socket can be made there (${reason})`, PATH_REMEDY, { cause });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

function deleteSocket(path: string, { dev, ino }: BigIntStats): void {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat !== undefined && stat.dev === dev && stat.ino === ino) unlinkSync(path);
}
