/** Executes read-only commands for a stopped bot on its database. */
import process from 'node:process';
import { FileFault, formatTime, unchecked } from '../../domain/index.ts';
import {
  type ControlCommand,
  type EarlierRuns,
  storedFills,
  storedNextStep,
  storedOrders,
  storedPositions,
  storedStatus,
} from '../../ops/index.ts';
import { BotReader, checkForLoss, checkWhileUnlocked, leaseHolder } from '../../store/index.ts';
import { readKillFile } from './kill-file.ts';

export const STORED_COMMANDS: ReadonlySet<ControlCommand> = new Set(['status', 'orders', 'positions', 'fills']);

/** @throws FileFault for a database that is missing, incomplete or empty */
export function queryDatabase(
  { db, killFilePath, resumeCommand }: Readonly<Record<'db' | 'killFilePath' | 'resumeCommand', string>>,
  command: ControlCommand,
  limit: number,
) {
  const reader = openBotReader(db);
  try {
    const status = storedStatus(reader, resumeCommand);
    if (status === undefined) throw neverTradedFault(db);
    return {
      result: readResult(reader, command, limit, withWatchdogKill(status, killFilePath, resumeCommand)),
      /** Text for the user: whether a bot runs, and the time of the figures. Ends without a full stop. */
      note: createNote(db, status.now),
    };
  } finally {
    reader.close();
  }
}

/** Opens the database of a bot, running or not. @throws FileFault for a database that is missing or incomplete */
export function openBotReader(db: string): BotReader {
  checkWhileUnlocked(`${db}.lock`, () => checkForLoss(db, { unit: 'entry', mayLoseAtPowerCut: true }));
  return BotReader.open(db);
}

export function neverTradedFault(db: string): FileFault {
  const remedy = 'Start one: `npx halfspread run <config.yaml>`';
  return new FileFault(db, undefined, 'no bot has traded with it yet', remedy);
}

const MAX_FILLS = 10_000;

/** @throws FileFault */
export function readEarlierRuns(db: string): EarlierRuns {
  const reader = BotReader.open(db);
  try {
    const { fills: fillCount, since } = reader.history();
    return { since: since ?? undefined, fillCount, fills: storedFills(reader, MAX_FILLS) };
  } finally {
    reader.close();
  }
}

type Status = NonNullable<ReturnType<typeof storedStatus>>;

function readResult(reader: BotReader, command: ControlCommand, limit: number, status: Status): unknown {
  if (command === 'orders') return storedOrders(reader);
  if (command === 'positions') return storedPositions(reader);
  return command === 'fills' ? storedFills(reader, limit) : status;
}

/** Adds a kill by the watchdog, which is not in the database until the next start. */
function withWatchdogKill(status: Status, killFilePath: string, resumeCommand: string): Status {
  const killReason = readKillFile(killFilePath);
  if (killReason === undefined) return status;
  return { ...status, mode: 'KILLED', killReason, modeReason: null, nextStep: storedNextStep(resumeCommand) };
}

function createNote(db: string, asOf: number): string {
  const holder = leaseHolder(`${db}.lock`);
  const isRunning = holder !== undefined && isAlive(holder.pid);
  const state = isRunning ? `The bot (process ${holder.pid}) is starting or ending` : 'No bot runs';
  return `${state}. The figures are from the journal, as of ${formatTime(unchecked.time(asOf))}`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
