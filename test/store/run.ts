/** An exchange of the tiny machine on a journal of files, and what it came to at each record. */
import type { ExchangeCommand } from '../../src/exchange/command.ts';
import { JournaledExchange, type JournaledOptions, type Recovery, recover } from '../../src/exchange/index.ts';
import { SILENT } from '../../src/exchange/sink.ts';
import type { Disk } from '../../src/store/disk.ts';
import { FileJournal, type FileJournalOptions } from '../../src/store/file-journal.ts';
import { TinyMachine } from '../exchange/journal/tiny-machine.ts';

type Options = FileJournalOptions & Pick<JournaledOptions, 'snapshotEvery' | 'hashEvery'>;

/** A process: it opens, recovers, and can be asked to apply commands until it dies with its disk. */
export class Run {
  readonly journal: FileJournal;
  readonly recovery: Recovery<TinyMachine>;
  readonly exchange: JournaledExchange;
  /** Hash of the state after each record; of the fresh machine at 0. */
  readonly hashes: string[];
  /** The last record that was acknowledged. */
  acknowledged: number;
  readonly faults: string[] = [];

  private constructor(journal: FileJournal, hashes: readonly string[], options: Options) {
    this.journal = journal;
    this.recovery = recover({ journal, fresh: () => new TinyMachine(), restore: TinyMachine.restore });
    this.hashes = hashes.slice(0, journal.last + 1);
    this.acknowledged = journal.last;
    const onFault = (fault: Error): void => void this.faults.push(fault.message);
    const { machine } = this.recovery;
    this.exchange = new JournaledExchange({ machine, journal, onFault, onSnapshotFault: onFault, ...options });
  }

  /** @param hashes what earlier processes came to */
  static async start(disk: Disk, options: Options, hashes: readonly string[] = [EMPTY]): Promise<Run> {
    return new Run(await FileJournal.open(disk, options), hashes, options);
  }

  apply(command: ExchangeCommand): void {
    const before = this.exchange.sequence;
    let record = 0;
    this.exchange.apply(command, SILENT, () => {
      this.acknowledged = Math.max(this.acknowledged, record);
    });
    if (this.exchange.sequence === before) return;
    record = this.exchange.sequence;
    this.hashes[record] = this.recovery.machine.stateHash();
  }

  /** Everything that was asked for is durable. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.exchange.whenDurable(resolve));
  }
}

const EMPTY = new TinyMachine().stateHash();
