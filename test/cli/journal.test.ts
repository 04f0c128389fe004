import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { column } from '../../src/domain/index.ts';
import {
  DEFAULT_CONFIG,
  type ExchangeCommand,
  type ExchangeConfig,
  ExchangeMachine,
  JournaledExchange,
} from '../../src/exchange/index.ts';
import { SILENT } from '../../src/exchange/sink.ts';
import { FileJournal, NodeDisk } from '../../src/store/index.ts';
import { halfspread, newFolder } from './halfspread.ts';

const START = 1_700_000_000_000;

interface Kept {
  readonly folder: string;
  readonly hash: string;
}

/** A journal of accounts that were opened one by one, each in a batch of its own. */
async function journal(
  members: { readonly config?: Partial<ExchangeConfig>; readonly snapshots?: number } = {},
): Promise<Kept> {
  const { config = {}, snapshots = 0 } = members;
  const folder = join(newFolder(), 'journal');
  const files = await FileJournal.open(new NodeDisk(folder), { segmentBytes: 600, keepRecords: true });
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const machine = new ExchangeMachine({ sha256, config: { ...DEFAULT_CONFIG, ...config } });
  const onFault = (fault: Error): never => {
    throw fault;
  };
  const exchange = new JournaledExchange({ machine, journal: files, onFault, onSnapshotFault: onFault });
  const apply = (command: ExchangeCommand) => new Promise<void>((done) => exchange.apply(command, SILENT, done));
  for (let count = 1; count <= 12; count++) {
    const time = column.time(START + 1000 * count);
    await apply({ type: 'openAccount', time, address: `0x${count}`, unlimited: false });
    if (count % 4 === 0 && count / 4 <= snapshots) exchange.snapshot();
  }
  await new Promise<void>((done) => exchange.whenDurable(done));
  await files.close();
  return { folder, hash: machine.stateHash() };
}

function contents(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name)).toString('hex')] as const);
}

function segments(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.journal'))
    .sort()
    .map((name) => join(folder, name));
}

/** Runs the check, which must leave every byte as it was. */
async function check(folder: string, ...more: readonly string[]) {
  const before = contents(folder);
  const ended = await halfspread(['journal', 'check', folder, ...more]);
  expect(contents(folder)).toEqual(before);
  return ended;
}

describe('halfspread journal check', () => {
  it('prints records, times, snapshots and the state that a replay comes to', async () => {
    const { folder, hash } = await journal({ snapshots: 2 });
    const { code, stdout, stderr } = await check(folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^records +12, 1 to 12$/m);
    expect(stdout).toMatch(/^time +2023-11-14T22:13:21\.000Z to 2023-11-14T22:13:32\.000Z$/m);
    expect(stdout).toMatch(/^snapshot +8: whole\nsnapshot +4: whole\nend +whole$/m);
    expect(stdout).toContain(`${hash} after event 12`);
    expect(stdout).toMatch(/^holds +12 accounts, 0 markets, 0 open orders\nreplayed +4 records from snapshot 8$/m);
    expect(JSON.parse((await check(folder, '--json')).stdout)).toMatchObject({
      first: 1,
      last: 12,
      records: 12,
      snapshots: [{ record: 8 }, { record: 4 }],
      state: { hash, seq: 12, accounts: 12, snapshot: 8, replayed: 4, notes: [] },
    });
    expect((await check(folder, '--no-replay')).stdout).toMatch(/^state +not replayed$/m);
  });

  it('tells a torn end with file and byte, and leaves it', async () => {
    const { folder } = await journal();
    const last = segments(folder).at(-1) ?? '';
    const bytes = readFileSync(last);
    // Without the mark of its end, and the last bytes of its last record.
    writeFileSync(last, bytes.subarray(0, -33));
    const { code, stdout } = await check(folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^records +11, 1 to 11$/m);
    expect(stdout).toMatch(new RegExp(`^end +torn at ${last}:\\d+, \\d+ bytes to be cut`, 'm'));
  });

  it('refuses a damaged middle with file and byte', async () => {
    const { folder } = await journal();
    const [first = ''] = segments(folder);
    const bytes = readFileSync(first);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(first, bytes);
    const { code, stdout, stderr } = await check(folder);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^error: ${first}:? ?.*byte \\d+.*damaged`));
  });

  it('goes on from the snapshot before one that is damaged, and says so', async () => {
    const { folder, hash } = await journal({ snapshots: 2 });
    const name = join(folder, 'state-0000000000000008.snapshot');
    const bytes = readFileSync(name);
    bytes[70] = (bytes[70] ?? 0) ^ 1;
    writeFileSync(name, bytes);
    const { code, stdout } = await check(folder);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^snapshot +8: .*the state is damaged/m);
    expect(stdout).toMatch(/^replayed +8 records from snapshot 4\nnote +the snapshot after record 8 cannot be used/m);
    expect(stdout).toContain(hash);
  });

  it('replays from the configuration that it is told', async () => {
    const { folder, hash } = await journal({ config: { feeRateBps: 100 } });
    const other = await check(folder);
    expect(other.code).toBe(3);
    expect(other.stderr).toMatch(/^error: .*replayed up to record 1, the state's hash is .*--set/);
    const { code, stdout } = await check(folder, '--set', 'feeRateBps=100');
    expect(code).toBe(0);
    expect(stdout).toContain(hash);
  });

  it.each([
    [['--set', 'feeRate=1'], /--set: expected key=value with a key among minBet/],
    [['--set', 'feeRateBps=much'], /--set feeRateBps: expected an integer/],
    [['--set', 'feeRateBps=1001'], /--set feeRateBps: expected ABOVE_MAX: 1000/],
    [['--quote-policy', 'kind'], /--quote-policy: expected one of additive/],
  ])('does not take %s', async (more, message) => {
    const { code, stderr } = await halfspread(['journal', 'check', newFolder(), ...more]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('needs a folder with a journal', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'empty'));
    for (const [name, problem] of [
      ['file', 'it is no database of a venue'],
      ['nowhere', 'there is no such folder'],
      ['empty', 'there is no journal in it'],
    ] as const) {
      const { code, stderr } = await halfspread(['journal', 'check', name], folder);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(problem) });
    }
    expect(readdirSync(join(folder, 'empty'))).toEqual([]);
  });

  it('does not look at what a process is working on, and looks at a copy without a lock', async () => {
    const { folder, hash } = await journal();
    const disk = new NodeDisk(folder);
    const { code, stderr } = await halfspread(['journal', 'check', folder]);
    disk.close();
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('another process has the folder') });
    rmSync(join(folder, 'journal.lock'));
    expect((await check(folder)).stdout).toContain(hash);
    expect(readdirSync(folder)).not.toContain('journal.lock');
  });
});
