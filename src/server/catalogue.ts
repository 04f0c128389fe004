/** Categories and topics that operators define. A slug in a market may have no entry here. */
import { z } from 'zod';
import { InputFault } from '../domain/index.ts';
import type { Registry, RegistryChange } from '../exchange/index.ts';
import { parseRegistryRow, syncRegistry } from './registry-rows.ts';

export interface Category {
  readonly slug: string;
  readonly name: string;
  /** Whether the category is listed and accepts new markets. */
  readonly isActive: boolean;
}

export interface Topic {
  /** UUID. */
  readonly id: string;
  /** Unique over all categories. */
  readonly slug: string;
  readonly name: string;
  readonly categorySlug: string;
}

const categoryRow = z.object({ name: z.string(), isActive: z.boolean() });
const topicRow = z.object({ id: z.string(), name: z.string(), categorySlug: z.string() });

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_SLUG_LENGTH = 100;
const MAX_NAME_LENGTH = 200;

/** Stores categories and topics. An entry is visible once it is durable. */
export class Catalogue {
  readonly #registry: Registry;
  readonly #categories = new Map<string, Category>();
  readonly #topics = new Map<string, Topic>();

  /** @throws Fault when a row of the registry is invalid */
  constructor(registry: Registry) {
    this.#registry = registry;
    for (const { key: slug, value } of registry.load('category'))
      this.#categories.set(slug, { slug, ...parseRegistryRow(categoryRow, value, `the category ${slug}`) });
    for (const { key: slug, value } of registry.load('topic'))
      this.#topics.set(slug, { slug, ...parseRegistryRow(topicRow, value, `the topic ${slug}`) });
  }

  category(slug: string): Category | undefined {
    return this.#categories.get(slug);
  }

  topic(slug: string): Topic | undefined {
    return this.#topics.get(slug);
  }

  get categories(): readonly Category[] {
    return sortByName(this.#categories.values());
  }

  get topics(): readonly Topic[] {
    return sortByName(this.#topics.values());
  }

  /**
   * Adds a category, or replaces the category with the same slug. Resolves when the category is durable.
   * @throws InputFault on an invalid slug or name; Fault when the registry cannot be written
   */
  async putCategory({ slug, name, isActive }: Category): Promise<void> {
    assertNames(slug, name);
    await this.#write({ table: 'category', key: slug, value: { name, isActive } });
    this.#categories.set(slug, { slug, name, isActive });
  }

  /** Like `putCategory`: adds a topic to an existing category, or renames a topic, which keeps its category and id. */
  async putTopic({ id, slug, name, categorySlug }: Topic): Promise<void> {
    assertNames(slug, name);
    if (!this.#categories.has(categorySlug)) throw new InputFault('categorySlug', categorySlug, 'a category');
    const existing = this.#topics.get(slug);
    if (existing !== undefined && existing.categorySlug !== categorySlug)
      throw new InputFault('categorySlug', categorySlug, `"${existing.categorySlug}", the category of this topic`);
    const topic = { id: existing?.id ?? id, slug, name, categorySlug };
    await this.#write({ table: 'topic', key: slug, value: { id: topic.id, name, categorySlug } });
    this.#topics.set(slug, topic);
  }

  #write(change: RegistryChange): Promise<void> {
    this.#registry.put(change);
    return syncRegistry(this.#registry);
  }
}

function assertNames(slug: string, name: string): void {
  if (!SLUG.test(slug) || slug.length > MAX_SLUG_LENGTH) {
    const expected = `lower-case words of letters and digits joined by "-", at most ${MAX_SLUG_LENGTH} characters`;
    throw new InputFault('slug', slug, expected);
  }
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH)
    throw new InputFault('name', name, `1 to ${MAX_NAME_LENGTH} characters`);
}

function sortByName<Named extends { readonly name: string; readonly slug: string }>(rows: Iterable<Named>): Named[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...rows].sort((a, b) => compare(a.name, b.name) || compare(a.slug, b.slug));
}
