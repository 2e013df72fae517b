import { Injectable } from '@nestjs/common';
import type { Mode } from '../../../../kernel/principal';
import { codePoints } from '../../../../kernel/text';
import { Database } from '../../../../platform/persistence/database';
import { JobDatabase } from '../../../../platform/persistence/job-database';
import { TypeOrmUnitOfWork } from '../../../../platform/persistence/typeorm-unit-of-work';
import { type CountedWord, type LeadText, MOST_LISTED, SHORT, type WordCount } from './word-tally';

/** The leads of a workspace, by its UUID, in one mode. */
export type LeadList = readonly [workspaceId: string, mode: Mode];

/** As it was when it was claimed. */
export interface CountedList {
  readonly leads: number;
  readonly words: WordCount[];
  readonly hasShortWords: boolean;
}

/** What is interrupted may be taken up after that time. */
const LEASE = `interval '10 minutes'`;
const IS_FREE = `coalesce(list.counting_since < clock_timestamp() - ${LEASE}, true)`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PORTION = 2_000;
const SAMPLED_PORTION = 50_000;
const CHANGES_AT_ONCE = 1_000;
/** Each may come with a thousand ids. */
const WORDS_AT_ONCE = 100;

/** The tables of counted words. A list's are either counted anew or added to, never both at once, whichever instances do so. */
@Injectable()
export class WordCounts {
  constructor(
    private readonly database: Database,
    private readonly jobDatabase: JobDatabase,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {}

  /**
   * Large lists that were never counted, or a day ago, or when they were half as large: other words may be frequent by now. And
   * of any size those whose first count was interrupted: what is written down of them has to be added up some time.
   */
  async due(large: number): Promise<{ list: LeadList; leads: number }[]> {
    const rows = await this.jobDatabase.query<{ workspace_id: string; mode: Mode; leads: number }>({
      text: `SELECT workspace_id, mode, size.leads
             FROM (SELECT workspace_id, mode, sum(leads)::int AS leads FROM lead_counts GROUP BY 1, 2) AS size
             LEFT JOIN lead_word_lists AS list USING (workspace_id, mode)
             WHERE CASE WHEN list.counted_at IS NULL THEN size.leads >= $1 OR list.workspace_id IS NOT NULL
               ELSE size.leads >= $1 AND (list.counted_at < now() - interval '1 day' OR size.leads >= 2 * list.leads) END`,
      values: [large],
    });
    return rows.map(({ workspace_id, mode, leads }) => ({ list: [workspace_id, mode], leads }));
  }

  /** From here on every change is written down, and nothing is added up. Undefined when another is at it. */
  async claim(list: LeadList): Promise<string | undefined> {
    const [claim] = await this.jobDatabase.query<{ since: string }>({
      text: `INSERT INTO lead_word_lists AS list (workspace_id, mode, counting_since) VALUES ($1, $2, clock_timestamp())
             ON CONFLICT (workspace_id, mode) DO UPDATE SET counting_since = excluded.counting_since WHERE ${IS_FREE}
             RETURNING counting_since::text AS since`,
      values: list,
    });
    return claim?.since;
  }

  /** What takes longer than a claim is good for asks for another meanwhile. Undefined when the list was taken up since. */
  async renew(list: LeadList, since: string): Promise<string | undefined> {
    const [claim] = await this.jobDatabase.query<{ since: string }>({
      text: `UPDATE lead_word_lists SET counting_since = clock_timestamp()
             WHERE workspace_id = $1 AND mode = $2 AND counting_since = $3::timestamptz
             RETURNING counting_since::text AS since`,
      values: [...list, since],
    });
    return claim?.since;
  }

  /**
   * Who began to write before the list was there for all to see writes nothing down. Whether they are through is asked with
   * this number of a transaction, which none of them can have exceeded.
   */
  async horizon(): Promise<string> {
    const [row] = await this.jobDatabase.query<{ horizon: string }>({
      text: 'SELECT pg_current_xact_id()::text AS horizon',
      values: [],
    });
    return row!.horizon;
  }

  async isThrough(horizon: string): Promise<boolean> {
    const [row] = await this.jobDatabase.query<{ through: boolean }>({
      text: 'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS through',
      values: [horizon],
    });
    return row!.through;
  }

  /** The texts of this share of a list's leads, drawn at random. */
  async sample(list: LeadList, share: number): Promise<string[]> {
    const sampled: string[] = [];
    for (let after: string | null = FIRST_ID; after;) {
      // In rows of their own, which are read as they come: an array of long texts would be taken apart at once, for a second.
      const rows: { search_text: string | null; next: string | null }[] = await this.jobDatabase.query({
        text: `WITH portion AS MATERIALIZED (
                 SELECT id, search_text FROM leads
                 WHERE workspace_id = $1 AND mode = $2 AND id > $3 ORDER BY id LIMIT ${SAMPLED_PORTION}
               ), upto AS MATERIALIZED (
                 SELECT (SELECT id FROM portion ORDER BY id OFFSET ${SAMPLED_PORTION - 1}) AS next
               )
               SELECT search_text, next FROM upto LEFT JOIN portion ON random() < $4`,
        values: [...list, after, share],
      });
      for (const { search_text } of rows) if (search_text !== null) sampled.push(search_text);
      after = rows[0]!.next;
    }
    return sampled;
  }

  /**
   * All leads less what was written down, a portion at a time. As long as nothing is added up, that difference is the same for
   * each lead whenever it is read: how the lead was when the list was claimed.
   */
  async *texts(list: LeadList): AsyncGenerator<LeadText[]> {
    for (let after: string | null = FIRST_ID; after;) {
      const rows: (LeadText & { next: string | null })[] = await this.jobDatabase.query({
        text: `WITH portion AS MATERIALIZED (
                 SELECT id, archived_at IS NOT NULL AS archived, search_text FROM leads
                 WHERE workspace_id = $1 AND mode = $2 AND id > $3 ORDER BY id LIMIT ${PORTION}
               ), upto AS MATERIALIZED (
                 SELECT (SELECT id FROM portion ORDER BY id OFFSET ${PORTION - 1}) AS next
               ), read AS (
                 SELECT id AS lead_id, archived, search_text, 1 AS difference FROM portion
                 UNION ALL
                 SELECT lead_id, archived, search_text, -difference FROM lead_word_changes, upto
                 WHERE workspace_id = $1 AND mode = $2 AND lead_id > $3 AND (lead_id <= next OR next IS NULL)
               )
               SELECT * FROM read, upto`,
        values: [...list, after],
      });
      yield rows;
      after = rows[0]?.next ?? null;
    }
  }

  /** Ends a claim with new counts. Nothing is changed when another has taken the list up since. */
  async keep(list: LeadList, since: string, counted: CountedList): Promise<void> {
    await this.unitOfWork.run(async () => {
      const mine = await this.database.query({
        text: `UPDATE lead_word_lists SET counting_since = NULL, counted_at = now(), leads = $4, has_short_words = $5
               WHERE workspace_id = $1 AND mode = $2 AND counting_since = $3::timestamptz RETURNING 1`,
        values: [...list, since, counted.leads, counted.hasShortWords],
      });
      if (!mine.length) return;
      await this.database.query({
        text: 'DELETE FROM lead_word_counts WHERE workspace_id = $1 AND mode = $2',
        values: list,
      });
      await this.add(list, counted.words);
    });
  }

  /** Ends a claim that is still held. Of a list that was never counted nothing is written down any more: nobody would add it up. */
  async giveUp(list: LeadList, since: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const [mine] = await this.database.query<{ isCounted: boolean }>({
        text: `UPDATE lead_word_lists SET counting_since = NULL
               WHERE workspace_id = $1 AND mode = $2 AND counting_since = $3::timestamptz
               RETURNING counted_at IS NOT NULL AS "isCounted"`,
        values: [...list, since],
      });
      if (!mine || mine.isCounted) return;
      for (const table of ['lead_word_changes', 'lead_word_lists']) {
        await this.database.query({
          text: `DELETE FROM ${table} WHERE workspace_id = $1 AND mode = $2`,
          values: list,
        });
      }
    });
  }

  /** Counted lists of which something was written down. */
  async changed(): Promise<LeadList[]> {
    const rows = await this.jobDatabase.query<{ workspace_id: string; mode: Mode }>({
      text: `SELECT workspace_id, mode FROM lead_word_lists AS list
             WHERE counted_at IS NOT NULL AND EXISTS (SELECT FROM lead_word_changes AS change
               WHERE change.workspace_id = list.workspace_id AND change.mode = list.mode)`,
      values: [],
    });
    return rows.map(({ workspace_id, mode }) => [workspace_id, mode]);
  }

  /**
   * Adds some of what was written down to what is counted, in one transaction: whoever reads both finds the same sum before and
   * after. `tallied` is told the words that are counted without a list of leads. False when nothing is left, or another is at it.
   */
  addUp(
    list: LeadList,
    tallied: (changes: LeadText[], unlisted: CountedWord[]) => Promise<Omit<CountedList, 'leads'>>,
  ): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const [mine] = await this.database.query<{ has_short_words: boolean }>({
        text: `UPDATE lead_word_lists SET counting_since = NULL WHERE (workspace_id, mode) IN (
                 SELECT workspace_id, mode FROM lead_word_lists AS list
                 WHERE workspace_id = $1 AND mode = $2 AND ${IS_FREE} FOR UPDATE SKIP LOCKED)
               RETURNING has_short_words`,
        values: list,
      });
      if (!mine) return false;
      const changes = await this.database.query<LeadText>({
        text: `DELETE FROM lead_word_changes WHERE workspace_id = $1 AND mode = $2 AND position <= coalesce((
                 SELECT position FROM lead_word_changes WHERE workspace_id = $1 AND mode = $2
                 ORDER BY position OFFSET ${CHANGES_AT_ONCE - 1} LIMIT 1), ${Number.MAX_SAFE_INTEGER})
               RETURNING lead_id, archived, search_text, difference`,
        values: list,
      });
      const unlisted = await this.database.query<CountedWord>({
        text: 'SELECT word, archived FROM lead_word_counts WHERE workspace_id = $1 AND mode = $2 AND lead_ids IS NULL',
        values: list,
      });
      const { words, hasShortWords } = await tallied(changes, unlisted);
      const isComplete = mine.has_short_words && hasShortWords;
      if (mine.has_short_words && !hasShortWords) {
        await this.database.query({
          text: 'UPDATE lead_word_lists SET has_short_words = false WHERE workspace_id = $1 AND mode = $2',
          values: list,
        });
      }
      await this.add(
        list,
        words.filter(({ word }) => isComplete || codePoints(word) > SHORT),
      );
      return changes.length === CHANGES_AT_ONCE;
    });
  }

  private async add(list: LeadList, words: WordCount[]): Promise<void> {
    for (let from = 0; from < words.length; from += WORDS_AT_ONCE) {
      await this.database.query({
        text: `INSERT INTO lead_word_counts AS counted (workspace_id, mode, word, archived, leads, lead_ids)
               SELECT $1, $2, word, archived, leads, lead_ids
               FROM jsonb_to_recordset($3::jsonb) AS came (word text, archived boolean, leads bigint, lead_ids uuid[])
               ON CONFLICT (workspace_id, mode, word, archived) DO UPDATE SET leads = counted.leads + excluded.leads,
                 lead_ids = CASE WHEN cardinality(counted.lead_ids) + cardinality(excluded.lead_ids) <= ${MOST_LISTED}
                   THEN counted.lead_ids || excluded.lead_ids
                   WHEN counted.lead_ids IS NOT NULL AND excluded.lead_ids IS NOT NULL THEN (
                     SELECT CASE WHEN count(*) <= ${MOST_LISTED} THEN array_agg(id) END
                     FROM (SELECT DISTINCT unnest(counted.lead_ids || excluded.lead_ids) AS id) AS listed) END`,
        values: [...list, JSON.stringify(words.slice(from, from + WORDS_AT_ONCE))],
      });
    }
  }
}
