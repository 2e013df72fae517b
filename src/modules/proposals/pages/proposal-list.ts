import type { Request } from 'express';
import { type LeadId, parseId } from '../../../kernel/ids';
import type { PageRequest, SortKind } from '../../../kernel/page';
import type { Path } from '../../../platform/pages/components/link';
import type { SortLink } from '../../../platform/pages/components/data-table';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, listRequest } from '../../shell';
import { STAFF_SORT_FIELDS, type StaffFilter, type StaffSortField } from '../application/proposal-queries';
import { type ProposalStatus, STATUSES } from '../domain/proposal';
import { proposalsPath } from './proposal-paths';

const NEWEST_FIRST = '-createdAt';
const SORTS = STAFF_SORT_FIELDS.flatMap((field) => [field, `-${field}`]);
const KINDS: Record<StaffSortField, SortKind> = {
  createdAt: 'instant',
  total: 'integer',
  sentAt: 'instant',
  viewedAt: 'instant',
  validUntil: 'date',
};
/** A search is at most this long, since each word is looked for in every text. */
const MAX_CHARACTERS = 100;
const MAX_WORDS = 5;

/** What the address of the list asks for. */
export interface AskedList {
  /** As typed. */
  readonly q: string;
  readonly status: ProposalStatus | undefined;
  /** Null if it can't be a lead's id: no proposal matches. */
  readonly leadId: LeadId | null | undefined;
  /** With `-` in front: descending. */
  readonly sort: string;
}

/** Unknown values count as absent. */
export function askedList(request: Request): AskedList {
  const [status, sort, lead] = ['status', 'sort', 'lead'].map((name) => queryText(request, name));
  return {
    q: searchText(request),
    status: STATUSES.find((each) => each === status),
    leadId: lead ? (parseId('lead', lead) ?? null) : undefined,
    sort: SORTS.find((each) => each === sort) ?? NEWEST_FIRST,
  };
}

/** The search of an address, as typed. */
export function searchText(request: Request): string {
  return queryText(request, 'q').slice(0, MAX_CHARACTERS).toWellFormed().replaceAll('\0', '').trim();
}

export function wordsOf(q: string): string[] {
  return [...new Set(q.split(/\s+/u).filter(Boolean))].slice(0, MAX_WORDS);
}

export function staffFilter({ q, status, leadId }: AskedList): StaffFilter {
  // A number is written “12” or “#12”.
  return { status, leadId, words: wordsOf(q).map((word) => word.replace(/^#(?=\d+$)/, '')) };
}

export function staffRequest(request: Request, asked: AskedList): PageRequest<StaffSortField> {
  const field = asked.sort.replace('-', '') as StaffSortField;
  return listRequest(request, {
    list: 'staff proposals',
    filters: staffFilter(asked),
    sort: { field, descending: asked.sort.startsWith('-') },
    kind: KINDS[field],
    nullable: field !== 'createdAt' && field !== 'total',
    idPrefix: 'prop',
  });
}

/** The address of the list with some of it changed. */
export function listPath(
  area: Area,
  asked: AskedList,
  changes: Partial<AskedList & { cursor: string }> = {},
): Path {
  const { q, status, leadId, sort, cursor } = { cursor: '', ...asked, ...changes };
  const parameters = Object.entries({
    ...{ q, status: status ?? '', lead: leadId ?? '' },
    ...{ sort: sort === NEWEST_FIRST ? '' : sort, cursor },
  }).filter(([, value]) => value !== '');
  const query = new URLSearchParams(parameters).toString();
  return query ? `${proposalsPath(area)}?${query}` : proposalsPath(area);
}

/** Whether it leaves any proposals out. */
export function isNarrowed({ q, status, leadId }: AskedList): boolean {
  return q !== '' || status !== undefined || leadId !== undefined;
}

/** A file of the proposals that the list shows, on all of its pages. */
export function exportPath(area: Area, asked: AskedList): Path {
  const list = proposalsPath(area);
  const [, query] = listPath(area, asked, { sort: NEWEST_FIRST, cursor: '' }).split('?');
  return query ? `${list}/export?${query}` : `${list}/export`;
}

/** The link in the header of a column, which turns the order around when the list is sorted by it already. */
export function sortLink(area: Area, asked: AskedList, field: StaffSortField): SortLink {
  // The next to expire come first.
  const [first, second] = field === 'validUntil' ? [field, `-${field}`] : [`-${field}`, field];
  const to = listPath(area, asked, { sort: asked.sort === first ? second : first });
  if (asked.sort !== first && asked.sort !== second) return { to };
  return { to, direction: asked.sort.startsWith('-') ? 'descending' : 'ascending' };
}
