/** Reads YAML files with line and column of each key and value. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
  type YAMLWarning,
} from 'yaml';
import { errorMessage, FileFault } from '../domain/index.ts';
import { readFileAtMost } from '../runtime/index.ts';
import { nearest } from '../strategy/index.ts';
import { ConfigFault, type Place } from './config-fault.ts';

/** Keys and list indexes from the root. */
export type YamlPath = readonly (string | number)[];

export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** Returns the place of the key at a path (for a list entry, of the value), or of the nearest existing parent. */
  placeOfKey(path: YamlPath): Place;
  /** Returns the place of the value at a path, or of the nearest existing parent. */
  placeOfValue(path: YamlPath): Place;
}

export const MAX_CHARACTERS: number = 256 * 1_024;
/** UTF-8 uses at most 4 bytes per character. */
export const MAX_BYTES: number = 4 * MAX_CHARACTERS;
const MAX_DEPTH = 100;
/** Maximum number of aliases. The parser searches the whole file for each alias. */
const MAX_ALIASES = 100;

/** @throws ConfigFault with line and column for invalid YAML, duplicate keys or unknown tags */
export function readYaml(file: string, givenPath: string = file): YamlFile {
  return parseYaml(readText(file, givenPath), givenPath);
}

/** Returns the text of a YAML file with some values replaced and all comments kept. @throws ConfigFault */
export function replaceYamlValues(
  file: string,
  values: readonly (readonly [path: YamlPath, value: unknown])[],
): string {
  const document = parseDocument(readText(file, file));
  for (const [path, value] of values) document.setIn(path, value);
  return String(document);
}

/** @param file name of the text in messages */
export function parseYaml(text: string, file: string): YamlFile {
  if (text.length > MAX_CHARACTERS)
    throw new ConfigFault(file, `longer than ${MAX_CHARACTERS} characters: this is not a configuration`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: false });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, text: text.split(/\r?\n/)[line - 1] ?? '' };
  };
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw new ConfigFault(place(problem.pos[0]), problemText(problem), { cause: problem });
  refuseUnneededYaml(document, place);
  return {
    file,
    value: toValue(document, place),
    placeOfKey: (path) => place(offsetAt(document, path, 'key')),
    placeOfValue: (path) => place(offsetAt(document, path, 'value')),
  };
}

function readText(file: string, givenPath: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileAtMost(file, MAX_BYTES, 'a configuration');
  } catch (cause) {
    if (cause instanceof FileFault)
      throw new ConfigFault(givenPath, `longer than ${MAX_BYTES} bytes: this is not a configuration`);
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const problem =
      code === 'ENOENT'
        ? `there is no such file. ${suggestFile(file, givenPath)}`
        : code === 'EISDIR'
          ? 'this is a folder. Name a YAML file in it'
          : `cannot be read: ${String(cause)}`;
    throw new ConfigFault(givenPath, problem, { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigFault(givenPath, 'this is not UTF-8 text. A configuration is a YAML file', { cause });
  }
}

function suggestFile(file: string, givenPath: string): string {
  let names: readonly string[];
  try {
    names = readdirSync(dirname(file));
  } catch {
    // The folder is missing or cannot be listed, so there is no name to suggest.
    return 'Check the path';
  }
  const yamlNames = names.filter((name) => /\.ya?ml$/i.test(name));
  const similar = nearest(basename(file), yamlNames);
  return similar === undefined ? 'Check the path' : `Did you mean ${join(dirname(givenPath), similar)}?`;
}

/** @throws ConfigFault for unresolved or excessive aliases */
function toValue(document: Document.Parsed, place: (offset: number) => Place): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw new ConfigFault(place(0), toOneLine(errorMessage(cause)), { cause });
  }
}

function offsetAt(document: Document.Parsed, path: YamlPath, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOffset(node) ?? 0;
  for (let depth = 0; depth < path.length; ) {
    if (!isCollection(node)) return offset;
    const { item, steps } = itemAt(node, path.slice(depth));
    depth += steps;
    const isLast = depth === path.length;
    const value = isPair(item) ? item.value : item;
    const target =
      isPair(item) && ((isLast && part === 'key') || startOffset(item.value) === undefined) ? item.key : value;
    const targetOffset = startOffset(target);
    if (targetOffset === undefined) return offset;
    offset = isPair(item) && !isLast ? (startOffset(item.key) ?? targetOffset) : targetOffset;
    node = value;
  }
  return offset;
}

/** Returns the entry at the start of a path. A key with dots, such as `params.bid_spread`, takes several steps. */
function itemAt(node: YAMLMap | YAMLSeq, path: YamlPath): { readonly item: unknown; readonly steps: number } {
  if (!isMap(node)) return { item: node.items[Number(path[0])], steps: 1 };
  for (let steps = 1; steps <= path.length; steps += 1) {
    const [first = '', ...others] = path.slice(0, steps);
    const text = `${first}${others.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
    const item = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === text);
    if (item !== undefined) return { item, steps };
  }
  return { item: undefined, steps: 1 };
}

function startOffset(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** Returns the parser's message. Rewrites two messages about the parser's internals. */
function problemText({ code, message }: YAMLParseError | YAMLWarning): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here. One file is one configuration';
  return /call stack/.test(message) ? 'this is nested too deeply' : toOneLine(message);
}

/** Refuses valid YAML that no configuration needs. @throws ConfigFault */
function refuseUnneededYaml(document: Document, place: (offset: number) => Place): void {
  const placeAt = (node: unknown) => place(startOffset(node) ?? 0);
  let aliases = 0;
  visit(document, (_, node, path) => {
    if (path.length > 2 * MAX_DEPTH) throw new ConfigFault(placeAt(node), 'this is nested too deeply');
    if (isMap(node)) refuseInvalidKeys(node.items, placeAt);
    if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\0'))
      throw new ConfigFault(placeAt(node), 'a NUL character is in this text: remove it');
    if (!isAlias(node)) return;
    aliases += 1;
    if (aliases > MAX_ALIASES)
      throw new ConfigFault(placeAt(node), `more than ${MAX_ALIASES} aliases (*name): write it out`);
    // Aliases inside anchors can expand a few lines to billions of values, or endlessly.
    if (path.some((above) => isCollection(above) && above.anchor !== undefined))
      throw new ConfigFault(placeAt(node), `the alias *${node.source} is inside an anchor (&name): write it out`);
  });
}

/** Replaces the parser's check for duplicate keys, which takes quadratic time. */
function refuseInvalidKeys(pairs: readonly { readonly key: unknown }[], placeAt: (node: unknown) => Place): void {
  const seen = new Set<string>();
  for (const { key } of pairs) {
    if (!isScalar(key)) throw new ConfigFault(placeAt(key), 'a key has to be a single word or number');
    // Plain objects would silently drop this key.
    if (key.value === '__proto__') throw new ConfigFault(placeAt(key), 'no key may be called "__proto__"');
    const name = String(key.value);
    if (seen.has(name)) throw new ConfigFault(placeAt(key), 'Map keys must be unique');
    seen.add(name);
  }
}

/** Returns the message as one line without a full stop. */
function toOneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/[.:]$/, '');
}

export function yamlText(value: unknown): string {
  return stringify(value);
}
