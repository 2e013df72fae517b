import { foldText } from '../../../kernel/text';
import { haveValues, type StoredValues } from '../domain/custom-fields';
import type { LeadView } from '../domain/lead';
import { searchTextOf } from '../domain/search-text';

/** The conditions of a filter whose indexes have no order, so that a part of a list can't be found by itself. */
export interface LeadSearch {
  readonly words?: readonly string[];
  readonly tag?: string;
  readonly custom?: StoredValues;
}

/** Splits a filter. The search is undefined if there is none. */
export function searchOf<Filter extends LeadSearch>({
  words,
  tag,
  custom,
  ...others
}: Filter): { search: LeadSearch | undefined; others: Omit<Filter, keyof LeadSearch> } {
  const isSearch = [words, tag, custom].some((given) => given !== undefined);
  return { search: isSearch ? { words, tag, custom } : undefined, others };
}

/** Whether the search finds this lead, by the same forms of texts as the database. */
export function meets({ words, tag, custom }: LeadSearch, lead: LeadView): boolean {
  return (
    (!tag || lead.tags.some((own) => foldText(own) === foldText(tag))) &&
    (!words || includesAll(searchTextOf(lead), words)) &&
    (!custom || haveValues(lead.custom, custom))
  );
}

function includesAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(foldText(word)));
}
