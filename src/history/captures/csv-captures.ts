import { FileFault } from '../../domain/index.ts';
import { splitCsv } from '../import/csv-source.ts';
import { type Envelope, MESSAGE_KEYS, openEnvelope, receiveTime, TIME_KEYS } from './envelope.ts';

/** Reads CSV lines with a JSON message in one column and the receive time in another. */
export class CsvCaptures {
  readonly #path: string;
  #columns: { readonly count: number; readonly message: number; readonly time: number } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads one line; undefined for the header.
   * @throws FileFault for a header without a message column
   * @throws SyntaxError for an invalid row
   */
  read(text: string, isMessage: (value: object) => boolean): Envelope | undefined {
    const cells = splitCsv(text, ',');
    if (this.#columns === undefined) {
      this.#columns = this.#header(cells ?? []);
      return undefined;
    }
    const { count, message, time } = this.#columns;
    if (cells?.length !== count) throw new SyntaxError('a row with another number of cells than the header');
    const envelope = openEnvelope(JSON.parse(cells[message] ?? ''), isMessage);
    return time < 0 ? envelope : { ...envelope, receivedAt: receiveTime(cells[time]) };
  }

  #header(names: readonly string[]): { count: number; message: number; time: number } {
    const indexOf = (keys: readonly string[]): number => {
      const key = keys.find((name) => names.includes(name));
      return key === undefined ? -1 : names.indexOf(key);
    };
    const message = indexOf(MESSAGE_KEYS);
    if (message >= 0) return { count: names.length, message, time: indexOf(TIME_KEYS) };
    const problem = `no column with JSON messages: ${names.slice(0, 20).join(', ')}`;
    const remedy = `Name it ${MESSAGE_KEYS.join(', ')}; a table of levels and trades needs \`import csv\` and a mapping file`;
    throw new FileFault(this.#path, 'line 1', problem, remedy);
  }
}
