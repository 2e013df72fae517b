import { Injectable } from '@nestjs/common';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { textProblem } from '../../../kernel/text';
import type { LoggedRequest, RequestFilter } from '../domain/logged-request';

/** A filter without an index looks through this many requests for a page. */
export const MOST_SEARCHED = 10_000;

export interface FoundRequests extends Slice<LoggedRequest> {
  /** When the last request was answered that was looked at, if older ones may match. */
  readonly searchedUntil: Date | null;
}

export abstract class RequestLogReader {
  abstract list(ref: WorkspaceRef, filter: RequestFilter, request: PageRequest): Promise<FoundRequests>;
}

const NONE: FoundRequests = { items: [], hasMore: false, total: 0, searchedUntil: null };

@Injectable()
export class RequestLogQueries {
  constructor(private readonly reader: RequestLogReader) {}

  /** In the order of the request's only sort, `occurredAt`. How many there are in all isn't counted: millions, at times. */
  async list(
    ref: WorkspaceRef,
    filter: RequestFilter,
    request: PageRequest,
  ): Promise<Page<LoggedRequest> & Pick<FoundRequests, 'searchedUntil'>> {
    const texts = [filter.requestId, filter.caller, filter.path];
    const isFindable = texts.every((text) => text === undefined || textProblem(text) === undefined);
    const found = isFindable ? await this.reader.list(ref, filter, request) : NONE;
    const page = pageOf(request, found, ({ occurredAt, id }) => ({ value: occurredAt.toISOString(), id }));
    return { ...page, searchedUntil: found.searchedUntil };
  }
}
