/** `__schema`, `__type` and `__typename` at the root: answered by graphql-js from the served schema, and kept. */
import { executeSync, type GraphQLSchema } from 'graphql';
import type { Projected } from './projection.ts';
import type { Arguments } from './resolver-map.ts';
import { type Part, type SubDocument, subDocumentOf } from './sub-document.ts';

/** One field of introspection in one document. */
export class Introspection {
  readonly #schema: GraphQLSchema;
  readonly #part: SubDocument;
  #answer: Projected | undefined;

  constructor(schema: GraphQLSchema, part: Part) {
    this.#schema = schema;
    this.#part = subDocumentOf(part);
  }

  project(variables: Arguments): Projected {
    if (this.#answer !== undefined) return this.#answer;
    const used = this.#part.variables.filter((name) => Object.hasOwn(variables, name));
    const { data, errors } = executeSync({
      schema: this.#schema,
      document: this.#part.document,
      variableValues: Object.fromEntries(used.map((name) => [name, variables[name]])),
    });
    const projected = { data: data ?? null, errors: errors ?? [] };
    // The schema never changes while it is served.
    if (this.#part.variables.length === 0) this.#answer = projected;
    return projected;
  }
}
