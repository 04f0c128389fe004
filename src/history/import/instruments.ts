import { InputFault } from '../../domain/index.ts';
import type { TapeMarket } from '../../tape/index.ts';
import type { Mapping, MarketFacts } from './mapping.ts';
import { describeMarket, parseOutcome, type ResolvedOutcome, readFacts } from './market-facts.ts';

/** The market of an instrument. `isNo` says whether the instrument is the NO outcome. */
export interface Instrument {
  readonly key: string;
  readonly isNo: boolean;
}

type MarketOutcome = ResolvedOutcome & { readonly key: string };

/** Maximum number of instruments: one per outcome of 65,536 markets. */
const MAX_INSTRUMENTS = 131_072;

/** The instruments of an import, with their facts from the mapping and its metadata file. */
export class Instruments {
  readonly #mapping: Mapping;
  readonly #facts: ReadonlyMap<string, MarketFacts>;
  readonly #known = new Map<string, Instrument | undefined>();
  /** Facts of the YES instrument, by market. */
  readonly #byMarket = new Map<string, MarketFacts>();
  readonly #outcomes: MarketOutcome[] = [];

  /** @throws FileFault, InputFault */
  constructor(mapping: Mapping, folder: string) {
    this.#mapping = mapping;
    this.#facts = readFacts(mapping, folder);
    for (const facts of this.#facts.values()) {
      const key = facts.market ?? facts.instrument;
      if (facts.outcome === 'yes' || !this.#byMarket.has(key)) this.#byMarket.set(key, facts);
      const outcome = parseOutcome(facts);
      if (outcome !== undefined && !this.#outcomes.some((other) => other.key === key))
        this.#outcomes.push({ key, ...outcome });
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
    const instrument =
      facts === undefined && this.#mapping.others === 'drop'
        ? undefined
        : { key: facts?.market ?? name, isNo: facts?.outcome === 'no' };
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
    const later = this.#outcomes.findIndex(({ at }) => at > time);
    return this.#outcomes.splice(0, later < 0 ? this.#outcomes.length : later);
  }
}
