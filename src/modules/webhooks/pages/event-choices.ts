import type { CheckboxBranch } from '../../../platform/pages/components/checkbox-tree';

export type EventWords = readonly (readonly [type: string, words: string])[];

export const EVERYTHING = {
  value: '*',
  label: 'All events',
  hint: '* – includes event types added in future',
};

/**
 * The event types that a form offers, grouped by object. Test events are left out: they are sent on request only. Patterns in
 * `chosen` that no longer exist, such as those of a removed module, stay in the form so that they can be unticked.
 */
export function eventBranches(words: EventWords, chosen: readonly string[]): CheckboxBranch[] {
  const offered = words.filter(([type]) => type !== 'webhook.test');
  const objects = [...new Set(offered.map(([type]) => objectOf(type)))];
  const branches = objects.map((object): CheckboxBranch => {
    const items = offered.filter(([type]) => objectOf(type) === object);
    const name = pluralOf(object);
    return {
      label: name.charAt(0).toUpperCase() + name.slice(1),
      all: { value: `${object}.*`, label: `All ${nameOf(object)} events`, hint: `${object}.*` },
      items: items.map(([value, label]) => ({ value, label, hint: value })),
    };
  });
  const shown = new Set([
    '*',
    ...branches.flatMap(({ all, items }) => [all, ...items].map((item) => item?.value)),
  ]);
  const others = chosen.filter((pattern) => !shown.has(pattern));
  if (others.length > 0) {
    branches.push({ label: 'Other', items: others.map((value) => ({ value, label: value })) });
  }
  return branches;
}

/** Drops patterns that another one includes: `lead.*` and `lead.created` become `lead.*`. */
export function withoutCovered(patterns: readonly string[]): string[] {
  const takesIn = (one: string, other: string) =>
    one !== other && one.endsWith('*') && other.startsWith(one.slice(0, -1));
  return patterns.filter((pattern) => !patterns.some((other) => takesIn(other, pattern)));
}

function objectOf(type: string): string {
  return type.split('.')[0]!;
}

function nameOf(object: string): string {
  return object.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
}

function pluralOf(object: string): string {
  const name = nameOf(object);
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}
