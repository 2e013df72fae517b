import { Injectable } from '@nestjs/common';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { textProblem } from '../../../kernel/text';
import type { LoggedRequest, RequestFilter } from '../domain/logged-request';

export abstract class RequestLogReader {
  abstract list(
    ref: WorkspaceRef,
    filter: RequestFilter,
    request: PageRequest,
  ): Promise<Slice<LoggedRequest>>;
}

@Injectable()
export class RequestLogQueries {
  constructor(private readonly reader: RequestLogReader) {}

  /** In the order of the request's only sort, `occurredAt`. How many there are in all isn't counted: millions, at times. */
  async list(ref: WorkspaceRef, filter: RequestFilter, request: PageRequest): Promise<Page<LoggedRequest>> {
    const isFindable = filter.requestId === undefined || textProblem(filter.requestId) === undefined;
    const found = isFindable
      ? await this.reader.list(ref, filter, request)
      : { items: [], hasMore: false, total: 0 };
    return pageOf(request, found, ({ occurredAt, id }) => ({ value: occurredAt.toISOString(), id }));
  }
}
