import { Injectable } from '@nestjs/common';
import { toUuid } from '../../../../kernel/ids';
import type { WorkspaceRef } from '../../../../kernel/principal';
import { codePoints } from '../../../../kernel/text';
import { Database } from '../../../../platform/persistence/database';
import type { pageQuery, Parameters as Values } from '../../../../platform/persistence/keyset';
import { SHORT } from './word-tally';

/** A word, or a part of one, by itself. */
export interface SearchedWord {
  readonly ref: WorkspaceRef;
  /** As it is in `search_text`. */
  readonly word: string;
  /** Which of the leads are looked through. */
  readonly archived: readonly boolean[];
}

/** Looking at the leads that are known to hold it, or walking in the order asked for past so many. */
export type Way = { readonly isListed: true } | { readonly isListed: false; readonly within: number };

/** Better ways to leads with a word than the index for words, where the words are counted. */
@Injectable()
export class WordSearch {
  constructor(private readonly database: Database) {}

  /** @param wanted how many leads, from the first of the order on */
  async wayTo({ ref, word, archived }: SearchedWord, wanted: number): Promise<Way | undefined> {
    const [known] = await this.database.query<{
      size: number;
      holding: number | null;
      met: number | null;
      isListed: boolean | null;
      hasShortWords: boolean;
    }>({
      text: `SELECT size, holding, met, "isListed", has_short_words AS "hasShortWords"
             FROM (SELECT coalesce(sum(leads), 0)::int AS size FROM lead_counts
                   WHERE workspace_id = $1 AND mode = $2 AND archived = ANY ($4)) AS list,
                  (SELECT sum(leads)::int AS holding, sum(leads) FILTER (WHERE archived = ANY ($4))::int AS met,
                     bool_and(lead_ids IS NOT NULL) FILTER (WHERE archived = ANY ($4)) AS "isListed"
                   FROM lead_word_counts WHERE workspace_id = $1 AND mode = $2 AND word = $3) AS counted,
                  lead_word_lists
             WHERE workspace_id = $1 AND mode = $2 AND counted_at IS NOT NULL`,
      values: [toUuid(ref.workspaceId), ref.mode, word, archived],
    });
    const isShort = codePoints(word) <= SHORT;
    if (!known || (isShort && !known.hasShortWords)) return undefined;
    const { size, holding, met, isListed } = known;
    if (isShort && (isListed ?? true)) return { isListed: true };
    const expected = met ? (wanted / met) * size : 0;
    // Up to half of what the plain way costs: to read the list, or to look up as many leads as hold the word.
    const within = isShort ? Math.ceil(size / 4) : holding;
    return within === null || expected > within ? undefined : { isListed: false, within };
  }
}

/** How a page of leads is found, in the terms of `pageQuery`. */
export type Finding = Pick<Parameters<typeof pageQuery>[0], 'conditions' | 'foundOnce' | 'total' | 'walked'>;

/**
 * Leads with the word, that way. Their total is what was counted and what was written down since; it is null when the word turns
 * out to be counted no more, or to be held by too many to be listed.
 */
export function findingBy({ ref, word, archived }: SearchedWord, way: Way, parameters: Values): Finding {
  const place = parameters.add(word);
  const owner = `workspace_id = ${parameters.add(toUuid(ref.workspaceId))} AND mode = ${parameters.add(ref.mode)}`;
  const among = `archived = ANY (${parameters.add(archived)}::boolean[])`;
  const holds = `strpos(search_text, ${place}) > 0`;
  const counted = `lead_word_counts WHERE ${owner} AND word = ${place}`;
  const written = `lead_word_changes WHERE ${owner} AND ${among} AND ${holds}`;
  const sum = `coalesce((SELECT sum(leads) FROM ${counted} AND ${among}), 0)
    + coalesce((SELECT sum(difference) FROM ${written}), 0)`;
  const isCounted =
    codePoints(word) <= SHORT
      ? `EXISTS (SELECT FROM lead_word_lists WHERE ${owner} AND has_short_words)`
      : `EXISTS (SELECT FROM ${counted})`;
  const totalIf = (...conditions: string[]) =>
    `(CASE WHEN ${[isCounted, ...conditions].join(' AND ')} THEN ${sum} END)::int`;
  if (!way.isListed) {
    return {
      conditions: [],
      walked: { conditions: [holds], within: way.within },
      total: totalIf(),
    };
  }
  const ids = `SELECT unnest(lead_ids) FROM ${counted} AND ${among} UNION SELECT lead_id FROM ${written}`;
  return {
    conditions: [`id = ANY (ARRAY(${ids}))`, holds],
    foundOnce: true,
    total: totalIf(`NOT EXISTS (SELECT FROM ${counted} AND ${among} AND lead_ids IS NULL)`),
  };
}
