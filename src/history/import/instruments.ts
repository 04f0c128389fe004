import { resolve } from 'node:path';
import { FileFault, FULL_BPS, InputFault, type Outcome, parseTime, thrownText } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { marketIdFromName, readFileAtMost } from '../../runtime/index.ts';
import type { TapeMarket } from '../../tape/index.ts';
import { splitCsv } from './csv-source.ts';
import type { InstrumentFacts, Mapping } from './mapping.ts';
import { makePathReader } from './row-source.ts';

/** An instrument of the source: the key of its market, and the outcome that it is. */
export interface Instrument {
  readonly key: string;
  readonly outcome: Outcome;
}

interface MarketOutcome {
  readonly key: string;
  /** Time of the resolution, epoch ms. */
  readonly at: number;
  /** Payout of a YES share; undefined for a void market. */
  readonly payoutBps: number | undefined;
}

const MAX_BYTES = 67_108_864;
const TEXT_FIELDS = [
  'market',
  'question',
  'slug',
  'category',
  'scheduled_resolution',
  'resolution',
  'resolved_at',
] as const;

/** Maximum number of instruments: one per outcome of 65,536 markets. */
const MAX_INSTRUMENTS = 131_072;

/** The instruments of an import, with their facts from the mapping and its metadata file. */
export class Instruments {
  readonly #mapping: Mapping;
  readonly #facts: ReadonlyMap<string, InstrumentFacts>;
  readonly #known = new Map<string, Instrument | undefined>();
  /** Facts of the YES instrument, by market. */
  readonly #byMarket = new Map<string, InstrumentFacts>();
  readonly #outcomes: MarketOutcome[] = [];

  /** @throws FileFault, InputFault */
  constructor(mapping: Mapping, folder: string) {
    this.#mapping = mapping;
    this.#facts = readFacts(mapping, folder);
    for (const facts of this.#facts.values()) {
      const key = facts.market ?? facts.instrument;
      if (facts.outcome === 'yes' || !this.#byMarket.has(key)) this.#byMarket.set(key, facts);
      const outcome = parseOutcome(facts);
      if (outcome !== undefined && !this.#outcomes.some((other) => other.key === key)) this.#outcomes.push(outcome);
      // Throws for an invalid time in the facts.
      describeMarket(mapping, key, facts);
    }
    this.#outcomes.sort((a, b) => a.at - b.at);
  }

  /** Returns undefined if the mapping leaves out the instrument. @throws InputFault for too many instruments */
  resolve(name: string): Instrument | undefined {
    const known = this.#known.get(name);
    if (known !== undefined || this.#known.has(name)) return known;
    if (this.#known.size === MAX_INSTRUMENTS)
      throw new InputFault('market.column', name, `at most ${MAX_INSTRUMENTS} instruments`);
    const facts = this.#facts.get(name);
    const isDropped = facts === undefined && this.#mapping.others === 'drop';
    const outcome = facts?.outcome === 'no' ? 'NO' : 'YES';
    const instrument = isDropped ? undefined : ({ key: facts?.market ?? name, outcome } as const);
    this.#known.set(name, instrument);
    return instrument;
  }

  describe(key: string): TapeMarket {
    return describeMarket(this.#mapping, key, this.#byMarket.get(key));
  }

  /** Removes and returns the outcomes up to a time, in order of time. */
  takeOutcomes(time: number): MarketOutcome[] {
    const [first] = this.#outcomes;
    if (first === undefined || first.at > time) return [];
    const end = this.#outcomes.findIndex(({ at }) => at > time);
    return this.#outcomes.splice(0, end < 0 ? this.#outcomes.length : end);
  }
}

/** Reads the facts by instrument. Facts in the mapping override the metadata file. @throws FileFault, InputFault */
function readFacts(mapping: Mapping, folder: string): ReadonlyMap<string, InstrumentFacts> {
  const facts = new Map<string, InstrumentFacts>();
  if (mapping.metadata !== undefined) {
    const path = resolve(folder, mapping.metadata.file);
    const inMapping = new Set(mapping.markets.map(({ instrument }) => instrument));
    for (const [at, fact] of readFactsFile(mapping.metadata, path).entries()) {
      if (!inMapping.has(fact.instrument)) checkFact(fact, path, at + 1);
      facts.set(fact.instrument, fact);
    }
  }
  for (const fact of mapping.markets) facts.set(fact.instrument, { ...facts.get(fact.instrument), ...fact });
  return facts;
}

/** @param key unique in the import */
function describeMarket(mapping: Mapping, key: string, facts: InstrumentFacts | undefined): TapeMarket {
  const scheduled = facts?.scheduled_resolution ?? mapping.scheduled_resolution;
  return {
    id: marketIdFromName(`${mapping.name} ${key}`),
    slug: facts?.slug ?? toSlug(key),
    question: facts?.question ?? key,
    outcomes: facts?.outcomes ?? ['YES', 'NO'],
    grid: mapping.grid,
    scheduledResolution: scheduled === undefined ? undefined : parseTime('scheduled_resolution', scheduled),
    commissionBps: mapping.commission_bps,
    ...(facts?.category !== undefined && { category: facts.category }),
  };
}

/** @throws InputFault */
function parseOutcome(facts: InstrumentFacts): MarketOutcome | undefined {
  if (facts.resolution === undefined) return undefined;
  const field = `markets of ${facts.instrument}`;
  if (facts.resolved_at === undefined)
    throw new InputFault(`${field}: resolved_at`, undefined, 'the time of the resolution');
  const payoutBps = parsePayout(facts.resolution);
  if (Number.isNaN(payoutBps)) throw new InputFault(`${field}: resolution`, facts.resolution, 'yes, no, void or bps');
  const isMirrored = facts.outcome === 'no' && payoutBps !== undefined;
  const at = parseTime('resolved_at', facts.resolved_at);
  return { key: facts.market ?? facts.instrument, at, payoutBps: isMirrored ? FULL_BPS - payoutBps : payoutBps };
}

/** @throws FileFault with the entry of an invalid fact */
function checkFact(fact: InstrumentFacts, path: string, entry: number): void {
  try {
    parseOutcome(fact);
    if (fact.scheduled_resolution !== undefined) parseTime('scheduled_resolution', fact.scheduled_resolution);
  } catch (cause) {
    throw new FileFault(path, `entry ${entry}`, thrownText(cause), 'Correct the entry', { cause });
  }
}

function parsePayout(resolution: string): number | undefined {
  const word = resolution.toLowerCase();
  if (word === 'yes') return FULL_BPS;
  if (word === 'no') return 0;
  if (word === 'void') return undefined;
  return /^\d{1,5}$/.test(word) && Number(word) <= FULL_BPS ? Number(word) : Number.NaN;
}

function readFactsFile({ key, columns }: NonNullable<Mapping['metadata']>, path: string): InstrumentFacts[] {
  const bytes = readFileAtMost(path, MAX_BYTES, 'a file of markets');
  const rows: unknown = path.endsWith('.json') ? parseJson(bytes) : parseCsvRows(bytes.toString('utf8'));
  if (!Array.isArray(rows)) throw new FileFault(path, undefined, 'the file is not a list', 'Use a list of objects');
  const readText = (row: unknown, column: string | undefined): string | undefined => {
    const value = column === undefined ? undefined : makePathReader(column)(row);
    return value === undefined || value === null || value === '' ? undefined : String(value);
  };
  return rows.map((row, at) => {
    const instrument = readText(row, key);
    if (instrument === undefined)
      throw new FileFault(path, `entry ${at + 1}`, `no ${key}`, 'Name its column with metadata.key');
    const [yes, no] = [readText(row, columns.yes), readText(row, columns.no)];
    const outcome = readText(row, columns.outcome)?.toLowerCase() === 'no' ? 'no' : 'yes';
    const fact: InstrumentFacts = { instrument, outcome };
    for (const field of TEXT_FIELDS) {
      const value = readText(row, columns[field]);
      if (value !== undefined) fact[field] = value;
    }
    if (yes !== undefined && no !== undefined) fact.outcomes = [yes, no];
    return fact;
  });
}

function parseCsvRows(text: string): unknown[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  const [head = [], ...rows] = lines.map((line) => splitCsv(line, ',') ?? []);
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
}

function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
}
