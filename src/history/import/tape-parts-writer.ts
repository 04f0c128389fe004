/**
 * Writes the tapes of an import in parts, so that a killed import continues after its last finished part.
 *
 * Invariant: parts and state match. A part ends between two messages. Its file is finished first, then the state is
 * saved and renamed. A continued import writes the parts after the saved state again.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFault } from '../../domain/index.ts';
import { BLOCK_ROWS, makeBlock, type TapeManifest, type TapeMarket } from '../../tape/index.ts';
import { writeFault } from '../files.ts';
import { TapeFile } from '../tape-file.ts';
import { type TapeHead, TapeWriter } from '../tape-writer.ts';
import type { ImportCounts } from './counts.ts';
import type { MarketImport } from './market-import.ts';
import { type MarketRules, savedMarket } from './market-rows.ts';
import { TapeImport, type TapeImportOptions } from './tape-import.ts';

/** Maximum number of tapes, each with an open file. */
const MAX_TAPES = 500;

/** The fields of the head that are equal on all tapes of one import. */
export type ImportHead = Omit<TapeHead, 'name' | 'markets'>;

export interface TapePartsOptions {
  readonly folder: string;
  readonly partsFolder: string;
  readonly name: string;
  /** Whether each market has its own tape. */
  readonly separate: boolean;
  readonly rules: MarketRules;
  readonly messages: TapeImportOptions;
  readonly describe: (key: string) => TapeMarket;
}

export interface ImportedTape {
  readonly path: string;
  readonly manifest: TapeManifest;
  /** Whether all markets of the tape are resolved. */
  readonly isResolved: boolean;
}

interface OpenTape {
  readonly name: string;
  readonly tapeImport: TapeImport;
  readonly markets: { readonly key: string; readonly market: MarketImport }[];
  writer: TapeWriter;
  readonly parts: string[];
  isInMessage: boolean;
}

/** Schema of a tape's state between two parts. */
export const savedTape = z.object({
  name: z.string(),
  time: z.number(),
  parts: z.array(z.string()),
  markets: z.array(z.object({ key: z.string(), state: savedMarket })),
});
type SavedTape = z.output<typeof savedTape>;

export class TapePartsWriter {
  readonly #options: TapePartsOptions;
  readonly #counts: ImportCounts;
  readonly #tapes = new Map<string, OpenTape>();
  readonly #markets = new Map<string, { readonly tape: OpenTape; readonly market: MarketImport }>();
  readonly #tapesInMessage: OpenTape[] = [];
  finishedParts = 0;
  #tx = 0;
  #rx = 0;

  constructor(options: TapePartsOptions, counts: ImportCounts) {
    this.#options = options;
    this.#counts = counts;
  }

  hasMarket(key: string): boolean {
    return this.#markets.has(key);
  }

  /** Begins a message. @param tx exchange time, epoch ms @param rx receive time, epoch ms */
  begin(tx: number, rx: number): void {
    this.#tx = tx;
    this.#rx = rx;
  }

  /**
   * Returns a market for rows of the current message; undefined if the message is dropped.
   * @throws InputFault for a refused message or too many markets
   */
  market(key: string): MarketImport | undefined {
    const { tape, market } = this.#markets.get(key) ?? this.#addMarket(key);
    if (tape.isInMessage) return market;
    if (!tape.tapeImport.begin(this.#tx, this.#rx)) return undefined;
    tape.isInMessage = true;
    this.#tapesInMessage.push(tape);
    return market;
  }

  end(): void {
    for (const tape of this.#tapesInMessage) {
      tape.tapeImport.end();
      tape.isInMessage = false;
    }
    this.#tapesInMessage.length = 0;
  }

  /** Finishes the current part and begins the next. Returns the state for `restore`. */
  endPart(head: ImportHead): SavedTape[] {
    this.finishedParts += 1;
    return [...this.#tapes.values()].map((tape) => {
      this.#finishPart(tape, head);
      tape.writer = this.#openPart(tape.name);
      tape.tapeImport.continueIn(tape.writer.messages);
      return {
        name: tape.name,
        time: tape.tapeImport.time,
        parts: tape.parts,
        markets: tape.markets.map(({ key, market }) => ({ key, state: market.save() })),
      };
    });
  }

  restore(part: number, tapes: readonly SavedTape[]): void {
    this.finishedParts = part;
    for (const { name, time, parts, markets } of tapes) {
      const tape = this.#openTape(name);
      for (const { key, state } of markets) this.#addMarketTo(tape, key).restore(state);
      tape.parts.push(...parts);
      tape.tapeImport.continueIn(tape.writer.messages, time);
    }
  }

  /** Joins the parts to the tapes and deletes the parts. */
  finish(head: ImportHead): ImportedTape[] {
    const written = [...this.#tapes.values()].flatMap((tape) => {
      this.#finishPart(tape, head);
      const path = join(this.#options.folder, `${tape.name}.tape`);
      const manifest = this.#join(tape, path, head);
      if (manifest === undefined) return [];
      return [{ path, manifest, isResolved: tape.markets.every(({ market }) => market.isResolved) }];
    });
    rmSync(this.#options.partsFolder, { recursive: true, force: true });
    return written;
  }

  /** Deletes the current part; finished parts stay. */
  abandon(): void {
    for (const { writer } of this.#tapes.values()) writer.abandon();
  }

  #addMarket(key: string): { readonly tape: OpenTape; readonly market: MarketImport } {
    const { name, separate, describe } = this.#options;
    const baseName = separate ? `${name}-${describe(key).slug}` : name;
    let tapeName = baseName;
    for (let copy = 2; separate && this.#tapes.has(tapeName); copy += 1) tapeName = `${baseName}-${copy}`;
    const tape = this.#tapes.get(tapeName) ?? this.#openTape(tapeName);
    return { tape, market: this.#addMarketTo(tape, key) };
  }

  #addMarketTo(tape: OpenTape, key: string): MarketImport {
    if (tape.markets.length === 65_536) throw new InputFault('market', key, 'at most 65536 markets on a tape');
    const market = tape.tapeImport.addMarket(this.#options.rules);
    tape.markets.push({ key, market });
    this.#markets.set(key, { tape, market });
    return market;
  }

  #openTape(name: string): OpenTape {
    if (this.#tapes.size === MAX_TAPES)
      throw new InputFault('market', name, `at most ${MAX_TAPES} tapes: import without --separate`);
    const writer = this.#openPart(name);
    const tapeImport = new TapeImport(writer.messages, this.#counts, this.#options.messages);
    const opened = { name, tapeImport, markets: [], writer, parts: [], isInMessage: false };
    this.#tapes.set(name, opened);
    return opened;
  }

  #openPart(name: string): TapeWriter {
    return new TapeWriter(join(this.#options.partsFolder, `${name}-${this.finishedParts}.tape`));
  }

  #finishPart(tape: OpenTape, head: ImportHead): void {
    tape.tapeImport.finish();
    tape.writer.messages.finish();
    if (tape.writer.isEmpty) {
      tape.writer.abandon();
      return;
    }
    tape.writer.finish(this.#makeHead(tape, head));
    tape.parts.push(tape.writer.path);
  }

  #join(tape: OpenTape, path: string, head: ImportHead): TapeManifest | undefined {
    const [first] = tape.parts;
    if (first === undefined) return undefined;
    // Only the last part has the hashes of the input files in its head.
    if (tape.parts.length === 1 && this.finishedParts === 0) {
      const { manifest } = TapeFile.open(first);
      try {
        mkdirSync(this.#options.folder, { recursive: true });
        renameSync(first, path);
      } catch (cause) {
        throw writeFault(path, cause);
      }
      return manifest;
    }
    const writer = new TapeWriter(path);
    try {
      const block = makeBlock(BLOCK_ROWS);
      for (const part of tape.parts) {
        const feed = TapeFile.open(part).feed();
        try {
          while (feed.fill(block) > 0) writer.messages.append(block);
        } finally {
          feed.close();
        }
      }
      return writer.finish(this.#makeHead(tape, head));
    } finally {
      writer.abandon();
    }
  }

  #makeHead({ name, markets }: OpenTape, head: ImportHead): TapeHead {
    return { ...head, name, markets: markets.map(({ key }) => this.#options.describe(key)) };
  }
}
