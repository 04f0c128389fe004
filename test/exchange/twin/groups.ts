/** Order groups. Each fill sums the whole window again. */
import { closeAll } from './matching.ts';
import { emit, type NaiveGroup, type NaiveOrder, openOrders, type World } from './world.ts';

/** Returns a group of the account that is not deleted. */
export function groupOf(world: World, account: number, group: number): NaiveGroup | undefined {
  return world.groups.find((existing) => existing.group === group && existing.account === account && !existing.deleted);
}

/** Returns the fills within the window; a fill exactly one window ago is excluded. */
export function inWindow(group: NaiveGroup, now: number): NaiveGroup['fills'] {
  return group.fills.filter(({ time }) => time > now - group.window);
}

/** Adds a fill to the order's group, which trips when its limit is exceeded. */
export function addFill(world: World, order: NaiveOrder, shares: number): void {
  const group = groupOf(world, order.account, order.group);
  if (group === undefined) return;
  group.fills = [...inWindow(group, world.now), { time: world.now, shares }];
  group.fills = condensed(group);
  const filled = group.fills.reduce((sum, fill) => sum + fill.shares, 0);
  if (filled <= group.maxFilled || group.tripped) return;
  group.tripped = true;
  emitGroupChange(world, group);
  // The incoming order is closed after its match.
  const members = openOrders(world, (member) => member.group === group.group && member.state !== 'taking');
  closeAll(world, members, 'ORDER_GROUP_LIMIT');
}

/** Merges fills beyond 1,024 times: each 512th of the window gets the time of its last fill. */
function condensed({ fills, window }: NaiveGroup): NaiveGroup['fills'] {
  if (new Set(fills.map(({ time }) => time)).size <= 1024) return fills;
  const bucketOf = (time: number): number => Math.floor(time / Math.ceil(window / 512));
  const last = new Map(fills.map(({ time }) => [bucketOf(time), time]));
  return fills.map(({ time, shares }) => ({ time: last.get(bucketOf(time)) ?? time, shares }));
}

export function createGroup(world: World, account: number, maxFilled: number, window: number): void {
  const number = world.groups.length + 1;
  const group = { group: number, account, maxFilled, window, tripped: false, deleted: false, fills: [] };
  world.groups.push(group);
  emitGroupChange(world, group);
}

export function updateGroup(
  world: World,
  group: NaiveGroup,
  change: { readonly maxFilled: number | undefined; readonly window: number | undefined; readonly reset: boolean },
): void {
  group.fills = inWindow(group, world.now);
  group.maxFilled = change.maxFilled ?? group.maxFilled;
  group.window = change.window ?? group.window;
  if (change.reset) {
    group.fills = [];
    group.tripped = false;
  }
  emitGroupChange(world, group);
}

/** Its orders stay open without a group. */
export function deleteGroup(world: World, group: NaiveGroup): void {
  group.deleted = true;
  for (const order of world.orders) if (order.group === group.group) order.group = 0;
  emit(world, { type: 'groupDeleted', account: group.account, group: group.group });
}

function emitGroupChange(world: World, group: NaiveGroup): void {
  emit(world, { type: 'groupChanged', account: group.account, group: group.group, tripped: group.tripped });
}
