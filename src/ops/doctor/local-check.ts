/** Checks without the venue: Node, disk, signing, strategies, key. */
import { costAt, joinFirst, sharesFloor, unchecked } from '../../domain/index.ts';
import { exceededOrderLimit, LIMIT_UNITS, LIMITS } from '../../risk/index.ts';
import { signingBackend } from '../../signing/index.ts';
import { type Finding, fail, ok, type PreflightInput, warn } from './preflight.ts';

const MIN_NODE = [22, 18] as const;
const MB = 1_048_576;
const GB = 1_024 * MB;
const MIN_FREE_MB = 100;
const MAX_LISTED_FILES = 5;
const KEY_REMEDY = 'Set account.key: { env: HALFSPREAD_KEY }, a file or a keystore';

export type LocalInput = Pick<
  PreflightInput,
  'machine' | 'signer' | 'strategy' | 'settings' | 'isPaper' | 'credentialsProblem' | 'key' | 'address'
>;

export function checkLocally(input: LocalInput): readonly Finding[] {
  const { machine, signer, isPaper } = input;
  return [
    checkNode(machine.node),
    checkDisk(machine),
    checkFiles(machine),
    ...checkDatabase(machine),
    checkBackend(signer),
    ...checkStrategy(input),
    ...(isPaper ? [] : [checkKey(input)]),
  ];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isSupported = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isSupported) return ok('node', version);
  return fail('node', `${version} is too old`, `Install Node ${MIN_NODE.join('.')} or newer, or run through npx`);
}

function checkDisk({ folder, diskProblem, freeBytes }: PreflightInput['machine']): Finding {
  if (diskProblem !== undefined)
    return fail('disk', `${folder}: ${diskProblem}`, 'Set `db` to a file in a folder that this user may write to');
  const free = freeBytes >= GB ? `${(freeBytes / GB).toFixed(1)} GB` : `${Math.floor(freeBytes / MB)} MB`;
  if (freeBytes < MIN_FREE_MB * MB) {
    const remedy = 'Free disk space: the bot sends no orders if it cannot store them';
    return fail('disk', `${folder} has ${free} left`, remedy);
  }
  if (freeBytes < GB)
    return warn('disk', `${folder} has ${free} left`, 'Free disk space: a busy bot writes several GB a week');
  return ok('disk', `${folder} can be written to, ${free} left`);
}

function checkFiles({ exposedFiles }: PreflightInput['machine']): Finding {
  if (exposedFiles.length === 0) return ok('files', 'only their owner can read them');
  const modes = exposedFiles.map(({ path, mode }) => `${path} (${mode.toString(8)})`);
  const paths = exposedFiles.map(({ path }) => shellQuote(path)).join(' ');
  return warn('files', `other users can access ${joinFirst(modes, MAX_LISTED_FILES, ', ')}`, `Run: chmod 600 ${paths}`);
}

export function checkDatabase({ laterDatabase }: Pick<PreflightInput['machine'], 'laterDatabase'>): readonly Finding[] {
  if (laterDatabase === undefined) return [];
  const { path, version } = laterDatabase;
  const remedy = 'Start the program that wrote it, or a later one';
  return [fail('database', `${path} has version ${version}, which is newer than this program`, remedy)];
}

export function shellQuote(path: string): string {
  return /^[\w./:@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function checkBackend(signer: PreflightInput['signer']): Finding {
  const text = signingBackend(signer);
  if (signer.backend.kind !== 'javascript') return ok('signing speed', text);
  const remedy =
    'Run `npm install secp256k1` in the folder of the project, or `npm ci` in a checkout: native code signs faster';
  return warn('signing speed', text, remedy);
}

export function checkStrategy({ strategy, settings }: Pick<LocalInput, 'strategy' | 'settings'>): readonly Finding[] {
  const { names, problem, exampleProblem, unreadSignals, orderAmount = 0 } = strategy;
  if (problem !== undefined) return [fail('strategy', problem, 'Correct the strategy, or its keys in the file')];
  const signals = checkSignals(unreadSignals);
  if (exampleProblem !== undefined) {
    const remedy = 'Correct the strategy, unless it throws because it needs a market of the venue';
    return [warn('strategy', `with an example market: ${exampleProblem}`, remedy), ...signals];
  }
  const shares = sharesFloor(orderAmount);
  const cost = costAt(shares, unchecked.price(1));
  const exceeded = exceededOrderLimit(settings.risk, { isTake: false, shares, cost });
  if (exceeded !== undefined) {
    const { key, limit } = exceeded;
    const max = limit / LIMIT_UNITS[LIMITS[key].unit].scale;
    const problemText = `risk.${key} ${max} refuses quotes of order_amount ${orderAmount} at any price`;
    return [warn('strategy', problemText, `Lower order_amount or raise risk.${key}`), ...signals];
  }
  return [ok('strategy', `${names.join(', ')}, with valid parameters`), ...signals];
}

function checkSignals(unread: readonly string[] | undefined): readonly Finding[] {
  if (unread === undefined) return [];
  if (unread.length === 0) return [ok('signals', 'strategies read the signals of each source')];
  const remedy = 'Compare `signals` of the file with `signals()` of the strategy';
  return unread.map((problem) => warn('signals', problem, remedy));
}

function checkKey({ credentialsProblem, key, address, signer }: LocalInput): Finding {
  if (credentialsProblem !== undefined)
    return fail(
      'key',
      credentialsProblem,
      'Store the secret at the place that `account` of the file names, or change `account`',
    );
  if (key === undefined) return fail('key', 'there is no key to sign orders with', KEY_REMEDY);
  const role = address === undefined || address === key.address ? 'the account' : `a delegate of ${address}`;
  return ok('key', `signs as ${signer.toChecksum(key.address)}, ${role}`);
}
