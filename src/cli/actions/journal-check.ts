import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { column, Fault, FileFault, formatTime, InputFault } from '../../domain/index.ts';
import {
  CONFIG_KEYS,
  configRefusal,
  DEFAULT_CONFIG,
  type ExchangeConfig,
  ExchangeMachine,
  type MachineOptions,
  QUOTE_POLICIES,
  type QuotePolicyName,
  recover,
  visitBatch,
} from '../../exchange/index.ts';
import { recordingBooks } from '../../replay/index.ts';
import { FileJournal, ReadOnlyDisk } from '../../store/index.ts';
import { EXIT } from '../exit-code.ts';
import { type JournalFindings, journalText } from '../journal-text.ts';
import type { Session } from '../session.ts';

/** Most that a `Date` can say. */
const LAST_DATE = 8_640_000_000_000_000;

const optionsSchema = z.object({
  json: z.boolean().default(false),
  replay: z.boolean().default(true),
  set: z.array(z.string()).default([]),
  quotePolicy: z.string(),
});

/** Reads a whole journal, replays it, and prints what it found; ends with `EXIT.data` where a snapshot is of no use. */
export async function journalCheck({ terminal, end }: Session, folder: string, given: unknown): Promise<void> {
  const { json, replay, set, quotePolicy } = optionsSchema.parse(given);
  const found = statSync(resolve(terminal.cwd, folder), { throwIfNoEntry: false });
  if (found?.isFile() === true) {
    const { databaseCheck } = await import('./database-check.ts');
    databaseCheck({ terminal, end }, folder, { json, replay });
    return;
  }
  const options: MachineOptions = {
    sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
    config: configOf(set),
    quotePolicy: policyOf(quotePolicy),
  };
  const disk = new ReadOnlyDisk(resolve(terminal.cwd, folder));
  try {
    const findings = await inspected(disk, folder, replay ? options : undefined);
    terminal.out.write(json ? `${JSON.stringify(findings)}\n` : journalText(findings));
    if (findings.snapshots.some(({ problem }) => problem !== undefined)) end(EXIT.data);
  } catch (cause) {
    throw cause instanceof Fault && !(cause instanceof FileFault) ? inFileTerms(cause, disk.folder) : cause;
  } finally {
    disk.close();
  }
}

/** @param options undefined for checksums only */
async function inspected(
  disk: ReadOnlyDisk,
  folder: string,
  options: MachineOptions | undefined,
): Promise<JournalFindings> {
  const journal = await FileJournal.open(disk);
  const { first, last, cut } = journal;
  if (last === 0 && journal.snapshots.length === 0 && cut === undefined) {
    throw new FileFault(
      disk.folder,
      undefined,
      'there is no journal in it',
      'Give the folder in which the records are',
    );
  }
  const snapshots = journal.snapshots.map((record) => ({ record, problem: snapshotProblem(journal, record) }));
  const read = { records: 0, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  if (first <= last) {
    for (const batch of journal.read(first)) {
      visitBatch(batch, {
        command: (_record, { time }) => {
          read.records += 1;
          // A client's word that is none happened at the time of the last event.
          if (!(Math.abs(time) <= LAST_DATE)) return;
          read.from = Math.min(read.from, time);
          read.to = Math.max(read.to, time);
        },
        mark: () => {},
        hash: () => {},
      });
    }
  }
  const { from, to } = read;
  const times = from > to ? undefined : { from: formatTime(column.time(from)), to: formatTime(column.time(to)) };
  const state = options === undefined ? undefined : replayed(journal, options);
  return { folder, first, last, records: read.records, times, snapshots, torn: cut, state };
}

function replayed(journal: FileJournal, options: MachineOptions): NonNullable<JournalFindings['state']> {
  const made = { ...options, books: recordingBooks };
  const { machine, snapshot, replayed, notes } = recover({
    journal,
    fresh: () => new ExchangeMachine(made),
    restore: (reader) => ExchangeMachine.restore(reader, made),
  });
  const { view } = machine.exchange;
  const counts = { accounts: view.accountCount, markets: view.markets.length, openOrders: view.openOrderCount };
  return { hash: machine.stateHash(), seq: view.seq, time: formatTime(view.now), ...counts, snapshot, replayed, notes };
}

function snapshotProblem(journal: FileJournal, record: number): string | undefined {
  try {
    journal.readSnapshot(record);
    return undefined;
  } catch (cause) {
    if (cause instanceof FileFault) return cause.message;
    throw cause;
  }
}

/** A journal that does not make sense is a fault of the data, not of the program. */
function inFileTerms(cause: Fault, folder: string): FileFault {
  const problem = cause.message.replace(`${folder}: `, '');
  const remedy =
    'Where the exchange did not begin with the default configuration, say so with --set; else put back a good copy';
  return new FileFault(folder, undefined, problem, remedy, { cause });
}

function configOf(set: readonly string[]): ExchangeConfig {
  const changes = set.map((option) => {
    const at = option.indexOf('=');
    const key = option.slice(0, Math.max(at, 0));
    const value = option.slice(at + 1);
    if (!CONFIG_KEYS.some((known) => known === key)) {
      throw new InputFault('--set', option, `key=value with a key among ${CONFIG_KEYS.join(', ')}`);
    }
    if (value.trim() === '' || !Number.isSafeInteger(Number(value))) {
      throw new InputFault(`--set ${key}`, value, 'an integer in the unit of the engine, for instance micro-USD');
    }
    return [key, Number(value)] as const;
  });
  const config: ExchangeConfig = { ...DEFAULT_CONFIG, ...Object.fromEntries(changes) };
  const refusal = configRefusal(config);
  if (refusal !== undefined) {
    const { field = '', limit = 'a value that can be', value = '' } = refusal;
    throw new InputFault(`--set ${field}`, value, `${refusal.reason}: ${limit}`);
  }
  return config;
}

function policyOf(name: string): QuotePolicyName {
  if (isPolicy(name)) return name;
  throw new InputFault('--quote-policy', name, `one of ${Object.keys(QUOTE_POLICIES).join(', ')}`);
}

function isPolicy(name: string): name is QuotePolicyName {
  return Object.hasOwn(QUOTE_POLICIES, name);
}
