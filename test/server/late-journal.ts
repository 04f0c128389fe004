import type { JournalBatch, OnDurable, Snapshot } from '../../src/exchange/index.ts';
import { JournalWrapper } from '../exchange/journal/journal-wrapper.ts';

/** Reports durability one round of the event loop later than the journal it wraps. */
export class LateJournal extends JournalWrapper {
  override append(batch: JournalBatch, onDurable: OnDurable): void {
    this.inner.append(batch, (fault) => void setImmediate(() => onDurable(fault)));
  }

  override saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    this.inner.saveSnapshot(snapshot, (fault) => void setImmediate(() => onDurable(fault)));
  }
}
