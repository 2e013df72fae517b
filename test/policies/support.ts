import { Module } from '@nestjs/common';
import { toUuid, type WorkspaceId } from '../../src/kernel/ids';
import { CalendarEventPolicies, type CalendarEventPolicy } from '../../src/modules/calendar';
import { LeadPolicies, type LeadPolicy } from '../../src/modules/leads';
import { ProposalPolicies, type ProposalPolicy } from '../../src/modules/proposals';
import type { Feature } from '../../src/platform/feature';
import { Database } from '../../src/platform/persistence/database';
import type { Answer } from '../support/http-client';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';

interface Registries {
  leads: LeadPolicies;
  proposals: ProposalPolicies;
  calendarEvents: CalendarEventPolicies;
  database: Database;
}

/** An extension that registers policies. */
export function withPolicies(register: (registries: Registries) => void): Feature {
  @Module({})
  class PoliciesModule {
    constructor(
      leads: LeadPolicies,
      proposals: ProposalPolicies,
      calendarEvents: CalendarEventPolicies,
      database: Database,
    ) {
      register({ leads, proposals, calendarEvents, database });
    }
  }
  return { module: PoliciesModule };
}

/** The rules of one test. */
export type Rules<AnyPolicy> = Partial<Omit<AnyPolicy, 'name'>>;

/** An extension whose policies follow the rules of the test that runs, and its notes in a table. */
export class HouseRules {
  leads: Rules<LeadPolicy> = {};
  proposals: Rules<ProposalPolicy> = {};
  calendarEvents: Rules<CalendarEventPolicy> = {};
  private database!: Database;

  readonly extension = withPolicies(({ leads, proposals, calendarEvents, database }) => {
    this.database = database;
    leads.add({
      name: 'house rules',
      beforeCreate: (creation) => this.leads.beforeCreate?.(creation),
      beforeChange: (change) => this.leads.beforeChange?.(change),
    });
    proposals.add({
      name: 'house rules',
      beforeCreate: (creation) => this.proposals.beforeCreate?.(creation),
      beforeChange: (change) => this.proposals.beforeChange?.(change),
    });
    calendarEvents.add({
      name: 'house rules',
      beforeCreate: (creation) => this.calendarEvents.beforeCreate?.(creation),
      beforeChange: (change) => this.calendarEvents.beforeChange?.(change),
    });
  });

  forget(): void {
    Object.assign(this, { leads: {}, proposals: {}, calendarEvents: {} });
  }

  /** Writes a note in the unit of work of the policy that calls it. */
  async note(text: string): Promise<void> {
    await this.database.sql('INSERT INTO policy_notes VALUES ($1)', [text]);
  }

  /** Counts the leads that the unit of work of the policy sees. */
  async countLeads(workspaceId: WorkspaceId): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM leads WHERE workspace_id = $1';
    return (await this.database.sql<{ count: number }>(text, [toUuid(workspaceId)]))[0]!.count;
  }

  static async createTable(url: string): Promise<void> {
    await sql(url, 'CREATE TABLE policy_notes (text text)');
  }

  static async notes(url: string): Promise<string[]> {
    return (await sql<{ text: string }>(url, 'SELECT text FROM policy_notes')).map(({ text }) => text);
  }
}

export function expectRefused(answer: Answer, field: string, message: string): void {
  expectInvalid(answer, field);
  expect(answer.body.error.details).toEqual([{ field, message }]);
}
