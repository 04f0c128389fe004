/**
 * Reuses the unchanged parts of the last state in the next state, so that a component with `memo` renders only if its
 * part changed. Both states are JSON values.
 * @returns a value equal to `next`; `last` itself if nothing changed
 */
export function shareEqual<Value>(last: unknown, next: Value): Value;
export function shareEqual(last: unknown, next: unknown): unknown {
  if (Object.is(last, next)) return last;
  if (Array.isArray(last) && Array.isArray(next)) {
    const shared = next.map((each, index) => shareEqual(last[index], each));
    return last.length === next.length && shared.every((each, index) => each === last[index]) ? last : shared;
  }
  if (!isObject(last) || !isObject(next)) return next;
  const shared = Object.fromEntries(Object.entries(next).map(([key, value]) => [key, shareEqual(last[key], value)]));
  const keys = Object.keys(shared);
  const isSame =
    keys.length === Object.keys(last).length &&
    keys.every((key) => Object.hasOwn(last, key) && shared[key] === last[key]);
  return isSame ? last : shared;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
