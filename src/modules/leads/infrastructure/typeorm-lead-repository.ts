import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { LeadRepository } from '../application/lead-repository';
import { Lead } from '../domain/lead';
import { LeadSchema } from './lead.schema';

@Injectable()
export class TypeOrmLeadRepository extends LeadRepository {
  private readonly statements: EntityStatements<Lead>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, LeadSchema);
  }

  async add(lead: Lead, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(lead), events));
  }

  async save(lead: Lead, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(lead), events));
  }

  async lock({ workspaceId, mode }: WorkspaceRef, id: LeadId): Promise<Lead | undefined> {
    const lead = await this.unitOfWork.manager.findOne(Lead, {
      where: { workspaceId, mode, id },
      lock: { mode: 'for_no_key_update' },
    });
    return lead ?? undefined;
  }
}
