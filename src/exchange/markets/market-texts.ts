/**
 * The constant texts of a market. An entry of `MARKET_TEXTS` adds a text to `createMarket`, its checks and digest,
 * `MarketTerms` and snapshots. A new text must be optional and `isLater`.
 */
import type { StateReader, StateWriter } from '../state-writer.ts';

interface MarketText {
  readonly isOptional?: true;
  /** Set for a text that the first version lacks. A market without the text keeps its old digest and snapshot bytes. */
  readonly isLater?: true;
  /** Set for a text that must not be blank. */
  readonly isFilled?: true;
  /** Maximum number of code points; `configured` means `maxQuestionLength`. Default: no limit. */
  readonly maxLength?: number | 'configured';
}

/** The texts, in the order of their checks. */
const MARKET_TEXTS = {
  question: { isFilled: true, maxLength: 'configured' },
  /** How the market is decided. */
  rules: { isFilled: true, maxLength: 10_000 },
  description: { isOptional: true, maxLength: 10_000 },
  categorySlug: {},
  /** Markets with the same id belong to one event, which is a hint for risk. */
  eventId: { isOptional: true },
} as const satisfies Readonly<Record<string, MarketText>>;

type Texts = typeof MARKET_TEXTS;
type LaterName = { [Name in keyof Texts]: Texts[Name] extends { isLater: true } ? Name : never }[keyof Texts];
type OriginalName = Exclude<keyof Texts, LaterName>;

export type MarketTexts = {
  readonly [Name in OriginalName]: Texts[Name] extends { isOptional: true } ? string | undefined : string;
} & { readonly [Name in LaterName]?: string };

export const MARKET_TEXT_RULES: readonly (readonly [name: keyof Texts, rule: MarketText])[] = Object.keys(MARKET_TEXTS)
  .filter(isTextName)
  .map((name) => [name, MARKET_TEXTS[name]]);

export function pickTexts(source: MarketTexts): MarketTexts {
  const present = MARKET_TEXT_RULES.filter(([name, { isLater }]) => !isLater || source[name] !== undefined);
  const texts = present.map(([name]) => [name, source[name]]);
  return Object.fromEntries(texts);
}

/** Names of the texts added after the first version. */
const LATER_TEXTS: readonly string[] = MARKET_TEXT_RULES.flatMap(([name, { isLater }]) => (isLater ? name : []));

/** Writes the negated number of later texts, then each name and text. Writes nothing if there are none. */
export function writeLaterTexts(writer: StateWriter, market: object, names = LATER_TEXTS): void {
  const texts = names.flatMap((name) => {
    const text: unknown = Reflect.get(market, name);
    return typeof text === 'string' ? [name, text] : [];
  });
  if (texts.length === 0) return;
  writer.number(-texts.length / 2);
  for (const text of texts) writer.text(text);
}

/** Reads the output of `writeLaterTexts`, and the next number, which is 0 or more. */
export function readLaterTexts(reader: StateReader): readonly [texts: Readonly<Record<string, string>>, next: number] {
  const count = reader.number();
  if (count >= 0) return [{}, count];
  const texts: Record<string, string> = {};
  for (let left = -count; left > 0; left -= 1) {
    const name = reader.text();
    texts[name] = reader.text();
  }
  return [texts, reader.number()];
}

function isTextName(name: string): name is keyof Texts {
  return Object.hasOwn(MARKET_TEXTS, name);
}
