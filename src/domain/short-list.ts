/**
 * Adds to a list, and returns the list to use from now on. Most lists about own orders hold one or two items, and a requote
 * makes a dozen of them: an empty array takes seventeen places with its first item, these are as long as they need to be.
 * It is in this folder because two folders that do not import each other use it.
 */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  const only = list[0];
  if (list.length === 1 && only !== undefined) return [only, item];
  list.push(item);
  return list;
}
