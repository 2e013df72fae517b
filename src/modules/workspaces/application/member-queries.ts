import { Injectable } from '@nestjs/common';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { Role } from '../../../kernel/role';

/** A member as the API shows it. */
export interface MemberView {
  id: UserId;
  /** People have no names in Gala so far. */
  name: string | null;
  email: string;
  role: Role;
  /** They get no new leads. */
  isPaused: boolean;
  /** They were removed and have no access, but what they own is still being handed over. */
  isLeaving: boolean;
}

export abstract class MemberReader {
  /** By email address. */
  abstract page(workspaceId: WorkspaceId, request: PageRequest): Promise<Slice<MemberView>>;
}

@Injectable()
export class MemberQueries {
  constructor(private readonly reader: MemberReader) {}

  async list(workspaceId: WorkspaceId, request: PageRequest): Promise<Page<MemberView>> {
    const slice = await this.reader.page(workspaceId, request);
    return pageOf(request, slice, ({ email, id }) => ({ value: email, id }));
  }
}
