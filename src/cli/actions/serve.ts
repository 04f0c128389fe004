import { dirname, resolve } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { databaseFiles, warnAboutExposedFiles } from '../../app/live/paths.ts';
import type { ReplayRequest } from '../../app/serve/open-replays.ts';
import { openServer, type ServeInput } from '../../app/serve/open-server.ts';
import { tuneServer } from '../../app/v8-flags.ts';
import { chaosSchema } from '../../config/chaos-schema.ts';
import { readConfiguration } from '../../config/configuration.ts';
import { readConfigurationOfKind } from '../../config/kinds.ts';
import { DIALECTS } from '../../config/polymarket-schema.ts';
import { MAX_SPEED, replaySchema, venueSchema } from '../../config/venue-schema.ts';
import { InputFault } from '../../domain/index.ts';
import type { VenueServer } from '../../server/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { action, assignments, flag, type OptionsOf, textList, whole } from '../command.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const DRAIN_MS = 10_000;
const NO_MARKETS =
  'no markets yet: start with --seed for examples or --replay <tape> for a recorded market, or use `npx halfspread venue create-market`\n';

const OPTIONS = {
  db: z.string().min(1),
  acceptLoss: flag,
  acceptPause: flag,
  host: z.string().min(1),
  port: whole(0, 65_535, 'a port'),
  config: z.string().optional(),
  set: assignments,
  creditCents: whole(0, 1_000_000_000, 'whole cents').optional(),
  dialect: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(DIALECTS, `expected ${DIALECTS.join(' or ')}, several with commas`)))
    .optional(),
  seed: flag,
  replay: textList,
  from: z.string().optional(),
  speed: z.string().optional(),
  chaos: z.string().optional(),
  newOperatorToken: flag,
  log: z.enum(LEVELS),
};

export const serve = action(OPTIONS, async ({ terminal, setExitCode, interruption }, _, options) => {
  tuneServer();
  const { out, err, cwd } = terminal;
  const { stopRequested, exitCode } = interruption();
  const stopped = Promise.withResolvers<unknown>();
  const log = pino({ level: options.log, base: null }, { write: (line) => err.write(line) });
  const { db, newOperatorToken: renewOperatorToken, dialect: dialects, creditCents } = options;
  const replays = parseReplays(options, cwd);
  const database = db === ':memory:' ? db : resolve(cwd, db);
  const input: Omit<ServeInput, 'file' | 'folder'> = {
    overrides: { ...options, creditCents, db: database, dialects, renewOperatorToken, replays },
    chaos: readChaos(options.chaos, cwd),
    log,
    onStop: (cause) => stopped.resolve(cause),
  };
  const server = await openConfigured(input, options, cwd);
  try {
    warnAboutExposedFiles(databaseFiles(database), log);
    if (server.operatorToken !== undefined) err.write(`operators' token, shown only once: ${server.operatorToken}\n`);
    out.write(`listening on ${server.url}\n`);
    const markets = await server.operate('markets', { most: 1 });
    if (Array.isArray(markets) && markets.length === 0) err.write(NO_MARKETS);
    const cause = await Promise.race([stopped.promise, stopRequested]);
    if (cause !== undefined) throw cause;
  } finally {
    await server.close(DRAIN_MS);
  }
  setExitCode(exitCode() ?? 0);
});

/** @throws InputFault for a start or speed without a tape, or an invalid speed */
function parseReplays(
  { replay, from, speed }: Pick<OptionsOf<typeof OPTIONS>, 'replay' | 'from' | 'speed'>,
  cwd: string,
): readonly ReplayRequest[] {
  if (replay.length === 0 && (from ?? speed) !== undefined)
    throw new InputFault(from === undefined ? '--speed' : '--from', from ?? speed, '--replay <tape> together with it');
  const speedFactor = speed === undefined ? 1 : Number(speed);
  if (!(speedFactor > 0 && speedFactor <= MAX_SPEED))
    throw new InputFault('--speed', speed, `a number above 0, at most ${MAX_SPEED}`);
  const replayOptions = replay.map((tape) => ({ tape: resolve(cwd, tape), speed: speedFactor }));
  const tapes = parseStrict(replaySchema, replayOptions, '--replay');
  return tapes.map((tape) => ({ ...tape, from, fromField: '--from' }));
}

async function openConfigured(
  input: Omit<ServeInput, 'file' | 'folder'>,
  { config, set }: Pick<OptionsOf<typeof OPTIONS>, 'config' | 'set'>,
  cwd: string,
): Promise<VenueServer> {
  const { host, port } = input.overrides;
  const configuration = config === undefined ? undefined : readConfigurationOfKind('venue', config, cwd, set);
  if (configuration === undefined && set.length > 0) {
    const example = `npx halfspread serve --config config/venue.yaml --set ${set[0]}`;
    throw new InputFault('--set', set[0], `--config: --set changes a key of a YAML file, for example \`${example}\``);
  }
  try {
    const file = parseStrict(venueSchema, configuration?.value ?? {}, '');
    const folder = configuration === undefined ? cwd : dirname(configuration.path);
    return await openServer({ ...input, file, folder });
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
    if (code === 'EADDRINUSE')
      throw new InputFault('--port', port, 'a port that no other process listens on', { cause: fault });
    if (code === 'EACCES')
      throw new InputFault('--port', port, 'a port that this user may listen on', { cause: fault });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new InputFault('--host', host, 'an address of this machine', { cause: fault });
    throw configuration === undefined ? fault : configuration.locateFault(fault);
  }
}

function readChaos(file: string | undefined, cwd: string): ServeInput['chaos'] {
  if (file === undefined) return undefined;
  const configuration = readConfiguration(file, cwd);
  try {
    return parseStrict(chaosSchema, configuration.value ?? {}, '');
  } catch (fault) {
    throw configuration.locateFault(fault);
  }
}
