/** Order groups: after each fill the last window is added up again. */
import { closeAll } from './matching.ts';
import { emit, type NaiveGroup, type NaiveOrder, openOrders, type World } from './world.ts';

/** A group that lives, if it is the account's. */
export function groupOf(world: World, account: number, group: number): NaiveGroup | undefined {
  return world.groups.find((one) => one.group === group && one.account === account && !one.deleted);
}

/** Fills no older than the window: what happened a whole window ago is out. */
export function inWindow(group: NaiveGroup, now: number): NaiveGroup['fills'] {
  return group.fills.filter(({ time }) => time > now - group.window);
}

/** An order of a group, if of any, has filled; its group trips when that was too much. */
export function fillsInGroup(world: World, order: NaiveOrder, shares: number): void {
  const group = groupOf(world, order.account, order.group);
  if (group === undefined) return;
  group.fills = [...inWindow(group, world.now), { time: world.now, shares }];
  group.fills = condensed(group);
  const filled = group.fills.reduce((sum, fill) => sum + fill.shares, 0);
  if (filled <= group.maxFilled || group.tripped) return;
  group.tripped = true;
  tellGroup(world, group);
  // The order that comes in ends when its match does.
  const members = openOrders(world, (one) => one.group === group.group && one.state !== 'taking');
  closeAll(world, members, 'ORDER_GROUP_LIMIT');
}

/** Too many moments to remember: each 512th of the window has but one, its last. */
function condensed({ fills, window }: NaiveGroup): NaiveGroup['fills'] {
  if (new Set(fills.map(({ time }) => time)).size <= 1024) return fills;
  const partOf = (time: number): number => Math.floor(time / Math.ceil(window / 512));
  const last = new Map(fills.map(({ time }) => [partOf(time), time]));
  return fills.map(({ time, shares }) => ({ time: last.get(partOf(time)) ?? time, shares }));
}

export function createGroup(world: World, account: number, maxFilled: number, window: number): void {
  const number = world.groups.length + 1;
  const group = { group: number, account, maxFilled, window, tripped: false, deleted: false, fills: [] };
  world.groups.push(group);
  tellGroup(world, group);
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
  tellGroup(world, group);
}

/** Its orders stay, without a group. */
export function deleteGroup(world: World, group: NaiveGroup): void {
  group.deleted = true;
  for (const order of world.orders) if (order.group === group.group) order.group = 0;
  emit(world, { type: 'groupDeleted', account: group.account, group: group.group });
}

function tellGroup(world: World, group: NaiveGroup): void {
  emit(world, { type: 'groupChanged', account: group.account, group: group.group, tripped: group.tripped });
}
