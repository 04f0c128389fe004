/** The document of an example: what its variables need, and the fields that are worth showing. */
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
  parse,
  print,
} from 'graphql';

/** An operation's document, printed over several lines. @param given names of the variables that the example sets */
export function exampleDocument(
  kind: 'query' | 'mutation' | 'subscription',
  { name, args, type }: GraphQLField<unknown, unknown>,
  given: readonly string[],
): string {
  const used = args.filter((arg) => given.includes(arg.name));
  const declared = used.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const [head, call] = used.length === 0 ? [title, name] : [`${title}(${declared})`, `${name}(${passed})`];
  return print(parse(`${kind} ${head} { ${call} ${selection(type, 1)} }`));
}

/** Leaves, and the leaves of what is `depth` objects below; pages of lists and batches do not count as objects. */
function selection(output: GraphQLOutputType, depth: number): string {
  const type = getNamedType(output);
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return [field.name];
    const below = /(Connection|Edge|OrdersPayload)$/.test(type.name) ? depth : depth - 1;
    return below < 0 ? [] : [`${field.name} ${selection(inner, below)}`];
  });
  return `{ ${fields.join(' ')} }`;
}
