/**
 * Checks that a bot can trade on a venue: compares the venue's schema, from introspection, with what the bot needs.
 *
 * A validation of each document against the venue's schema finds refused requests. A comparison of the used parts finds
 * changed answers. Differences in unused parts do not matter.
 */
import {
  buildSchema,
  type DocumentNode,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { OPERATIONS, type Operation, SCHEMA_SDL } from '../../../protocol/index.ts';
import type { OperationTexts } from '../transport/index.ts';

export function compareSchema(venueSchema: GraphQLSchema, texts: OperationTexts) {
  const contract = buildSchema(SCHEMA_SDL);
  const operations: readonly Operation<unknown, never>[] = Object.values(OPERATIONS);
  const refused = operations.flatMap((operation) => {
    /** File of the operator's own document; undefined for the API's document. */
    const file = texts.overridden.get(operation.name);
    const faults = validate(venueSchema, parse(texts.textOf(operation)));
    return faults.map(({ message }) => ({ operation: operation.name, file, problem: message }));
  });
  const unchanged = operations.filter(({ name }) => !texts.overridden.has(name)).map(({ text }) => parse(text));
  const used = collectUsedParts(contract, unchanged);
  const [breaking, unusedBreaking] = splitByUse(findBreakingChanges(contract, venueSchema), used);
  const [dangerous, unusedDangerous] = splitByUse(findDangerousChanges(contract, venueSchema), used);
  return {
    refused,
    /** Changes of used parts that alter answers or refuse requests. */
    breaking,
    /** Changes of used parts that may matter: new values of an enum, other defaults. */
    dangerous,
    harmless: [...unusedBreaking, ...unusedDangerous],
    operations: operations.length,
  };
}

/** Returns the texts of changes of used parts, and the texts of all other changes. */
function splitByUse(
  changes: readonly { readonly description: string }[],
  used: UsedParts,
): readonly [readonly string[], readonly string[]] {
  const texts = changes.map(({ description }) => description);
  const isOfUsedPart = (text: string): boolean => findSubjects(text).some((subject) => used.has(subject));
  return [texts.filter(isOfUsedPart), texts.filter((text) => !isOfUsedPart(text))];
}

/** Returns what a change names: fields as `Type.field`, or a type, such as `E` in "X was added to enum type E." */
function findSubjects(text: string): readonly string[] {
  const fields = text.match(/\b[A-Z_a-z]\w*\.[A-Z_a-z]\w*/g);
  if (fields !== null) return fields;
  const value = /^(\w+) was (removed from|added to) enum type (\w+)\.$/.exec(text);
  // A removed value matters only if a request may send it, because the venue would refuse the request.
  if (value?.[2] === 'removed from') return [asInput(value[3] ?? '')];
  if (value !== null) return [`${value[3]}.${value[1]}`, value[3] ?? ''];
  const [name = ''] = text.split(/[^\w]/);
  return [name];
}

/** Returns the name in `UsedParts` of a type that requests send. */
function asInput(name: string): string {
  return `${name} as input`;
}

/** Names of types, and `Type.field` for fields, members of inputs and values of enums. */
type UsedParts = ReadonlySet<string>;

/** Collects the parts of a schema that documents use. Includes all members of a used input, because any may be sent. */
function collectUsedParts(schema: GraphQLSchema, documents: readonly DocumentNode[]): UsedParts {
  const parts = new Set<string>();
  const addInput = (name: string): void => {
    const type = schema.getType(name);
    if (type === undefined || parts.has(asInput(name))) return;
    parts.add(name);
    parts.add(asInput(name));
    if (!isInputObjectType(type)) return;
    for (const field of Object.values(type.getFields())) {
      parts.add(`${name}.${field.name}`);
      addInput(getNamedType(field.type).name);
    }
  };
  for (const document of documents) {
    const info = new TypeInfo(schema);
    const visitor = {
      Field: () => {
        const [parent, field] = [info.getParentType(), info.getFieldDef()];
        if (parent === null || parent === undefined || field === null || field === undefined) return;
        parts.add(`${parent.name}.${field.name}`);
        const type = getNamedType(field.type);
        parts.add(type.name);
        if (isEnumType(type)) for (const { name } of type.getValues()) parts.add(`${type.name}.${name}`);
        for (const argument of field.args) addInput(getNamedType(argument.type).name);
      },
    };
    visit(document, visitWithTypeInfo(info, visitor));
  }
  return parts;
}
