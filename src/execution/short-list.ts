/**
 * Adds to a list that begins with its first item; the answer is the list from now on. Most lists of a plan hold one or two
 * items, and a plan makes a dozen of them: an empty array takes seventeen places with its first item, these are as long as
 * they need to be.
 */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  const only = list[0];
  if (list.length === 1 && only !== undefined) return [only, item];
  list.push(item);
  return list;
}
