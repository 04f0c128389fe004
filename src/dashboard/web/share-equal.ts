/**
 * Reuses the unchanged parts of the last state in the next state, so that a component with `memo` renders only if its
 * part changed. Both states are JSON values.
 * @returns a value equal to `next`; `last` itself if nothing changed
 */
export function shareEqual<Value>(last: unknown, next: Value): Value;
export function shareEqual(last: unknown, next: unknown): unknown {
  if (Object.is(last, next)) return last;
  if (Array.isArray(last) && Array.isArray(next)) return shareArray(last, next);
  return isObject(last) && isObject(next) ? shareObject(last, next) : next;
}

function shareArray(last: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const shared = next.map((each, index) => shareEqual(last[index], each));
  return last.length === next.length && shared.every((each, index) => each === last[index]) ? last : shared;
}

/** Copies an object only if one part changed and another is reused, because a state has thousands of objects. */
function shareObject(last: JsonObject, next: JsonObject): JsonObject {
  let reused: Record<string, unknown> | undefined;
  let keys = 0;
  let isSame = true;
  for (const key in next) {
    keys += 1;
    const part = shareEqual(last[key], next[key]);
    if (part !== last[key] || !Object.hasOwn(last, key)) isSame = false;
    if (part !== next[key]) {
      reused ??= { ...next };
      reused[key] = part;
    }
  }
  return isSame && keys === Object.keys(last).length ? last : (reused ?? next);
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
