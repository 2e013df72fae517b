import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Role } from '../../../kernel/role';
import { Database } from '../../../platform/persistence/database';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { MemberReader, type MemberView } from '../application/member-queries';

interface Row {
  id: string;
  email: string;
  role: Role;
  is_paused: boolean;
  is_leaving: boolean;
}

@Injectable()
export class PostgresMemberReader extends MemberReader {
  constructor(private readonly database: Database) {
    super();
  }

  page(workspaceId: WorkspaceId, request: PageRequest): Promise<Slice<MemberView>> {
    const parameters = new Parameters();
    const workspace = parameters.add(toUuid(workspaceId));
    const from = `(
      SELECT u.id, u.email, m.role, m.is_paused, m.leaving_at IS NOT NULL AS is_leaving
      FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ${workspace}
    ) AS members`;
    const sort = { column: 'email', type: 'text', nullable: false };
    const query = {
      ...{ columns: 'id, email, role, is_paused, is_leaving', from, sort },
      ...{ conditions: ['true'], parameters, request },
    };
    return readSlice<Row, MemberView>(this.database, query, (row) => ({
      id: fromUuid('user', row.id),
      name: null,
      email: row.email,
      role: row.role,
      isPaused: row.is_paused,
      isLeaving: row.is_leaving,
    }));
  }
}
