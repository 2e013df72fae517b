import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import type { LineItem } from '../domain/line-item';
import { Proposal } from '../domain/proposal';

/** The domain limits these integers to values that JavaScript numbers represent exactly. */
const amountColumn = (name: string): EntitySchemaColumnOptions => ({
  name,
  type: 'bigint',
  transformer: { to: (amount: number) => amount, from: Number },
});
const instantColumn = (name: string): EntitySchemaColumnOptions => ({
  name,
  type: 'timestamptz',
  nullable: true,
});

/** Lines that were stored before there were groups have none. */
const LINES = {
  to: (lines: LineItem[]) => lines,
  from: (lines: LineItem[]) => lines.map((line) => ({ ...line, group: line.group ?? null })),
};

export const ProposalSchema = new EntitySchema<Proposal>({
  name: 'Proposal',
  target: Proposal,
  tableName: 'proposals',
  columns: {
    ...workspaceColumns,
    id: idColumn('prop', 'id', { primary: true }),
    leadId: idColumn('lead', 'lead_id'),
    number: { type: 'int' },
    version: { type: 'int' },
    previousVersionId: idColumn('prop', 'previous_version_id', { nullable: true }),
    title: { type: 'text' },
    status: { type: 'text' },
    currency: { type: 'text' },
    lineItems: { name: 'line_items', type: 'json', transformer: LINES },
    subtotal: amountColumn('subtotal'),
    taxTotal: amountColumn('tax_total'),
    total: amountColumn('total'),
    deposit: { type: 'json', nullable: true },
    notes: { type: 'text', nullable: true },
    message: { type: 'text', nullable: true },
    sections: { type: 'json' },
    coverImage: idColumn('file', 'cover_image', { nullable: true }),
    terms: { type: 'text', nullable: true },
    contact: { type: 'json', nullable: true },
    preparedFor: { name: 'prepared_for', type: 'json', nullable: true },
    sentBrand: { name: 'sent_brand', type: 'json', nullable: true },
    validUntil: { name: 'valid_until', type: 'date', nullable: true },
    publicToken: { name: 'public_token', type: 'text', nullable: true },
    sentAt: instantColumn('sent_at'),
    sentBy: { name: 'sent_by', type: 'json', nullable: true },
    viewedAt: instantColumn('viewed_at'),
    acceptedAt: instantColumn('accepted_at'),
    declinedAt: instantColumn('declined_at'),
    expiredAt: instantColumn('expired_at'),
    withdrawnAt: instantColumn('withdrawn_at'),
    acceptance: { type: 'json', nullable: true },
    declineReason: { name: 'decline_reason', type: 'text', nullable: true },
    archivedAt: instantColumn('archived_at'),
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
