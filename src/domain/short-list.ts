/**
 * Adds to a list, and returns the list to use from now on. Most lists of own orders hold one or two items, and each new quote
 * makes a dozen of them. V8 gives an empty array room for seventeen items with its first one; these get room for what they hold.
 */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  const only = list[0];
  if (list.length === 1 && only !== undefined) return [only, item];
  list.push(item);
  return list;
}
