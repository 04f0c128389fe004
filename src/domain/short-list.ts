/**
 * Adds an item and returns the list to use from now on. Each new quote creates a dozen lists, mostly of one or two
 * orders. They have exact sizes, while V8 allocates seventeen slots at the first push to an empty array.
 */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  const only = list[0];
  if (list.length === 1 && only !== undefined) return [only, item];
  list.push(item);
  return list;
}
