import {
  buildSchema,
  isObjectType,
  Kind,
  parse,
  stripIgnoredCharacters,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { ACCESS, type Operation, SCHEMA_SDL } from '../../src/protocol/index.ts';
import { ALL_OPERATIONS } from './generated/operations.ts';

const schema = buildSchema(SCHEMA_SDL);
const all: readonly (readonly [string, Operation<unknown, never>])[] = Object.entries(ALL_OPERATIONS);

describe('ALL_OPERATIONS', () => {
  it('has one operation for each root field', () => {
    expect(all.map(([field]) => field).sort()).toEqual(Object.keys(ACCESS).sort());
  });

  it.each(all)('%s is a valid document of one operation', (field, operation) => {
    const document = parse(operation.text);
    expect(validate(schema, document)).toEqual([]);
    const [definition, ...others] = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    expect(others).toEqual([]);
    expect(operation).toMatchObject({ field, kind: definition?.operation, name: definition?.name?.value });
  });

  it.each(all)('%s passes every argument of its field as a variable of the same name', (field, { kind, text }) => {
    const root = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    };
    const expected = root[kind]?.getFields()[field]?.args.map(({ name }) => name) ?? [];
    const passed: string[] = [];
    visit(parse(text), {
      Argument: ({ name, value }) => {
        passed.push(name.value);
        expect(value.kind === Kind.VARIABLE && value.name.value).toBe(name.value);
      },
    });
    expect(passed).toEqual(expected);
  });

  it('together select every field of the schema', () => {
    const selected = new Set<string>();
    for (const [, { text }] of all) {
      const info = new TypeInfo(schema);
      const addField = (): void => {
        selected.add(`${info.getParentType()}.${info.getFieldDef()?.name}`);
      };
      visit(parse(text), visitWithTypeInfo(info, { Field: addField }));
    }
    const schemaFields = Object.values(schema.getTypeMap())
      .filter((type) => !type.name.startsWith('__'))
      .flatMap((type) =>
        isObjectType(type) ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
      );
    expect(schemaFields.length).toBeGreaterThan(400);
    expect(schemaFields.filter((field) => !selected.has(field))).toEqual([]);
  });

  it('stay below the depth and length limits of the server', () => {
    const depths = all.map(([, { text }]) => depthOf(text));
    expect(Math.max(...depths)).toBeLessThanOrEqual(12);
    expect(Math.max(...all.map(([, { text }]) => text.length))).toBeLessThan(16 * 1024);
  });

  it('have no unnecessary spaces', () => {
    for (const [, { text }] of all) expect(text).toBe(stripIgnoredCharacters(text));
  });
});

/** Depth of nested fields, with expanded fragments. */
function depthOf(text: string): number {
  const { definitions } = parse(text);
  const depth = (selections: readonly { kind: string }[]): number =>
    Math.max(0, ...selections.map((selection) => depthOfSelection(selection)));
  const depthOfSelection = (selection: {
    kind: string;
    name?: { value: string };
    selectionSet?: { selections: readonly { kind: string }[] } | undefined;
  }): number => {
    if (selection.kind === Kind.FIELD) return 1 + depth(selection.selectionSet?.selections ?? []);
    const fragment = definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name?.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? depth(fragment.selectionSet.selections) : 0;
  };
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  return operation?.kind === Kind.OPERATION_DEFINITION ? depth(operation.selectionSet.selections) : 0;
}
