import type { components } from './schema.js';

type Body = components['schemas']['BulkLeadsBody'];
type Answer = components['schemas']['BulkLeadsResponse'];

/** What `POST /v1/leads/bulk` takes, with any number of items. */
export type BulkInput = Omit<Body, 'items' | 'atomic'> & { readonly items: readonly Body['items'][number][] };
export type BulkResult = Answer;

const MAX_ITEMS = 100;
/** A request holds at most 256 KiB. */
const MAX_BYTES = 200 * 1024;

/** Splits items into batches that each fit into a request. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const encoder = new TextEncoder();
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = encoder.encode(JSON.stringify(item)).length + 1;
    const last = batches.at(-1);
    if (last && last.length < MAX_ITEMS && bytes + size <= MAX_BYTES) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}

/** Adds the answer to a batch to those before it. */
export function joined(one: BulkResult, other: BulkResult): BulkResult {
  const offset = one.results.length;
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    failed: one.failed + other.failed,
    results: [
      ...one.results,
      ...other.results.map((result) => ({ ...result, index: offset + result.index })),
    ],
  };
}
