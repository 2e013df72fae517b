import type { CheckboxBranch } from '../../../platform/pages/components/checkbox-tree';

export type EventWords = readonly (readonly [type: string, words: string])[];

export const EVERYTHING = {
  value: '*',
  label: 'Everything',
  hint: '* – also what Gala learns to tell later',
};

/**
 * The events to choose from, by the object that they tell of. Tests aren’t among them: they come when somebody asks for
 * one. What an endpoint listens to besides, such as events of a module that was taken out, can still be taken away.
 */
export function eventBranches(words: EventWords, chosen: readonly string[]): CheckboxBranch[] {
  const offered = words.filter(([type]) => type !== 'webhook.test');
  const objects = [...new Set(offered.map(([type]) => objectOf(type)))];
  const branches = objects.map((object): CheckboxBranch => {
    const items = offered.filter(([type]) => objectOf(type) === object);
    const name = pluralOf(object);
    return {
      label: name.charAt(0).toUpperCase() + name.slice(1),
      all: { value: `${object}.*`, label: `All of ${name}`, hint: `${object}.*` },
      items: items.map(([value, label]) => ({ value, label, hint: value })),
    };
  });
  const shown = new Set([
    '*',
    ...branches.flatMap(({ all, items }) => [all, ...items].map((item) => item?.value)),
  ]);
  const others = chosen.filter((pattern) => !shown.has(pattern));
  if (others.length > 0) {
    branches.push({ label: 'Others', items: others.map((value) => ({ value, label: value })) });
  }
  return branches;
}

/** Without what others take in: `lead.*` and `lead.created` are `lead.*`. */
export function withoutCovered(patterns: readonly string[]): string[] {
  const takesIn = (one: string, other: string) =>
    one !== other && one.endsWith('*') && other.startsWith(one.slice(0, -1));
  return patterns.filter((pattern) => !patterns.some((other) => takesIn(other, pattern)));
}

function objectOf(type: string): string {
  return type.split('.')[0]!;
}

function pluralOf(object: string): string {
  const name = object.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}
